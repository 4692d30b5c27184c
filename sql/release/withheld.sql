-- builds: withheld
-- reads: aggregates, verdicts
-- one row: the release: for each aggregated column the classes whose figure is withheld, their rows, and the rows that show a figure without having a value
select
    {% for column in aggregates %}
    count(*) filter (where aggregates._shown_{{ column.number }} is null) as classes_{{ column.number }},
    coalesce(cast(sum(verdicts._rows) filter (where aggregates._shown_{{ column.number }} is null) as bigint), 0) as rows_{{ column.number }},
    coalesce(cast(sum(aggregates._without_{{ column.number }}) filter (where aggregates._shown_{{ column.number }} is not null) as bigint), 0) as without_{{ column.number }}{{ "," if not loop.last }}
    {% endfor %}
from aggregates
join verdicts
    on {% for key in class_columns %}aggregates.{{ key | ident }} = verdicts.{{ key | ident }}{{ "\n    and " if not loop.last }}{% endfor +%}
where not verdicts._fails

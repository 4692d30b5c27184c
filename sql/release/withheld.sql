-- builds: withheld
-- reads: aggregates, class_results
-- one row: the release: for each aggregated column the classes whose figure is withheld, their rows, and the rows that show a figure without having a value
{% from "dataset/lookups.jinja" import same_keys %}
select
    {% for column in aggregates %}
    count(*) filter (where aggregates._shown_{{ column.number }} is null) as classes_{{ column.number }},
    coalesce(cast(sum(class_results._rows) filter (where aggregates._shown_{{ column.number }} is null) as bigint), 0) as rows_{{ column.number }},
    coalesce(cast(sum(aggregates._without_{{ column.number }}) filter (where aggregates._shown_{{ column.number }} is not null) as bigint), 0) as without_{{ column.number }}{{ "," if not loop.last }}
    {% endfor %}
from aggregates
join class_results
    on {{ same_keys(class_columns, "aggregates", "class_results") }}
where not class_results._fails

-- builds: too_few_values
-- reads: possible_values
-- one row: the persons in several classes: those with too few possible values and their rows; and for each sensitive column the persons whose value is constant, the fewest possible values, and the persons with too few
select
    count(*) filter (where _fails) as failing,
    cast(coalesce(sum(_rows) filter (where _fails), 0) as bigint) as failing_rows{{ "," if possible }}
    {% for column in possible %}
    count(_possible_{{ loop.index }}) as evaluated_{{ loop.index }},
    coalesce(min(_possible_{{ loop.index }}), 0) as least_{{ loop.index }},
    count(*) filter (where _possible_{{ loop.index }} < {{ column.least }}) as below_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from possible_values

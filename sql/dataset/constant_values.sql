-- builds: constant_values
-- reads: repeated_persons
-- one row: all persons with several rows: for each sensitive column, those with a value in all rows, and those with one value
select
    {% for column in columns %}
    count(*) filter (where _filled_{{ loop.index }}) as filled_{{ loop.index }},
    count(*) filter (where _constant_{{ loop.index }}) as constant_{{ loop.index }}{{ "," if not loop.last }}
    {% endfor %}
from repeated_persons

-- builds: cells
-- reads: combinations
-- one row: distinct set of quasi-identifier values, by its number, with the region that it lies in, and its rows
{% set counted = measures + ["_rows"] %}
select
    row_number() over () as _cell,
    combinations.* exclude ({{ counted | join(", ") }}),
    {% for measure in counted %}
    cast({{ "max" if measure == "_k" else "sum" }}({{ measure }}) as bigint) as {{ measure }}{{ "," if not loop.last }}
    {% endfor %}
from combinations
group by all

-- builds: cells
-- reads: combinations
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    row_number() over () as _cell,
    {{ keys | idents }},
    {% for measure in measures %}
    cast({{ "max" if measure == "_k" else "sum" }}({{ measure }}) as bigint) as {{ measure }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from combinations
group by all

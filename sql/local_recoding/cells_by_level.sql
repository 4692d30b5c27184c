-- builds: cells
-- reads: combinations
-- one row: distinct set of quasi-identifier values, by its number, with the region that it lies in, and its rows
select
    row_number() over () as _cell,
    {% for attribute in attributes %}
    {% for key in attribute.keys_of.values() %}
    {{ key | ident }},
    {% endfor %}
    {% endfor %}
    {% for measure in measures %}
    cast({{ "max" if measure == "_k" else "sum" }}({{ measure }}) as bigint) as {{ measure }},
    {% endfor %}
    cast(sum(_rows) as bigint) as _rows
from combinations
group by all

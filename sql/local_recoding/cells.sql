-- builds: cells
-- reads: combinations (perhaps ordered_codes_<column>)
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
{% from "local_recoding/places.jinja" import code, placed %}
select
    row_number() over () as _cell,
    {% if is_one_partition %}
    cast(1 as bigint) as _partition,
    {% endif %}
    {% for place in places %}
    {{ code(place, "combinations") }} as {{ place.column | ident }},
    {% endfor %}
    {% for measure in measures %}
    cast({{ "max" if measure == "_k" else "sum" }}(combinations.{{ measure }}) as bigint) as {{ measure }},
    {% endfor %}
    cast(sum(combinations._rows) as bigint) as _rows
from {{ placed("combinations", places) }}
group by all

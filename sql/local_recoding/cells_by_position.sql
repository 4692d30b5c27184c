-- builds: cells
-- reads: combinations, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, with its region and its rows
select
    row_number() over () as _cell,
    cast(1 as bigint) as _partition,
    {% for attribute in attributes %}
    {{ ("positions_" ~ attribute.name) | ident }}.position as {{ attribute.name | ident }},
    {% endfor %}
    {% for measure in measures %}
    cast({{ "max" if measure == "_k" else "sum" }}(combinations.{{ measure }}) as bigint) as {{ measure }},
    {% endfor %}
    cast(sum(combinations._rows) as bigint) as _rows
from combinations
{% for attribute in attributes %}
join {{ ("positions_" ~ attribute.name) | ident }}
    on combinations.{{ attribute.key | ident }} = {{ ("positions_" ~ attribute.name) | ident }}.code
{% endfor %}
group by
    {% for attribute in attributes %}
    {{ ("positions_" ~ attribute.name) | ident }}.position{{ "," if not loop.last }}
    {% endfor %}

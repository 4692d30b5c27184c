-- builds: cells
-- reads: combinations, positions_<column>
-- one row: distinct set of quasi-identifier values, by its number, with the region that it lies in, and its rows
select
    row_number() over () as _cell,
    cast(1 as bigint) as _partition,
    {% for attribute in attributes %}
    {{ ("positions_" ~ attribute.name) | ident }}.position as {{ attribute.name | ident }},
    {% endfor %}
    {% for measure in measures %}
    combinations.{{ measure }},
    {% endfor %}
    combinations._rows
from combinations
{% for attribute in attributes %}
join {{ ("positions_" ~ attribute.name) | ident }}
    on combinations.{{ attribute.key | ident }} = {{ ("positions_" ~ attribute.name) | ident }}.code
{% endfor %}

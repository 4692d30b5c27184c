-- builds: region_assignments
-- reads: cells, regions (perhaps ordered_codes_<column>)
-- one row: distinct set of quasi-identifier values, as label codes, with its released region and class
select
    cells._cell,
    {% for attribute in attributes %}
    {{ ("ordered_codes_" ~ attribute.name) | ident ~ ".code" if positions else "cells." ~ (attribute.key | ident) }} as {{ attribute.name | ident }},
    {% endfor %}
    {% for measure in measures %}
    cells.{{ measure }},
    {% endfor %}
    cells._rows,
    regions._region,
    regions._class_number
from cells
join regions
    on cells._partition = regions._region
{% for attribute in attributes if positions %}
join {{ ("ordered_codes_" ~ attribute.name) | ident }}
    on cells.{{ attribute.name | ident }} = {{ ("ordered_codes_" ~ attribute.name) | ident }}.position
{% endfor %}

-- builds: saved_cells
-- reads: region_assignments, regions, labels_<column>
-- one row: distinct set of quasi-identifier values, by their labels at the least levels, with their released levels and labels
select
    {% for attribute in attributes %}
    {% set number = attribute.number %}
    least_{{ number }}.label as {{ attribute.name | ident }},
    regions._level_{{ number }},
    regions.{{ attribute.name | ident }} as _label_{{ number }}{{ "," if not loop.last }}
    {% endfor %}
from region_assignments
join regions
    on region_assignments._region = regions._region
{% for attribute in attributes %}
{% set number = attribute.number %}
join {{ ("labels_" ~ attribute.name) | ident }} as least_{{ number }}
    on least_{{ number }}.level = {{ attribute.least }}
    and region_assignments.{{ attribute.name | ident }} = least_{{ number }}.code
{% endfor %}

-- builds: tree_nodes_<column>
-- reads: ordered_codes_<column>, labels_<column>
-- one row: level and position: its label in the hierarchy, with all positions under the label, its loss and its rows
{% set name = attribute.name %}
{% for level in range(attribute.least, attribute.height + 1) %}
select
    cast({{ level }} as integer) as level,
    positions.position,
    min(positions.position) over (partition by positions.level_{{ level }}) as low,
    max(positions.position) over (partition by positions.level_{{ level }}) as high,
    labels.label,
    labels.loss,
    cast(sum(positions._rows) over (partition by positions.level_{{ level }}) as bigint) as _rows
from {{ ("ordered_codes_" ~ name) | ident }} as positions
join {{ ("labels_" ~ name) | ident }} as labels
    on labels.level = {{ level }}
    and labels.code = positions.level_{{ level }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}

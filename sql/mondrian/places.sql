-- builds: places
-- reads: ordered_codes_<column> or tree_nodes_<column>
-- one row: attribute, level (0 if the attribute is ordered) and position, with its label and loss, where it is in the range with the leaves up to it, and which positions it covers if it is a branch
{% for attribute in attributes %}
{% if attribute.is_ordered %}
select
    {{ attribute.number }} as _attribute,
    0 as level,
    position,
    cast(null as integer) as low,
    cast(null as integer) as high,
    label,
    point,
    nullif(leaves, 0) as leaves,
    loss
from {{ ("ordered_codes_" ~ attribute.name) | ident }}
{% else %}
select
    {{ attribute.number }} as _attribute,
    level,
    position,
    low,
    high,
    label,
    cast(null as double) as point,
    cast(null as bigint) as leaves,
    loss
from {{ ("tree_nodes_" ~ attribute.name) | ident }}
{% endif %}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}

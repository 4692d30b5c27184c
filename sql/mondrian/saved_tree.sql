-- builds: saved_tree
-- reads: partitions, regions
-- one row: partition: the cut that made it, and for an uncut partition the labels, the values that they cover and their losses
select
    partitions.* exclude (_low, _high, _is_rest, _rows),
    {% for attribute in attributes %}
    regions.{{ attribute.name | ident }},
    {% if attribute.is_ordered %}
    regions._from_{{ attribute.number }},
    regions._to_{{ attribute.number }},
    {{ attribute.order_type | literal }} as _type_{{ attribute.number }},
    {% else %}
    regions._level_{{ attribute.number }},
    {% endif %}
    regions._is_value_{{ attribute.number }},
    regions._loss_{{ attribute.number }},
    regions._leaf_loss_{{ attribute.number }},
    {% endfor %}
    regions._region is not null as _is_region
from partitions
left join regions
    on partitions._partition = regions._region
order by partitions._partition

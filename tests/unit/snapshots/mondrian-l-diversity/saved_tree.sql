-- builds: saved_tree
-- reads: partitions, regions
-- one row: partition: the cut that made it, and for an uncut partition the labels, the values that they cover and their losses
select
    partitions.* exclude (_low, _high, _is_rest, _rows),
    regions."age",
    regions._from_1,
    regions._to_1,
    'BIGINT' as _type_1,
    regions._is_value_1,
    regions._loss_1,
    regions._leaf_loss_1,
    regions."sex",
    regions._level_2,
    regions._is_value_2,
    regions._loss_2,
    regions._leaf_loss_2,
    regions."town",
    regions._level_3,
    regions._is_value_3,
    regions._loss_3,
    regions._leaf_loss_3,
    regions._region is not null as _is_region
from partitions
left join regions
    on partitions._partition = regions._region
order by partitions._partition

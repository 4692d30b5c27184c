-- builds: tree
-- reads: partitions, region_assignments
-- one row: Mondrian partition, with the cut that made it, and the rows of an uncut partition
with regions as (
    select
        _region,
        cast(sum(_rows) as bigint) as _rows
    from region_assignments
    group by
        _region
)

select
    partitions._partition,
    partitions._parent,
    partitions._attribute,
    partitions._cut,
    partitions._value,
    coalesce(regions._rows, 0) as _rows
from partitions
left join regions
    on partitions._partition = regions._region
order by partitions._partition

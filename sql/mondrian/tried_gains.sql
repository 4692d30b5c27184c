-- builds: cuts
-- reads: gains, partitions
-- one row: possible cut of an uncut partition: into the positions of a range and the rest, or into the branches of a level
select *
from gains
where _rank between {{ first }} and {{ last }}
    and not exists (
        select 1
        from partitions
        where partitions._parent = gains._partition
    )

-- builds: unknown_members
-- reads: listed_<column>
-- one row: member of a group that is not on the level below, with the level that has it
select
    listed.cell_0 as level,
    listed.cell_1 as label,
    listed.cell_2 as member,
    (
        select min(elsewhere.cell_0)
        from {{ ("listed_" ~ column) | ident }} as elsewhere
        where elsewhere.cell_1 = listed.cell_2 and elsewhere.cell_0 < listed.cell_0
    ) as member_level
from {{ ("listed_" ~ column) | ident }} as listed
where listed.cell_0 > 0
    and listed.cell_2 is not null
    and not exists (
        select 1
        from {{ ("listed_" ~ column) | ident }} as below
        where below.cell_0 = listed.cell_0 - 1 and below.cell_1 = listed.cell_2
    )
order by level, label, member

-- builds: node_verdicts
-- reads: packed_combinations (perhaps packed_sensitive_<column>, shares_<column>, decided_entropies)
-- one row: node of one statement, by its number, and class, with its rows and whether it fails
with placed as (
    select
        0 + "sex_0" + "town_0" + "illness_0" as _key,
        _rows
    from packed_combinations
    union all
    select
        1 + "age_0" + "sex_0" + "town_0" as _key,
        _rows
    from packed_combinations
    
),

classes as (
    select
        _key,
        _key % 32 as _node,
        cast(sum(_rows) as bigint) as _rows
    from placed
    group by _key
),

verdicts as (
-- builds: judged
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, with what it achieves under each model, and whether it fails one of them
with
judged_1 as (
-- builds: judged
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    _rows as _achieved_1,
    _rows < 3 as _fails_1
from classes
)

select
    *,
    _fails_1 as _fails
from judged_1
)

select * from verdicts

-- builds: failing_labels
-- reads: combinations (perhaps combination_entities)
-- one row: quasi-identifier and label code of a node, with the rows that failing classes hold under it
with classes as (
-- builds: classes_at
-- reads: combinations (perhaps combination_entities)
-- one row: equivalence class of a node, as label codes
select
    "age_1",
    "sex_0",
    "town_2",
    cast(sum(_rows) as bigint) as _rows
from combinations
group by
    "age_1",
    "sex_0",
    "town_2"

),

verdicts as (
-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it has fewer than k rows, or persons, or fewer than a record asks for (Samarati 2001, Sweeney 2002)
select
    *,
    _rows < 3 as _fails
from classes
)

select
    case
        when grouping("age_1") = 0 then 0
        when grouping("sex_0") = 0 then 1
        when grouping("town_2") = 0 then 2
    end as attribute,
    coalesce("age_1", "sex_0", "town_2") as code,
    cast(sum(_rows) as bigint) as _rows
from verdicts
where _fails
group by grouping sets (("age_1"), ("sex_0"), ("town_2"))

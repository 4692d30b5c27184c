-- builds: verdicts
-- reads: combinations (perhaps combination_entities)
-- one row: class of the chosen node, as label codes, with its rows and whether it fails
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

final as (
-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it has fewer than k rows, or persons, or fewer than a record asks for (Samarati 2001, Sweeney 2002)
select
    *,
    _rows < 3 as _fails
from classes
)

select * from final

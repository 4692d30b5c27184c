-- builds: uncovered
-- reads: placements, regions, recoding_<column> (perhaps hierarchy_<column>)
-- one row: value and the label under which it would be released, if the label does not cover the value
with pairs as materialized (
    select distinct
        placements."age" as code,
        regions."age" as label
    from placements
    join regions
        on placements._region = regions._region
),

shown as (
    select
        recoding.value,
        pairs.* exclude (code)
    from pairs
    join "recoding_age" as recoding
        on pairs.code = recoding.code
)

select
    shown.value,
    shown.label
from shown
join "hierarchy_age" as hierarchy
    on cast(shown.value as varchar) is not distinct from hierarchy.value
where not (
    shown.label is not distinct from hierarchy.level_0 or
    shown.label is not distinct from hierarchy.level_1 or
    shown.label is not distinct from hierarchy.level_2 or
    shown.label is not distinct from hierarchy.level_3
)

-- builds: uncovered
-- reads: placements, regions, recoding_<column> (perhaps hierarchy_<column>)
-- one row: value and the label under which it would be released, if the label does not cover the value
with pairs as materialized (
    select distinct
        placements."age" as code,
        regions."age" as label,
        regions._from_1 as least,
        regions._to_1 as most
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
where shown.label is distinct from cast(shown.value as varchar)
    and shown.label is distinct from '*'
    and (
        (shown.label = '<= ' || shown.most or shown.value >= try_cast(shown.least as BIGINT))
        and (shown.label = '>= ' || shown.least or shown.value <= try_cast(shown.most as BIGINT))
    ) is not true

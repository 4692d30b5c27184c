-- builds: covered_<column>
-- reads: regions, positions_<column>
-- one row: released label of the column, and position of a value under it, in the order of all values
with ranges as (
    select distinct
        {{ attribute.name | ident }} as _label,
        _low_{{ attribute.number }} as low,
        _high_{{ attribute.number }} as high
    from regions
)

select distinct
    ranges._label,
    covered.position + 1 as _place
from ranges
join {{ ("positions_" ~ attribute.name) | ident }} as covered
    on ranges._label = '*'
    or covered.position between ranges.low and ranges.high

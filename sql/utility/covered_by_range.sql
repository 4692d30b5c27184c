-- builds: covered_<column>
-- reads: regions, positions_<column>
-- one row: released label of the column, and position of a value under it, in the order of all values
with ranges as (
    select distinct
        {{ attribute.name | ident }} as _label,
        _from_{{ attribute.number }} as _from,
        _to_{{ attribute.number }} as _to
    from regions
)

select distinct
    ranges._label,
    covered.position + 1 as _place
from ranges
join {{ ("positions_" ~ attribute.name) | ident }} as lowest
    on ranges._from is not distinct from lowest.label
join {{ ("positions_" ~ attribute.name) | ident }} as highest
    on ranges._to is not distinct from highest.label
join {{ ("positions_" ~ attribute.name) | ident }} as covered
    on ranges._label = '*'
    or covered.position between lowest.position and highest.position

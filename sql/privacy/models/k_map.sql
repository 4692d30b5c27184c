-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows of the population (Sweeney 2001)
select
    *,
    _population as _achieved_{{ model.name }},
    _population < {{ model.k }} as _fails_{{ model.name }}
from {{ previous }}

-- builds: judged
-- reads: classes
-- one row: class, which fails where fewer than k rows of the population are like it (Sweeney 2001)
select
    *,
    _population as _achieved_{{ model.number }},
    _population < {{ model.k }} as _fails_{{ model.number }}
from {{ previous }}

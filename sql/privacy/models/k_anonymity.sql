-- builds: evaluated
-- reads: classes
-- one row: class, which fails if it has fewer than k rows, or persons, or fewer rows than the k of one of its records (Samarati 2001, Sweeney 2002)
select
    *,
    {{ "_persons" if model.persons else "_rows" }} as _achieved_{{ model.name }},
    {{ "_persons" if model.persons else "_rows" }} < {{ ("greatest(_k, %d)" % model.k if model.k > 1 else "_k") if model.own_k else model.k }} as _fails_{{ model.name }}
from {{ previous }}

-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it has fewer than k rows, or persons, or fewer than a record asks for (Samarati 2001, Sweeney 2002)
select
    *,
    {{ "_persons" if persons else "_rows" }} < {{ ("greatest(_k, %d)" % k if k > 1 else "_k") if own_k else k }} as _fails
from {{ classes }}

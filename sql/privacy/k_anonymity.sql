-- builds: verdicts
-- reads: classes
-- one row: class, which fails where it has fewer than k rows (Samarati 2001, Sweeney 2002)
select
    *,
    _rows < {{ k }} as _fails
from {{ classes }}

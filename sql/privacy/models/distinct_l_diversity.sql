-- builds: judged
-- reads: told
-- one row: class, which fails where it has fewer than l sensitive values, NULL being one (Machanavajjhala et al. 2007)
with measures as (
    select
        _class,
        max(_class_rows) as _rows,
        count(*) as present
    from {{ model.told }}
    group by
        _class
)

select
    _class,
    present as _achieved,
    present < {{ model.l }} as _fails
from measures

-- builds: swept_classes
-- reads: packed_levels
-- one row: class of one node, and its rows
select
    {% for key in keys %}{{ key | ident }} + {% endfor %}0 as _key,
    cast(sum(_rows) as bigint) as _rows
from packed_levels
group by _key

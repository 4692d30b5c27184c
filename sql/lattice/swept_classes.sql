-- builds: swept_classes
-- reads: packed_levels
-- one row: class of one node, and its rows
select
    _fixed{% for key in keys %} + {{ key | ident }}{% endfor %} as _class,
    cast(sum(_rows) as bigint) as _rows
from packed_levels
group by _class

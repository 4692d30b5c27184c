-- builds: order
-- reads: ordered_codes_<column>
-- one row: the column: the number of its values that can be ordered, and their span
select
    count(*) as positions,
    count(*) filter (where is_placed) as placed,
    coalesce(max(point) filter (where is_placed) - min(point) filter (where is_placed), 0) as span
from {{ ("ordered_codes_" ~ column) | ident }}

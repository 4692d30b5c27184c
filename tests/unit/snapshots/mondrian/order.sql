-- builds: order
-- reads: positions_<column>
-- one row: the column: its values that have a place in the order, and how far they reach
select
    count(*) as positions,
    count(*) filter (where is_placed) as placed,
    coalesce(max(point) filter (where is_placed) - min(point) filter (where is_placed), 0) as span
from "positions_age"

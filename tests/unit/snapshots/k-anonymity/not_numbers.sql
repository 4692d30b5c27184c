-- builds: not_numbers
-- reads: source
-- one row: the input: whether each floating-point column holds NaN
select
    count(*) filter (where not isfinite("pay") and cast("pay" as varchar) like '%nan') > 0 as "is_held_0"
from source

-- builds: sampled_combinations
-- reads: sampled_levels
-- one row: the sample: its combinations of labels, and those that one row has, and two
with combinations as (
    select count(*) as _rows
    from sampled_levels
    group by
        {{ keys | map("ident") | join(",\n        ") }}
)

select
    count(*),
    count(*) filter (where _rows = 1),
    count(*) filter (where _rows = 2)
from combinations

-- builds: sampled_combinations
-- reads: sampled_levels
-- one row: the sample: its combinations of labels, and how many of them one row has, and two rows have
with combinations as (
    select count(*) as _rows
    from sampled_levels
    group by
        {{ keys | map("ident") | join(",\n        ") }}
)

select
    count(*) as combinations,
    count(*) filter (where _rows = 1) as of_one_row,
    count(*) filter (where _rows = 2) as of_two_rows
from combinations

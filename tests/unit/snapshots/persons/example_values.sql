-- builds: example_values
-- reads: sampled_values
-- one row: column and distinct value of a sample, as text
select
    0 as attribute,
    cast(value as varchar) as text
from (
    select distinct "least" as value
    from sampled_values
    where "least" is not null
    limit 500
) as examples_0

-- builds: example_values
-- reads: sampled_values
-- one row: column and distinct value of a sample, as text
select
    0 as attribute,
    cast(value as varchar) as text
from (
    select distinct "name" as value
    from sampled_values
    where "name" is not null
    limit 500
) as examples_0
union all
select
    1 as attribute,
    cast(value as varchar) as text
from (
    select distinct "person" as value
    from sampled_values
    where "person" is not null
    limit 500
) as examples_1
union all
select
    2 as attribute,
    cast(value as varchar) as text
from (
    select distinct "least" as value
    from sampled_values
    where "least" is not null
    limit 500
) as examples_2
union all
select
    3 as attribute,
    cast(value as varchar) as text
from (
    select distinct "age" as value
    from sampled_values
    where "age" is not null
    limit 500
) as examples_3
union all
select
    4 as attribute,
    cast(value as varchar) as text
from (
    select distinct "town" as value
    from sampled_values
    where "town" is not null
    limit 500
) as examples_4

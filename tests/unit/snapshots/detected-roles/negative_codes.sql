-- builds: negative_codes
-- reads: source
-- one row: the input: for each column of numbers its only negative value with the rows that have it, if it has one, and its greatest value
select
    case when min("person") filter (where "person" < 0) = max("person") filter (where "person" < 0) then cast(min("person") as bigint) end as "code_0",
    cast(count(*) filter (where "person" < 0) as bigint) as "code_rows_0",
    cast(max("person") as bigint) as "greatest_0",
    case when min("least") filter (where "least" < 0) = max("least") filter (where "least" < 0) then cast(min("least") as bigint) end as "code_1",
    cast(count(*) filter (where "least" < 0) as bigint) as "code_rows_1",
    cast(max("least") as bigint) as "greatest_1",
    case when min("age") filter (where "age" < 0) = max("age") filter (where "age" < 0) then cast(min("age") as bigint) end as "code_2",
    cast(count(*) filter (where "age" < 0) as bigint) as "code_rows_2",
    cast(max("age") as bigint) as "greatest_2"
from source

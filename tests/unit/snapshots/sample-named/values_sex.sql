-- builds: values_<column>
-- reads: distinct_values (perhaps population_values)
-- one row: distinct value of the column, with its code and its rows
with distincts as (
    select
        "sex" as value,
        _rows
    from distinct_values
    where _attribute = 0
),

final as (
    select
        value,
        cast(value as varchar) as text,
        cast(row_number() over (order by value nulls last) - 1 as utinyint) as code,
        coalesce(value in ('?'), false) or value is null as missing,
        _rows
    from distincts
)

select * from final

-- builds: values_<column>
-- reads: distinct_values (perhaps population_values)
-- one row: distinct value of the column, with its code and its rows
with distincts as (
    select
        "illness" as value,
        _rows
    from distinct_values
    where _attribute = 3
),

final as (
    select
        value,
        cast(value as varchar) as text,
        cast(row_number() over (order by value nulls last) - 1 as utinyint) as code,
        false as missing,
        _rows
    from distincts
)

select * from final

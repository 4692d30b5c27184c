-- builds: value_losses
-- reads: records (perhaps release, released_records)
-- one row: column that is released unchanged, by its number, and value, with its rows and its suppressed rows
with counts as (
    select
        case
            when grouping("person") = 0 then 1
            when grouping("least") = 0 then 2
            when grouping("illness") = 0 then 3
            when grouping("pay") = 0 then 4
        end as _attribute,
        "person" as _value_1,
        "least" as _value_2,
        "illness" as _value_3,
        "pay" as _value_4,
        cast(count(*) as bigint) as _rows,
        cast(count(*) as bigint) as _suppressed
    from records
    group by grouping sets (("person"), ("least"), ("illness"), ("pay"))
    union all
    select
        case
            when grouping("person") = 0 then 1
            when grouping("least") = 0 then 2
            when grouping("illness") = 0 then 3
            when grouping("pay") = 0 then 4
        end as _attribute,
        "person" as _value_1,
        "least" as _value_2,
        "illness" as _value_3,
        "pay" as _value_4,
        0 as _rows,
        -cast(count(*) as bigint) as _suppressed
    from release
    group by grouping sets (("person"), ("least"), ("illness"), ("pay"))
)

select
    _attribute,
    _value_1,
    _value_2,
    _value_3,
    _value_4,
    cast(sum(_rows) as bigint) as _rows,
    cast(sum(_suppressed) as bigint) as _suppressed
from counts
group by
    _attribute,
    _value_1,
    _value_2,
    _value_3,
    _value_4

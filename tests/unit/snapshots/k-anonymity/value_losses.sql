-- builds: value_losses
-- reads: records (perhaps release, recoding_<column>, class_results, region_assignments)
-- one row: column that is released unchanged, by its number, and value, with its rows and its suppressed rows
with counts as (
    select
        case
            when grouping("illness") = 0 then 1
            when grouping("pay") = 0 then 2
        end as _attribute,
        "illness" as _value_1,
        "pay" as _value_2,
        cast(count(*) as bigint) as _rows,
        cast(count(*) as bigint) as _suppressed
    from records
    group by grouping sets (("illness"), ("pay"))
    union all
    select
        case
            when grouping("illness") = 0 then 1
            when grouping("pay") = 0 then 2
        end as _attribute,
        "illness" as _value_1,
        "pay" as _value_2,
        0 as _rows,
        -cast(count(*) as bigint) as _suppressed
    from release
    group by grouping sets (("illness"), ("pay"))
)

select
    _attribute,
    _value_1,
    _value_2,
    cast(sum(_rows) as bigint) as _rows,
    cast(sum(_suppressed) as bigint) as _suppressed
from counts
group by all

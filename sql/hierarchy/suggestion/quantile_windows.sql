-- builds: quantile_windows
-- reads: values_<column>
-- one row: quantile: the range of values in which a cut is close enough to it, or the two values on either side of it
with numbers as (
    select
        {{ "try_cast(text as decimal(38, 9))" if read == "text" else "value" }} as value,
        _rows
    from {{ ("values_" ~ column) | ident }}
    where value is not null
        and not missing
        and isfinite(try_cast({{ read }} as double))
),

weighed as (
    select
        value,
        sqrt(_rows) as weight
    from numbers
    where value is not null
),

gaps as (
    select
        value as below,
        lead(value) over (order by value) as above,
        sum(weight) over (order by value) / sum(weight) over () as reach
    from weighed
),

quantiles as (
    select unnest(range(1, {{ parts }})) / {{ parts }} as quantile
),

final as (
    select
        quantile,
        coalesce(
            min(below) filter (where abs(reach - quantile) <= {{ slack }} / {{ parts }}),
            arg_min(below, abs(reach - quantile))
        ) as low,
        coalesce(
            max(above) filter (where abs(reach - quantile) <= {{ slack }} / {{ parts }}),
            arg_min(above, abs(reach - quantile))
        ) as high
    from gaps
    cross join quantiles
    where above is not null
    group by quantile
)

select
    cast(low as varchar) as low,
    cast(high as varchar) as high
from final
order by quantile

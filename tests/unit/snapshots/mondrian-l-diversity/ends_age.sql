-- builds: ends_<column>
-- reads: extents, ordered_codes_<column>
-- one row: range of positions of a partition: the ends that its label shows, and the positions that they cover
with ranges as (
    select distinct
        _low_1 as first,
        _high_1 as last
    from extents
),

placed as (
    select
        ranges.*,
        lowest.place as low,
        highest.place as high
    from ranges
    join "ordered_codes_age" as lowest
        on ranges.first = lowest.position
    join "ordered_codes_age" as highest
        on ranges.last = highest.position
    where first < last and last < 7
),

shown as (
    select
        first,
        last,
        try(cast(greatest(least((try_cast(low as hugeint) - ((try_cast(low as hugeint)) % (case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 1 then cast((case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 5 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 5 when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 2 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 2 else 1 end) * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) as hugeint) else 1 end) + (case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 1 then cast((case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 5 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 5 when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 2 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 2 else 1 end) * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) as hugeint) else 1 end)) % (case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 1 then cast((case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 5 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 5 when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 2 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 2 else 1 end) * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) as hugeint) else 1 end)), 9223372036854775807), -9223372036854775808) as varchar)) as _from,
        try(cast(greatest(least((try_cast(high as hugeint) + ((-(try_cast(high as hugeint))) % (case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 1 then cast((case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 5 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 5 when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 2 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 2 else 1 end) * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) as hugeint) else 1 end) + (case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 1 then cast((case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 5 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 5 when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 2 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 2 else 1 end) * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) as hugeint) else 1 end)) % (case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 1 then cast((case when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 5 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 5 when ((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20) >= 2 * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) then 2 else 1 end) * pow(10.0, floor(log10(((cast(try_cast(high as hugeint) as double) - cast(try_cast(low as hugeint) as double)) / 20)))) as hugeint) else 1 end)), 9223372036854775807), -9223372036854775808) as varchar)) as _to
    from placed
),

reached as (
    select
        shown.*,
        try_cast(_from as BIGINT) as from_place,
        try_cast(_to as BIGINT) as to_place
    from shown
),

covered as (
    select
        reached.first,
        reached.last,
        reached._from,
        reached._to,
        coalesce(before.position + 1, 0) as low,
        upto.position as high,
        1 * (cast(_to as double) - cast(_from as double)) as width
    from reached
    asof left join (
        select
            place,
            max(position) as position
        from "ordered_codes_age"
        where is_placed
        group by place
    ) as before
        on reached.from_place > before.place
    asof left join (
        select
            place,
            max(position) as position
        from "ordered_codes_age"
        where is_placed
        group by place
    ) as upto
        on reached.to_place >= upto.place
)

select
    ranges.first,
    ranges.last,
    coalesce(covered.low, ranges.first) as low,
    coalesce(covered.high, ranges.last) as high,
    coalesce(covered._from, lowest.label) as _from,
    coalesce(covered._to, highest.label) as _to,
    least(coalesce(covered.width, highest.point - lowest.point), 21.0) as width
from ranges
join "ordered_codes_age" as lowest
    on ranges.first = lowest.position
join "ordered_codes_age" as highest
    on ranges.last = highest.position
left join covered
    on ranges.first = covered.first
    and ranges.last = covered.last
    and covered.low <= ranges.first
    and covered.high >= ranges.last

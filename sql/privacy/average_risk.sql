-- builds: verdicts
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, which fails where it does by itself, or is among the smallest, without which the classes are few enough for their rows
{% set keys = class_keys | map("ident") | join(", ") %}
with judged as (
{% include "privacy/judged.sql" +%}
),

counted as (
    select
        *,
        count(*) filter (where not _fails) over () as classes_left,
        sum(_rows) filter (where not _fails) over () as rows_left,
        count(*) filter (where not _fails) over smaller as smaller_classes,
        coalesce(sum(_rows) filter (where not _fails) over smaller, 0) as smaller_rows
    from judged
    window smaller as (order by _rows, {{ keys }} rows between unbounded preceding and 1 preceding)
),

final as (
    select
        * exclude (classes_left, rows_left, smaller_classes, smaller_rows) replace (
            _fails or (classes_left - smaller_classes) * cast({{ average_risk.denominator }} as hugeint) > (rows_left - smaller_rows) * {{ average_risk.numerator }} as _fails
        )
    from counted
)

select * from final

-- builds: verdicts
-- reads: classes (perhaps histogram, shares_<column>, decided_entropies)
-- one row: class, which fails if it fails another model, or if it is one of the smallest classes that must fail so that the average class is large enough
{% set keys = class_keys | map("ident") | join(", ") %}
with judged as (
{% include "privacy/judged.sql" +%}
),

counted as (
    select
        *,
        count(*) filter (where not _fails) over () as _classes_left,
        sum({{ size }}) filter (where not _fails) over () as _rows_left,
        count(*) filter (where not _fails) over smaller as _smaller_classes,
        coalesce(sum({{ size }}) filter (where not _fails) over smaller, 0) as _smaller_rows
    from judged
    window smaller as (order by {{ size }}, {{ keys }} rows between unbounded preceding and 1 preceding)
),

final as (
    select
        * exclude (_classes_left, _rows_left, _smaller_classes, _smaller_rows) replace (
            _fails or (_classes_left - _smaller_classes) * cast({{ average_risk.denominator }} as hugeint) > (_rows_left - _smaller_rows) * {{ average_risk.numerator }} as _fails
        )
    from counted
)

select * from final

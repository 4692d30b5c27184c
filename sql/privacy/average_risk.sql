-- builds: verdicts
-- reads: classes (perhaps histogram, shares_<column>, entropy_comparisons)
-- one row: class, which fails if it fails another model, or if it is one of the smallest classes that must fail so that the mean over rows of 1 / size is small enough
{% from "privacy/expected.jinja" import expected with context %}
{% set keys = class_keys | map("ident") | join(", ") %}
with judged as (
{% include "privacy/judged.sql" +%}
),

counted as (
    select
        *,
        sum(case when not _fails then {{ expected() }} end) over () as _expected_left,
        sum(case when not _fails then _rows end) over () as _rows_left,
        coalesce(sum(case when not _fails then {{ expected() }} end) over smaller, 0) as _smaller_expected,
        coalesce(sum(case when not _fails then _rows end) over smaller, 0) as _smaller_rows
    from judged
    window smaller as (order by {{ size }}, {{ keys }} rows between unbounded preceding and 1 preceding)
),

final as (
    select
        * exclude (_expected_left, _rows_left, _smaller_expected, _smaller_rows) replace (
            _fails or (_expected_left - _smaller_expected) * cast({{ average_risk.denominator }} as hugeint) > (_rows_left - _smaller_rows) * cast({{ average_risk.numerator * risk_unit }} as hugeint) as _fails
        )
    from counted
)

select * from final

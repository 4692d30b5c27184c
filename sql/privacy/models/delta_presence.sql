-- builds: judged
-- reads: classes
-- one row: class, which fails where its share of the population's rows that are like it lies outside the bounds (Nergiz, Atzori, Clifton 2007)
select
    *,
    case when _population > 0 then _rows / cast(_population as double) else cast('inf' as double) end as _achieved_{{ model.number }},
    cast({{ model.low.denominator }} as hugeint) * _rows < cast({{ model.low.numerator }} as hugeint) * _population
        or cast({{ model.high.denominator }} as hugeint) * _rows > cast({{ model.high.numerator }} as hugeint) * _population as _fails_{{ model.number }}
from {{ previous }}

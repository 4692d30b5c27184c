-- builds: judged
-- reads: classes
-- one row: class, which fails where its share of the population's rows that are like it lies beyond the bound (Nergiz, Atzori, Clifton 2007)
select
    *,
    case when _population > 0 then _rows / cast(_population as double) else cast('inf' as double) end as _achieved_{{ model.number }},
    cast(_rows as hugeint) * {{ model.bound.denominator }} {{ "<" if model.is_lower else ">" }} cast(_population as hugeint) * {{ model.bound.numerator }} as _fails_{{ model.number }}
from {{ previous }}

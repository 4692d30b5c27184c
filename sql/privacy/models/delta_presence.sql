-- builds: evaluated
-- reads: classes
-- one row: class, which fails if its rows, as a share of the population's rows in the class, are outside the bounds (Nergiz, Atzori, Clifton 2007)
select
    *,
    case when _population > 0 then _rows / cast(_population as double) else cast('inf' as double) end as _achieved_{{ model.name }},
    cast(_rows as hugeint) * {{ model.bound.denominator }} {{ "<" if model.is_lower else ">" }} cast(_population as hugeint) * {{ model.bound.numerator }} as _fails_{{ model.name }}
from {{ previous }}

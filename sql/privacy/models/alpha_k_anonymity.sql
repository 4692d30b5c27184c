-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if it has fewer than k rows, or if a sensitive value has more than the share alpha of them (Wong et al. 2006)
with measures as (
    select
        _class,
        max(_class_rows) as _rows,
        max(_value_rows) as most,
        count(*) filter (where cast(_value_rows as hugeint) * {{ model.alpha.denominator }} > cast(_class_rows as hugeint) * {{ model.alpha.numerator }}) as frequent,
        coalesce(sum(_value_rows) filter (where cast(_value_rows as hugeint) * {{ model.alpha.denominator }} > cast(_class_rows as hugeint) * {{ model.alpha.numerator }}), 0) as frequent_rows
    from {{ model.value_counts }}
    group by
        _class
)

select
    _class,
    most / cast(_rows as double) as _achieved,
    _rows < {{ model.k }}
        or cast(most as hugeint) * {{ model.alpha.denominator }} > cast(_rows as hugeint) * {{ model.alpha.numerator }} as _fails,
    cast(_rows - frequent_rows as hugeint) * {{ model.alpha.denominator }}
        // nullif(greatest(0, {{ model.alpha.denominator }} - frequent * {{ model.alpha.numerator }}), 0) as _most_passing
from measures

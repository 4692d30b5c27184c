-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if the distance between the distributions of its sensitive values and of the table exceeds t; all values are equally distant (Li et al. 2007)
with measures as (
    select
        _class,
        max(_class_rows) as _rows,
        sum(abs(cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows)) as gaps,
        max(_all_pairs) - sum(_table_rows) as unseen,
        coalesce(sum(_table_rows) filter (where cast(_value_rows as hugeint) * _all_rows < cast(_table_rows as hugeint) * _class_rows), 0) as rarer,
        coalesce(sum(_value_rows) filter (where cast(_value_rows as hugeint) * _all_rows < cast(_table_rows as hugeint) * _class_rows), 0) as rare_rows,
        max(_all_rows) as _all_rows
    from {{ model.value_counts }}
    group by
        _class
)

select
    _class,
    (gaps + unseen * _rows) / (cast(_rows as double) * 2 * _all_rows) as _achieved,
    (gaps + unseen * _rows) * {{ model.t.denominator }} > cast(_rows as hugeint) * _all_rows * {{ 2 * model.t.numerator }} as _fails,
    cast(rare_rows as hugeint) * _all_rows * {{ model.t.denominator }}
        // nullif(greatest(0, cast(rarer + unseen as hugeint) * {{ model.t.denominator }} - cast(_all_rows as hugeint) * {{ model.t.numerator }}), 0) as _most_passing
from measures

-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if the share of a sensitive value exceeds its share p in the table by more than beta times p, or by more than -ln p times p (Cao, Karras 2012)
with measures as (
    select
        _class,
        max(_class_rows) as _rows,
        max((cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) / (cast(_table_rows as double) * _class_rows)) as gain,
        count(*) filter (
            where (cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) / (cast(_table_rows as double) * _class_rows) > ln(_all_rows / cast(_table_rows as double))
        ) as beyond_log,
        count(*) filter (
            where (cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) * {{ model.beta.denominator }}
                > cast(_table_rows as hugeint) * _class_rows * {{ model.beta.numerator }}
        ) as beyond,
        coalesce(sum(_value_rows) filter (
            where (cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) / (cast(_table_rows as double) * _class_rows)
                > least({{ model.beta.numerator }} / cast({{ model.beta.denominator }} as double), ln(_all_rows / cast(_table_rows as double)))
        ), 0) as frequent_rows,
        coalesce(sum(
            _table_rows * (1 + least({{ model.beta.numerator }} / cast({{ model.beta.denominator }} as double), ln(_all_rows / cast(_table_rows as double)))) / _all_rows
        ) filter (
            where (cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) / (cast(_table_rows as double) * _class_rows)
                > least({{ model.beta.numerator }} / cast({{ model.beta.denominator }} as double), ln(_all_rows / cast(_table_rows as double)))
        ), 0) as bound_share
    from {{ model.value_counts }}
    group by
        _class
)

select
    _class,
    case when beyond_log = 0 then gain else cast('inf' as double) end as _achieved,
    beyond_log > 0 or beyond > 0 as _fails,
    cast(floor(least((_rows - frequent_rows) / nullif(greatest(0, 1 - bound_share), 0), 1e18) + 1e-6) as hugeint) as _most_passing
from measures

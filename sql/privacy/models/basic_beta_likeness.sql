-- builds: evaluated
-- reads: value_counts
-- one row: class, which fails if the share of a sensitive value exceeds its share p in the table by more than beta times p (Cao, Karras 2012)
with gains as (
    select
        *,
        cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows as gain,
        cast(_table_rows as hugeint) * _class_rows as whole
    from {{ model.value_counts }}
),

measures as (
    select
        _class,
        max(_class_rows) as _rows,
        max(gain / cast(whole as double)) as gain,
        coalesce(sum(_value_rows) filter (where gain * {{ model.beta.denominator }} > whole * {{ model.beta.numerator }}), 0) as frequent_rows,
        coalesce(sum(_table_rows) filter (where gain * {{ model.beta.denominator }} > whole * {{ model.beta.numerator }}), 0) as frequent_table_rows,
        max(_all_rows) as _all_rows
    from gains
    group by
        _class
)

select
    _class,
    gain as _achieved,
    frequent_rows > 0 as _fails,
    cast(_rows - frequent_rows as hugeint) * _all_rows * {{ model.beta.denominator }}
        // nullif(greatest(0, cast(_all_rows as hugeint) * {{ model.beta.denominator }} - cast(frequent_table_rows as hugeint) * {{ model.beta.denominator + model.beta.numerator }}), 0) as _most_passing
from measures

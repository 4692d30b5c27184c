-- builds: judged
-- reads: told
-- one row: class, which fails where a sensitive value's share exceeds its share p in the table by more than beta times that, or by more than -ln p times (Cao, Karras 2012)
with measures as (
    select
        {{ class_keys | map("ident") | join(", ") }},
        max(_class_rows) as _rows,
        max((cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) / (cast(_table_rows as double) * _class_rows)) as gain,
        count(*) filter (
            where (cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) / (cast(_table_rows as double) * _class_rows) > ln(_all_rows / cast(_table_rows as double))
        ) as unbearable,
        count(*) filter (
            where (cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows) * {{ model.beta.denominator }}
                > cast(_table_rows as hugeint) * _class_rows * {{ model.beta.numerator }}
        ) as beyond
    from {{ model.told }}
    group by
        {{ class_keys | map("ident") | join(", ") }}
)

select
    {{ class_keys | map("ident") | join(", ") }},
    case when unbearable = 0 then gain else cast('inf' as double) end as _achieved,
    unbearable > 0 or beyond > 0 as _fails
from measures

-- builds: judged
-- reads: told
-- one row: class, which fails where its sensitive values are distributed further than t from the table's, all values being equally far apart (Li et al. 2007)
with measures as (
    select
        {{ class_keys | map("ident") | join(", ") }},
        max(_class_rows) as _rows,
        sum(abs(cast(_value_rows as hugeint) * _all_rows - cast(_table_rows as hugeint) * _class_rows)) as gaps,
        max(_all_rows) - sum(_table_rows) as unseen,
        max(_all_rows) as _all_rows
    from {{ model.told }}
    group by
        {{ class_keys | map("ident") | join(", ") }}
)

select
    {{ class_keys | map("ident") | join(", ") }},
    (gaps + unseen * _rows) / (cast(_rows as double) * 2 * _all_rows) as _achieved,
    (gaps + unseen * _rows) * {{ model.t.denominator }} > cast(_rows as hugeint) * _all_rows * {{ 2 * model.t.numerator }} as _fails
from measures

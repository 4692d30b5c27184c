-- builds: judged
-- reads: told
-- one row: class, which fails where one sensitive value has more than the share alpha of its rows (Wong et al. 2006)
with measures as (
    select
        {{ class_keys | map("ident") | join(", ") }},
        max(_class_rows) as _rows,
        max(_value_rows) as most
    from {{ model.told }}
    group by
        {{ class_keys | map("ident") | join(", ") }}
)

select
    {{ class_keys | map("ident") | join(", ") }},
    most / cast(_rows as double) as _achieved,
    cast(most as hugeint) * {{ model.alpha.denominator }} > cast(_rows as hugeint) * {{ model.alpha.numerator }} as _fails
from measures

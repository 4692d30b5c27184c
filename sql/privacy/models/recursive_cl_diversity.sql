-- builds: judged
-- reads: told
-- one row: class, which fails where it has fewer than l sensitive values, or the most frequent one at least c times the rows of the l-th and all rarer ones (Machanavajjhala et al. 2007)
with measures as (
    select
        {{ class_keys | map("ident") | join(", ") }},
        max(_class_rows) as _rows,
        count(*) as present,
        max(_value_rows) as most,
        {{ "list_sum(max(_value_rows, %d))" % (model.l - 1) if model.l > 1 else 0 }} as more_frequent
    from {{ model.told }}
    group by
        {{ class_keys | map("ident") | join(", ") }}
)

select
    {{ class_keys | map("ident") | join(", ") }},
    case when more_frequent < _rows then most / cast(_rows - more_frequent as double) else cast('inf' as double) end as _achieved,
    present < {{ model.l }}
        or cast(most as hugeint) * {{ model.c.denominator }} >= cast(_rows - more_frequent as hugeint) * {{ model.c.numerator }} as _fails
from measures

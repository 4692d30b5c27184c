-- builds: set_sizes
-- reads: classes
-- one row: set of columns: its distinct sets of values, the sum of their squared rows, and the rows with a unique set
with groups as (
    {% for keys in sets %}
    select
        {{ loop.index0 }} as number,
        cast(sum(_rows) as bigint) as _rows
    from {{ classes | ident }}
    where _rows > 0
    {% if keys %}
    group by
        {{ keys | map("ident") | join(",\n        ") }}
    {% endif %}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select
    number,
    count(*) as combinations,
    sum(cast(_rows as double) * _rows) as squares,
    count(*) filter (where _rows = 1) as uniques
from groups
group by
    number
order by number

-- builds: set_counts
-- reads: records
-- one row: set of columns: its number of distinct combinations of values (NULL is a value), and the sum of their squared rows
with groups as (
    {% for columns in sets %}
    select
        {{ loop.index0 }} as number,
        cast(count(*) as bigint) as _rows
    from records
    group by
        {{ columns | map("ident") | join(",\n        ") }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select
    number,
    cast(count(*) as bigint) as combinations,
    cast(sum(cast(_rows as double) * _rows) as double) as squares
from groups
group by number
order by number

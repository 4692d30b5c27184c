-- builds: special_uniques
-- reads: classes (perhaps special_uniques)
-- one row: record that is alone with its values of some columns (a bit each), and not alone with those of fewer of them
with alone as (
    {% for set in sets %}
    select
        {{ set.mask }} as mask,
        min(rowid) as _class
    from {{ classes }}
    where _rows > 0
    group by
        {{ set.columns | map("ident") | join(",\n        ") }}
    having sum(_rows) = 1
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
)

select
    cast(alone.mask as bigint) as mask,
    alone._class
from alone
{% if has_smaller %}
where not exists (
    select 1
    from special_uniques as smaller
    where
        smaller._class = alone._class
        and smaller.mask & alone.mask = smaller.mask
)
{% endif %}

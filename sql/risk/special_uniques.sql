-- builds: special_uniques
-- reads: classes (perhaps special_uniques)
-- one row: record that is unique by a set of columns (one bit per column) and by no subset of it
with uniques as (
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
    cast(uniques.mask as bigint) as mask,
    uniques._class
from uniques
{% if has_smaller %}
where not exists (
    select 1
    from special_uniques as smaller
    where
        smaller._class = uniques._class
        and smaller.mask & uniques.mask = smaller.mask
)
{% endif %}

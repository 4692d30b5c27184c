-- builds: linked_persons
-- reads: release, or records
-- one row: the file: the persons whom a pseudonym links across records, the size of the smallest group of them with as many rows in the same classes, and the persons in groups smaller than k
{% from "release/trails.jinja" import numbered_trails %}
with places as (
    select
        {{ quasi_identifiers | idents | indent }},
        cast({{ column | ident }} as varchar) as _entity,
        count(*) as _rows
    from {{ relation }}
    where cast({{ column | ident }} as varchar) <> ''
    group by all
),

{{ numbered_trails(quasi_identifiers) }},

sizes as (
    select count(*) as _persons
    from trails
    group by classes
)

select
    cast(coalesce(sum(_persons), 0) as bigint) as persons,
    cast(coalesce(min(_persons), 0) as bigint) as smallest,
    cast(coalesce(sum(_persons) filter (where _persons < {{ k }}), 0) as bigint) as below
from sizes

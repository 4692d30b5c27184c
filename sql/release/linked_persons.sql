-- builds: linked_persons
-- reads: release, or records
-- one row: the file: the persons whom a pseudonym links across records, the size of the smallest group of them with as many rows in the same classes, and the persons in groups smaller than k
{% from "release/trails.jinja" import counted_trails %}
with places as (
    select
        {{ quasi_identifiers | idents | indent }},
        cast({{ column | ident }} as varchar) as _entity,
        count(*) as _rows,
        1 as _persons,
        1 as _few
    from {{ relation }}
    where cast({{ column | ident }} as varchar) <> ''
    group by all
),

{{ counted_trails(quasi_identifiers, k) }}

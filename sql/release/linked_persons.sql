-- builds: linked_persons
-- reads: release
-- one row: the written file: the persons whom a pseudonym links across records, the size of the smallest group of them with the same set of classes, and the persons in groups smaller than k
with places as (
    select distinct
        {% for qi in quasi_identifiers %}
        {{ qi | ident }},
        {% endfor %}
        cast({{ column | ident }} as varchar) as _entity
    from release
    where cast({{ column | ident }} as varchar) <> ''
),

numbered as (
    select
        _entity,
        dense_rank() over (order by {{ quasi_identifiers | map("ident") | join(", ") }}) as _class
    from places
),

trails as (
    select
        _entity,
        list(_class order by _class) as classes
    from numbered
    group by _entity
),

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

-- builds: shared_values
-- reads: records
-- one row: retained column: the persons with several rows, those of them with one value in all rows, the persons with a value, and those with a value of fewer than k persons
{% from "release/treatments.jinja" import alike %}
with cells as (
    select
        cast({{ entity | ident }} as varchar) as person,
        {{ alike(treatment) if treatment else column | ident }} as value
    from records
    where {{ entity | ident }} is not null
        and {{ column | ident }} is not null
),

persons as (
    select
        count(*) as _rows,
        count(distinct value) as _values
    from cells
    group by person
),

holders as (
    select count(distinct person) as _persons
    from cells
    group by value
)

select
    count(*) filter (where _rows > 1) as several,
    count(*) filter (where _rows > 1 and _values = 1) as constant,
    count(*) as persons,
    (select coalesce(sum(_persons) filter (where _persons < {{ k }}), 0) from holders) as of_few
from persons

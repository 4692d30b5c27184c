-- builds: leaving
-- reads: survivors
-- one row: the survivors at a node: their rows, and those of the classes that are too small for some set of columns
{% from "privacy/sets.jinja" import coded, radix, seen %}
{% set adversary = adversaries[0] %}
with classes as (
    select
        {{ keys | idents | indent }},
        cast(sum(_rows) as bigint) as _rows
    from survivors
    group by
        {{ keys | idents | indent }}
),

coded as (
    {{ coded("classes", adversary.known, adversary.are_codes) | indent }}
),

radix as (
    {{ radix(adversary.type) | indent }}
),

seen as (
    {{ seen("coded", adversary.sets) | indent }}
),

small as (
    select
        _set,
        _key
    from seen
    group by
        _set,
        _key
    having sum(_rows) < {{ adversary.k }}
),

failing as (
    select distinct seen._class
    from seen
    join small
        on seen._set = small._set
        and seen._key = small._key
)

select
    cast(coalesce(sum(coded._rows), 0) as bigint) as _rows,
    cast(coalesce(sum(coded._rows) filter (where failing._class is not null), 0) as bigint) as leaving
from coded
left join failing
    on coded._class = failing._class

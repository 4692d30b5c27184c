-- builds: singled_out
-- reads: classes
-- one row: the records of some classes: the fewest that share some set of columns, and those that some set of columns singles out
{% from "privacy/sets.jinja" import coded, radix, seen %}
with released as (
    select *
    from {{ relation }}
    where
        _rows > 0
        {% if fails is not none %}
        and {{ "_fails" if fails else "not _fails" }}
        {% endif %}
),

coded as (
    {{ coded("released", adversary.known) | indent }}
),

radix as (
    {{ radix(adversary.type) | indent }}
),

seen as (
    {{ seen("coded", adversary.sets) | indent }}
),

sizes as (
    select
        _set,
        _key,
        sum(_rows) as _rows
    from seen
    group by
        _set,
        _key
),

singles as (
    select distinct seen._class
    from seen
    join sizes
        on seen._set = sizes._set
        and seen._key = sizes._key
    where sizes._rows = 1
)

select
    cast(coalesce(min(_rows), 0) as bigint) as smallest,
    (select count(*) from singles) as uniques
from sizes

-- builds: small_sets
-- reads: present_classes
-- one row: the file: the fewest records that share some set of columns, the classes of sets with fewer than k, and the records in these
{% from "privacy/sets.jinja" import coded, radix, seen %}
with present as (
    select *
    from present_classes
    {% if left_out %}
    where not _suppressed
    {% endif %}
),

coded as (
    {{ coded("present", adversary.known) | indent }}
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

small as (
    select *
    from sizes
    where _rows < {{ adversary.k }}
),

failing as (
    select distinct seen._class
    from seen
    join small
        on seen._set = small._set
        and seen._key = small._key
)

select
    cast(coalesce((select min(_rows) from sizes), 0) as bigint) as smallest,
    (select count(*) from small) as failing_classes,
    cast(coalesce(sum(coded._rows), 0) as bigint) as failing_rows
from failing
join coded
    on failing._class = coded._class

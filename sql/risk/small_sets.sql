-- builds: small_sets
-- reads: classes
-- one row: the records of some classes: the fewest that share some set of columns, the classes of sets with fewer than k, and the records in these
{% from "privacy/sets.jinja" import failing, seen_sets, sizes %}
with chosen as (
    select *
    from {{ relation }}
    where
        _rows > 0
        {% if without is not none %}
        and not {{ without }}
        {% endif %}
),

{{ seen_sets("chosen", adversary) }},

sizes as (
    {{ sizes() | indent }}
),

small as (
    select *
    from sizes
    where _rows < {{ k }}
),

failing as (
    {{ failing() | indent }}
)

select
    cast(coalesce((select min(_rows) from sizes), 0) as bigint) as smallest,
    (select count(*) from small) as failing_classes,
    cast(coalesce(sum(coded._rows), 0) as bigint) as failing_rows
from failing
join coded
    on failing._class = coded._class

-- builds: newly_suppressed
-- reads: unsuppressed
-- one row: the unsuppressed combinations at a node: their rows, and those of the classes that are too small for some set of columns
{% from "privacy/sets.jinja" import failing, seen_sets, sizes %}
{% set adversary = adversaries[0] %}
with classes as (
    select
        {{ class_keys | idents | indent }},
        cast(sum(_rows) as bigint) as _rows
    from unsuppressed
    group by all
),

{{ seen_sets("classes", adversary) }},

small as (
    {{ sizes(adversary.k) | indent }}
),

failing as (
    {{ failing() | indent }}
)

select
    cast(coalesce(sum(coded._rows), 0) as bigint) as _rows,
    cast(coalesce(sum(coded._rows) filter (where failing._class is not null), 0) as bigint) as newly_suppressed
from coded
left join failing
    on coded._class = failing._class

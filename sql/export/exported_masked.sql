-- builds: exported_masked
-- reads: the table in the warehouse (perhaps lookup_<column>)
-- one row: row of the table that the saved recoding releases, with its labels, or masked if its class is too small
{% from "export/table.jinja" import relations with context %}
with
{{ relations() }},

{% filter trim %}{% include "export/evaluated.jinja" %}{% endfilter %},

failing as (
    select
        evaluated.*,
        case when {{ fails }} then 1 else 0 end as fails
    from evaluated_{{ models[-1].name }} as evaluated
),

reached as (
    select
        failing.*,
        -- classes join the failing ones in this order; a key of its own puts NULL last, because not every engine accepts `nulls last` here
        sum(_rows) over (
            order by
                fails desc nulls last,
                _rows nulls first{% for label in labels %},
                case when label_{{ label.number }} is null then 1 else 0 end nulls first,
                coalesce(label_{{ label.number }}, '') nulls first{% endfor +%}
            rows between unbounded preceding and current row
        ) as reach
    from failing
),

needed as (
    select
        max(fails) as fails,
        count(*) as classes
    from failing
),

masked as (
    select
        reached.*,
        1 as counts
    from reached
    cross join needed
    where needed.fails = 1
        and (reached.fails = 1 or reached.reach - reached._rows < {{ requirement.k }})
),

counted as (
    select count(*) as classes
    from masked
),

remaining as (
    select needed.classes - counted.classes as classes
    from needed
    cross join counted
),

final as (
    select
        {{ shown | join(",\n        ") }}
    from labelled
    left join masked
        on {{ same_labels("labelled", "masked") }}
    cross join remaining
    where remaining.classes > 0
)

select * from final

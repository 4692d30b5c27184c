-- builds: exported_masked
-- reads: the table in the warehouse (perhaps lookup_<column>)
-- one row: row of the table that the saved recoding releases, with its labels, or masked if its class is too small
{% from "export/labels.jinja" import same_labels %}
{% from "export/masked.jinja" import order, shown with context %}
{% from "export/table.jinja" import fails, relations with context %}
with
{{ relations() }},

{% filter trim %}{% include "export/judged.jinja" %}{% endfilter %},

failing as (
    select
        judged.*,
        case when {{ fails() }} then 1 else 0 end as fails
    from judged_{{ models | length }} as judged
),

reached as (
    select
        failing.*,
        sum(_rows) over (order by {{ order() }} rows between unbounded preceding and current row) as reach
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
        {% for one in released %}
        {{ shown(one) }} as {{ one.name | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from labelled
    left join masked
        on {{ same_labels(labels, "labelled", "masked") | indent(8) }}
    cross join remaining
    where remaining.classes > 0
)

select * from final

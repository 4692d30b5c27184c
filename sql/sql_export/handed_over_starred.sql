-- builds: handed_over
-- reads: the table in the warehouse
-- one row: row of it that the frozen recoding releases, with its labels, or with stars where its class is too small
{% from "sql_export/table.jinja" import relations with context %}
{# NULL stands last by a place of its own, since not every engine takes `nulls last` here #}
{% macro order() -%}
fails desc nulls last, class_rows nulls first{% for label in labels %}, case when label_{{ label.number }} is null then 1 else 0 end nulls first, coalesce(label_{{ label.number }}, '') nulls first{% endfor %}
{%- endmacro %}
{% macro splits() -%}
{% for one in released if one.leader and one.cell %} or count(distinct shown_{{ one.cell }}) + max(case when shown_{{ one.cell }} is null then 1 else 0 end) > 1{% endfor %}
{%- endmacro %}
with
{{ relations() }},

classes as (
    select
        {% for label in labels %}
        label_{{ label.number }},
        {% endfor %}
        count(*) as class_rows,
        case when count(*) < {{ promise.k }}{{ splits() }} then 1 else 0 end as fails
    from labelled
    group by
        {% for label in labels %}
        label_{{ label.number }}{{ "," if not loop.last }}
        {% endfor %}
),

reached as (
    select
        classes.*,
        sum(class_rows) over (order by {{ order() }} rows between unbounded preceding and current row) as reach
    from classes
),

needed as (
    select
        max(fails) as fails,
        count(*) as classes
    from classes
),

starred as (
    select
        {% for label in labels %}
        coalesce(label_{{ label.number }}, '') as label_{{ label.number }},
        case when label_{{ label.number }} is null then 1 else 0 end as is_null_{{ label.number }},
        {% endfor %}
        1 as counts
    from reached
    cross join needed
    where needed.fails = 1
        and (reached.fails = 1 or reached.reach - reached.class_rows < {{ promise.k }})
),

counted as (
    select count(*) as classes
    from starred
),

remaining as (
    select needed.classes - counted.classes as classes
    from needed
    cross join counted
),

final as (
    select
        {% for one in released %}
        {% if one.label %}
        case when starred.counts = 1 then {{ labels[one.label - 1].top | literal }} else labelled.label_{{ one.label }} end as {{ one.name | ident }}{{ "," if not loop.last }}
        {% elif one.shows == "star" %}
        '*' as {{ one.name | ident }}{{ "," if not loop.last }}
        {% elif one.leader %}
        case when starred.counts = 1 then '*' else labelled.shown_{{ one.cell }} end as {{ one.name | ident }}{{ "," if not loop.last }}
        {% else %}
        labelled.shown_{{ one.cell }} as {{ one.name | ident }}{{ "," if not loop.last }}
        {% endif %}
        {% endfor %}
    from labelled
    left join starred
        on {% for label in labels %}coalesce(labelled.label_{{ label.number }}, '') = starred.label_{{ label.number }}
        and case when labelled.label_{{ label.number }} is null then 1 else 0 end = starred.is_null_{{ label.number }}{{ "\n        and " if not loop.last }}{% endfor +%}
    cross join remaining
    where remaining.classes > 0
)

select * from final

-- builds: exported
-- reads: the table in the warehouse
-- one row: row of the table that the saved recoding releases, with its labels, or masked if its class is too small
{% from "sql_export/masked.jinja" import label_columns, order, same_labels, shown, splits with context %}
{% from "sql_export/table.jinja" import relations with context %}
with
{{ relations() }},

classes as (
    select
        {{ label_columns() | indent }},
        count(*) as class_rows,
        case when count(*) < {{ requirement.k }}{{ splits() }} then 1 else 0 end as fails
    from labelled
    group by
        {{ label_columns() | indent }}
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

masked as (
    select
        {% for label in labels %}
        coalesce(label_{{ label.number }}, '') as label_{{ label.number }},
        case when label_{{ label.number }} is null then 1 else 0 end as is_null_{{ label.number }},
        {% endfor %}
        1 as counts
    from reached
    cross join needed
    where needed.fails = 1
        and (reached.fails = 1 or reached.reach - reached.class_rows < {{ requirement.k }})
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
        on {{ same_labels() | indent }}
    cross join remaining
    where remaining.classes > 0
)

select * from final

-- builds: broken_classes
-- reads: the released table in the warehouse
-- one row: class that breaks the privacy guarantee
{% from "sql_export/table.jinja" import name %}
{% from "sql_export/judged.jinja" import judged, kept with context %}
with labelled as (
    select
        {% for label in labels %}
        shown.{{ label.name | ident }} as label_{{ label.number }},
        {% endfor %}
        {% for one in requirement.sensitives %}
        {{ "shown.%s + cast(0 as %s)" % (one.name | ident, one.floating) if one.floating else "shown." ~ (one.name | ident) }} as value_{{ one.number }},
        {% endfor %}
        {% for one in released if one.leader and one.cell %}
        shown.{{ one.name | ident }} as shown_{{ one.cell }},
        {% endfor %}
        1 as counts
    from {{ name(released_table) }} as shown
),

{{ judged("labelled") | trim }},

final as (
    select distinct
        {% for label in labels %}
        label_{{ label.number }} as {{ label.name | ident }},
        {% endfor %}
        class_rows as {{ rows_name | ident }}
    from {{ "ranked" if requirement.more_frequent else "measured" }}
    where not ({{ kept() | indent }})
)

select * from final

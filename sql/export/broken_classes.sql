-- builds: broken_classes
-- reads: a table in the warehouse (perhaps released)
-- one row: class that breaks the privacy guarantee
{% from "export/table.jinja" import fails, name with context %}
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

{% filter trim %}{% include "export/judged.jinja" %}{% endfilter %},

final as (
    select
        {% for label in labels %}
        judged.label_{{ label.number }} as {{ label.name | ident }},
        {% endfor %}
        judged._rows as {{ rows_name | ident }}
    from judged_{{ models | length }} as judged
    where {{ fails() }}
)

select * from final

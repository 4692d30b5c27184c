-- builds: broken_classes
-- reads: a table in the warehouse (perhaps released)
-- one row: class that breaks the privacy guarantee
with labelled as (
    select
        {{ labelled | join(",\n        ") }},
        1 as counts
    from {{ released_table }} as shown
),

{% filter trim %}{% include "export/evaluated.jinja" %}{% endfilter %},

final as (
    select
        {% for label in labels %}
        evaluated.label_{{ label.number }} as {{ label.name | ident }},
        {% endfor %}
        evaluated._rows as {{ rows_name | ident }}
    from evaluated_{{ models[-1].name }} as evaluated
    where {{ fails }}
)

select * from final

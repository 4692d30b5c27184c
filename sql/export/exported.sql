-- builds: exported
-- reads: the table in the warehouse (perhaps lookup_<column>)
-- one row: row of the table that the saved recoding releases, with its labels
{% from "export/table.jinja" import relations with context %}
with
{{ relations() }},

{% filter trim %}{% include "export/evaluated.jinja" %}{% endfilter %},

final as (
    select
        {{ shown | join(",\n        ") }}
    from labelled
    join evaluated_{{ models[-1].name }} as evaluated
        on {{ same_labels("labelled", "evaluated") }}
    where not ({{ fails }})
)

select * from final

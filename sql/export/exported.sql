-- builds: exported
-- reads: the table in the warehouse (perhaps lookup_<column>)
-- one row: row of the table that the saved recoding releases, with its labels
{% from "export/table.jinja" import relations with context %}
with
{{ relations() }},

{% filter trim %}{% include "export/judged.jinja" %}{% endfilter %},

final as (
    select
        {{ shown | join(",\n        ") }}
    from labelled
    join judged_{{ models | length }} as judged
        on {{ same_labels("labelled", "judged") }}
    where not ({{ fails }})
)

select * from final

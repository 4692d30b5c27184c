-- builds: exported
-- reads: the table in the warehouse (perhaps lookup_<column>)
-- one row: row of the table that the saved recoding releases, with its labels
{% from "export/labels.jinja" import same_labels %}
{% from "export/table.jinja" import fails, relations with context %}
with
{{ relations() }},

{% filter trim %}{% include "export/judged.jinja" %}{% endfilter %},

final as (
    select
        {% for one in released %}
        {{ "labelled.label_%d" % one.label if one.label else "'*'" if one.shows == "star" else "labelled.shown_%d" % one.cell }} as {{ one.name | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from labelled
    join judged_{{ models | length }} as judged
        on {{ same_labels(labels, "labelled", "judged") | indent(8) }}
    where not ({{ fails() }})
)

select * from final

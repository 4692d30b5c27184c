-- builds: exported
-- reads: the table in the warehouse
-- one row: row of the table that the saved recoding releases, with its labels
{% from "sql_export/table.jinja" import relations with context %}
{% from "sql_export/judged.jinja" import judged, kept with context %}
with
{{ relations() }},

{{ judged("labelled") | trim }},

final as (
    select
        {% for one in released %}
        {{ "label_%d" % one.label if one.label else "'*'" if one.shows == "star" else "shown_%d" % one.cell }} as {{ one.name | ident }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ "ranked" if requirement.more_frequent else "measured" }}
    where {{ kept() | indent }}
)

select * from final

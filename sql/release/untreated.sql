-- builds: untreated
-- reads: release
-- one row: the written file: its cells of each treated column that do not look as the treatment makes them
select
    {% for treatment in treatments %}
    {% set cell = "cast(%s as varchar)" % (treatment.column.name | ident) %}
    {% if treatment.kind == "pseudonym" %}
    count(*) filter (where {{ cell }} <> '' and not regexp_full_match({{ cell }}, '[0-9a-f]{32}')) as untreated_{{ loop.index0 }}{{ "," if not loop.last }}
    {% else %}
    count(*) filter (where {{ cell }} <> '' and not (contains({{ cell }}, '***') and length({{ cell }}) <= {{ treatment.first + treatment.last + 3 }})) as untreated_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from release

-- builds: untreated
-- reads: release
-- one row: the written file: for each treated column the cells that do not have the form of the treatment
{% from "release/treatments.jinja" import looks_treated %}
select
    {% for treatment in treatments %}
    {% set cell = "cast(%s as varchar)" % (treatment.column.name | ident) %}
    count(*) filter (where {{ cell }} <> '' and not {{ looks_treated(treatment, cell) }}) as untreated_{{ loop.index0 }}{{ "," if not loop.last }}
    {% endfor %}
from release

-- builds: passing
-- reads: remaining (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, shares_<column>, decided_entropies)
-- one row: class that a pass makes of what remains, and that satisfies the requirement; one of the population alone is judged as if it had a row
{% from "regions/classes_of.jinja" import classes_of, persons_of, values_of with context %}
with classes as (
    {{ classes_of("remaining", class_keys, empty=population) | indent }}
),
{% for sensitive in sensitives %}

{{ sensitive.histogram }} as (
    {{ (persons_of("remaining", class_keys, sensitive.column) if persons else values_of("remaining", class_keys, sensitive.column)) | indent }}
),
{% endfor %}

verdicts as (
{% include verdicts_template +%}
)

select *
from verdicts
where not _fails

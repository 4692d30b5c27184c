-- builds: verdicts
-- reads: placements (perhaps cell_entities, class_values_<column>, shares_<column>, decided_entropies)
-- one row: class of a local recoding, by its number, with its rows and whether it fails
{% from "local_recoding/classes_of.jinja" import classes_of with context %}
with classes as (
    {{ classes_of("placements", class_keys) | indent }}
),

verdicts as (
{% include verdicts_template +%}
)

select * from verdicts

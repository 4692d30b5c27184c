-- builds: possible_values
-- reads: combinations, combination_entities, repeated_persons, sensitive_<column>, value_entities_<column>, distribution_<column>, values_<column> (perhaps entropy_comparisons)
-- one row: person with rows in several released classes of a node: the values of each constant sensitive column that all these classes have, and whether they are too few
{% from "privacy/possible_values.jinja" import possible_values %}
{% from "privacy/classes.jinja" import members_of with context %}
with {% include "privacy/class_results.jinja" +%},

members as (
    {{ members_of(sets, class_keys) | indent }}
),

{{ possible_values("class_results", true, "members", class_keys, possible, known_text) }}

select * from final

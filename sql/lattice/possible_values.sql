-- builds: possible_values
-- reads: combinations, combination_entities, repeated_persons, sensitive_<column>, sensitive_entities_<column>, shares_<column>, values_<column> (perhaps entropy_comparisons)
-- one row: person with rows in several released classes of a node: the values of each constant sensitive column that all these classes have, and whether they are too few
{% from "privacy/possible_values.jinja" import possible_values %}
with {% include "lattice/verdicts.jinja" +%},

members as (
{% include "lattice/members.sql" +%}
),

{{ possible_values("verdicts", true, "members", class_keys, possible, known_text) }}

select * from final

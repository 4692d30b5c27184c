-- builds: passing
-- reads: remaining (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, shares_<column>, decided_entropies)
-- one row: class that a pass makes of what remains, and that satisfies the requirement; one of the population alone is judged as if it had a row
{% set relation, empty = "remaining", population %}
with {% include "local_recoding/judged.jinja" +%}

select *
from verdicts
where not _fails

-- builds: failing
-- reads: remaining (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: class of the fallback that does not satisfy the requirement at first
{% set relation, empty = "remaining", false %}
with {% include "local_recoding/judged.jinja" +%}

select *
from verdicts
where _fails

-- builds: passing
-- reads: remaining (perhaps cell_entities, cell_values_<column>, cell_value_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: class of a pass over the remaining rows that satisfies the requirement; a class with population rows only is judged as if it had one row
{% set relation, empty = "remaining", population %}
with {% include "local_recoding/judged.jinja" +%}

select *
from verdicts
where not _fails

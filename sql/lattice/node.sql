-- builds: node
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, decided_entropies)
-- one row: the node: its classes, and the rows of its failing classes
with {% include "lattice/verdicts.jinja" +%}

select
{% include "lattice/figures.jinja" %}
from verdicts

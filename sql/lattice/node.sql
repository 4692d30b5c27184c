-- builds: node
-- reads: combinations (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: the node: its classes, and the rows of its failing classes
with {% include "lattice/verdicts.jinja" +%}

select
{% include "lattice/figures.jinja" %}
from verdicts

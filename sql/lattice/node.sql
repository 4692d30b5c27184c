-- builds: node
-- reads: combinations or verdicts (perhaps combination_entities, sensitive_<column>, sensitive_entities_<column>, shares_<column>, entropy_comparisons)
-- one row: the node, or the local recoding: its classes, and the rows of its failing classes
{% if not are_judged %}
with {% include "privacy/verdicts.jinja" +%}

{% endif %}
select
{% include "lattice/figures.jinja" %}
from verdicts

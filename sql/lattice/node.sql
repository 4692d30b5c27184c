-- builds: node
-- reads: combinations or class_results (perhaps combination_entities, sensitive_<column>, value_entities_<column>, distribution_<column>, entropy_comparisons)
-- one row: the node, or the local recoding: its classes, and the rows of its failing classes
{% if not are_evaluated %}
with {% include "privacy/class_results.jinja" +%}

{% endif %}
select
{% include "lattice/figures.jinja" %}
from class_results

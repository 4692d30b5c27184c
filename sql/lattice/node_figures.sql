-- builds: node_figures
-- reads: packed_combinations or packed_sensitive_<column> (perhaps distribution_<column>, entropy_comparisons)
-- one row: node of one statement, by its number: its classes, and the rows of its failing classes
with {% include "lattice/nodes.jinja" +%}

select
    _node,
{% include "lattice/figures.jinja" %}

from class_results
group by _node
order by _node

-- builds: node_figures
-- reads: packed_combinations or packed_sensitive_<column> (perhaps shares_<column>, entropy_comparisons)
-- one row: node of one statement, by its number: its classes, and the rows of its failing classes
with {% include "lattice/nodes.jinja" +%}

select
    _node,
{% include "lattice/figures.jinja" %}

from verdicts
group by _node
order by _node

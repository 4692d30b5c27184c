-- builds: node_figures
-- reads: node_verdicts
-- one row: node of those decided together, by its number: its classes, and the rows that its failing classes hold
select
    _node,
{% include "lattice/figures.jinja" %}

from node_verdicts
group by _node
order by _node

-- builds: node_figures
-- reads: node_verdicts
-- one row: node of one statement, by its number: its classes, and the rows of its failing classes
select
    _node,
{% include "lattice/figures.jinja" %}

from node_verdicts
group by _node
order by _node

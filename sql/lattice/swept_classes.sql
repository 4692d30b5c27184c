-- builds: swept_classes
-- reads: packed_levels
-- one row: class of one node, and its rows
{% from "lattice/placed.jinja" import placed with context %}
select
    _key,
    cast(sum(_rows) as bigint) as _rows
from (
{{ placed(relation, ["_rows"]) -}}
) as placed
group by _key

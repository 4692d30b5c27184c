-- builds: remaining
-- reads: remaining or cells or packed_cells (perhaps passing, released)
-- one row: distinct set of quasi-identifier values that no pass has released yet, as label codes for each level, with its rows
{% from "privacy/same_class.jinja" import same_class %}
select *
from {{ relation }}
{% if without %}
anti join {{ without }}
    on {{ same_class(keys, relation, without) }}
{% endif %}

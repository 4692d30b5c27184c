-- builds: cell_value_entities_<column>
-- reads: sensitive_entities_<column>, cells (perhaps positions_<column>)
-- one row: distinct set of quasi-identifier values, by its number, sensitive value in it, as a code, and person who has the value in several sets
{% from "local_recoding/places.jinja" import in_cells %}
select
    cells._cell,
    sensitive._value,
    sensitive._entity
from {{ in_cells("%s as sensitive" % (("sensitive_entities_" ~ column) | ident), places) }}

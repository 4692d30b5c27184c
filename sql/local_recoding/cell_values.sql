-- builds: cell_values_<column>
-- reads: sensitive_<column>, cells (perhaps positions_<column>)
-- one row: distinct set of quasi-identifier values, by its number, and sensitive value in it, as a code, with its rows, or the persons who have the value only in this set
{% from "local_recoding/places.jinja" import in_cells %}
select
    cells._cell,
    sensitive._value,
    sensitive._value_rows
from {{ in_cells("%s as sensitive" % (("sensitive_" ~ column) | ident), places) }}

-- builds: in_cells
-- reads: cells, combination_entities or sensitive_<column> or value_entities_<column> (perhaps ordered_codes_<column>)
-- one row: distinct set of quasi-identifier values, by its number, with a person of several such sets, with a sensitive value and its rows (or the persons who have it only in this set), or with a sensitive value and a person who has it in several sets
{% from "local_recoding/places.jinja" import in_cells %}
select
    cells._cell,
    {{ columns | idents("seen") }}
from {{ in_cells("%s as seen" % (relation | ident), places) }}

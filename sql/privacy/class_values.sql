-- builds: class_values_<column>
-- reads: region_assignments or sides, cell_values_<column> (perhaps cell_value_entities_<column>)
-- one row: class of the recoding, or side of a possible cut, and sensitive value in it, as a code, with its rows, or the persons who have it
{% from "privacy/classes.jinja" import values_of with context %}
{{ values_of(sets, class_keys, column) }}

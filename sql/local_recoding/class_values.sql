-- builds: class_values_<column>
-- reads: placements, cell_values_<column> (perhaps cell_value_entities_<column>)
-- one row: class of the recoding and sensitive value in it, as a code, with its rows, or the persons who have it
{% from "local_recoding/classes_of.jinja" import persons_of, values_of with context %}
{{ persons_of("placements", ["_class_number"], column) if persons else values_of("placements", ["_class_number"], column) }}

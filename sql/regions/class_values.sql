-- builds: class_values_<column>
-- reads: placements, cell_values_<column>
-- one row: class of the recoding and sensitive value in it, as a code, with its rows
{% from "regions/classes_of.jinja" import values_of with context %}
{{ values_of("placements", ["_class_number"], column) }}

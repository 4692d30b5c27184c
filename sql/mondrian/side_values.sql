-- builds: side_values_<column>
-- reads: sides, cell_values_<column>
-- one row: way to cut a partition, side, and sensitive value on it, as a code, with its rows
{% from "regions/classes_of.jinja" import values_of with context %}
{{ values_of("sides", class_keys, column) }}

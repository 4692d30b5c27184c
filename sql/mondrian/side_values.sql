-- builds: side_values_<column>
-- reads: sides, cell_values_<column> (perhaps cell_value_entities_<column>)
-- one row: possible cut of a partition, side, and sensitive value on it, as a code, with its rows, or the persons who have it
{% from "local_recoding/classes_of.jinja" import persons_of, values_of with context %}
{{ persons_of("sides", class_keys, column) if persons else values_of("sides", class_keys, column) }}

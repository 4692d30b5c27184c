-- builds: side_classes
-- reads: sides (perhaps cell_entities)
-- one row: possible cut of a partition and side, as the class that it would form
{% from "local_recoding/classes_of.jinja" import classes_of with context %}
{{ classes_of("sides", class_keys) }}

-- builds: side_classes
-- reads: sides (perhaps cell_entities)
-- one row: possible cut of a partition and side, as the class that it would form
{% from "privacy/classes.jinja" import classes_of with context %}
{{ classes_of(sets, class_keys) }}

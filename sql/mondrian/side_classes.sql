-- builds: side_classes
-- reads: sides (perhaps cell_entities)
-- one row: way to cut a partition and side, as the class that it would be
{% from "local_recoding/classes_of.jinja" import classes_of with context %}
{{ classes_of("sides", class_keys) }}

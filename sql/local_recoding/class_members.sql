-- builds: class_members
-- reads: placements, cell_entities
-- one row: class of a local recoding, by its number, and person with records in several sets of quasi-identifier values
{% from "local_recoding/classes_of.jinja" import members_of with context %}
{{ members_of("placements", class_keys) }}

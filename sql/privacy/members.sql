-- builds: members
-- reads: combination_entities or region_assignments (perhaps cell_entities)
-- one row: equivalence class, as label codes or by its number, and person with records in several sets of quasi-identifier values
{% from "privacy/classes.jinja" import members_of with context %}
{{ members_of(sets, class_keys) }}

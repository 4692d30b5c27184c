"""The kinds of hierarchies: one module each. `sql/hierarchy/kinds` contains a template of the same name."""

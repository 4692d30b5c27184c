"""The kinds of hierarchies: one module each, with the template of the same name in `sql/hierarchy/kinds`."""

"""The kinds of hierarchies. Their templates are in `sql/hierarchy/kinds`."""

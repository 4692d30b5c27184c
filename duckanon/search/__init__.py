"""Choose a recoding: count the records, search a lattice or regions, explain alternatives."""

"""From records to a recoding: count, search a lattice or regions, explain alternatives."""

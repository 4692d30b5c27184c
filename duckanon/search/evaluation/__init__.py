"""Evaluate the nodes of a lattice for a search: figures, verdicts, budget, steps up and down."""

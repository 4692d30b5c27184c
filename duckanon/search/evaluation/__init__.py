"""Nodes of a lattice evaluated for a search: figures, verdicts, budget, steps up and back down."""

"""Lattice searches, one file a method."""

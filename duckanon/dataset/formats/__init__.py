"""Formats of inputs other than CSV, a module for each."""

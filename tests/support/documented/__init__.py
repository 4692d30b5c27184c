"""Runs the code blocks of the documentation as a reader would."""

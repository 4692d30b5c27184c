"""Shared parts of the tests: oracles, builders, and one way to run the command line. It has no tests."""

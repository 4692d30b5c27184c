"""The input: what was named, which files that is, how they are opened as the relation `source`."""

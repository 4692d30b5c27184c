"""What a release costs: exact figures of a node, and the objectives that the search minimizes."""

"""Information loss: exact figures of a node, and the objectives that a search minimizes."""

"""The studio: a local page on which a person decides about a release by looking. Its server listens on loopback only."""

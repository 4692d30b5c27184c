"""The studio: a local page that shows the effect of each decision about a release. Its server listens on loopback only."""

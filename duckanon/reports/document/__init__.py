"""The account of a run: all that its report shows, as one document; internal, and as it may be published."""

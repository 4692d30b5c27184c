"""The utility of a release: distributions, suppression by subgroup, associations, and errors of count queries."""

"""From records to the choice: combinations counted, a lattice or regions searched, and what else could have been chosen."""

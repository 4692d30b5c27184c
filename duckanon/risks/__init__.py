"""How likely it is that a record is told apart: attackers, estimates of the population, and what each column adds."""

"""Re-identification risk: attackers, estimates of the population, the contribution of each column."""

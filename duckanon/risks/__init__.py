"""Re-identification risk: adversary models, estimates of the population, the contribution of each column."""

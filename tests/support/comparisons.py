"""The cases of Table 1.3 in one comparison."""

KS, LIMITS = (2, 5, 10, 20, 50, 100), ("0", "20", "100")

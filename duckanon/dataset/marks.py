"""Texts that often stand for a missing value."""

USUAL_MARKS = (
    "?",
    "NA",
    "N/A",
    "n/a",
    "null",
    "NULL",
    "None",
    "nan",
    "NaN",
    "-",
    "--",
    ".",
    "",
    "unknown",
    "Unknown",
    "missing",
)
"""Texts that often stand for a missing value."""

FOLDED_MARKS = tuple(sorted({mark.casefold() for mark in USUAL_MARKS}))
"""The same in lower case."""

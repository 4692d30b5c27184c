"""Dates and numbers as a country writes them, which are text here: to be told, so that somebody writes them otherwise."""

import re
from collections.abc import Sequence

_LEAST_EXAMPLES = 5
_MOST = 0.8
"""Of the examples, so many must be written so."""

_WAYS = (
    (
        re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})"),
        "its dates are written as 31.12.2020, which is text here; write them as 2020-12-31 to have them read as dates",
    ),
    (
        re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+),\d{1,4}"),
        "its numbers are written with decimal commas, which is text here; write them with points to have them read as numbers",
    ),
)


def foreign(texts: Sequence[str]) -> str | None:
    """What is to be said of different values of a column of text; None where they are as they should be, or fewer than five."""
    if len(texts) < _LEAST_EXAMPLES:
        return None
    for pattern, notation in _WAYS:
        if sum(pattern.fullmatch(text) is not None for text in texts) >= _MOST * len(texts):
            return notation
    return None

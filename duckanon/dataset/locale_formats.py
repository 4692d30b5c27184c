"""Dates and numbers in a national format that stay text, since the format is not certain: what to do about them."""

import re
from collections.abc import Sequence

_LEAST_EXAMPLES = 5
_MOST = 0.8
"""Share of the examples that must have the format."""

_WAYS = (
    (
        re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})"),
        "its dates are text, written as 31.12.2020 or in an order that is not certain; give --dates day-first or --dates month-first",
    ),
    (
        re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+),\d{1,4}"),
        "its numbers seem to have decimal commas, and are text here; give --decimal comma to have them read as numbers",
    ),
)


def foreign(texts: Sequence[str]) -> str | None:
    """The advice about a column of text, by different values of it; None if few of them, or fewer than five values, have such a format."""
    if len(texts) < _LEAST_EXAMPLES:
        return None
    for pattern, notation in _WAYS:
        if sum(pattern.fullmatch(text) is not None for text in texts) >= _MOST * len(texts):
            return notation
    return None

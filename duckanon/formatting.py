"""Formats of numbers and lists in messages, summaries and reports."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

_MOST_LISTED = 12


def first_of(items: Sequence[str]) -> str:
    """The items of a list for a message: at most twelve, and the number of the others."""
    more = len(items) - _MOST_LISTED
    return ", ".join(items[:_MOST_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def shortened(items: Iterable[str], characters: int = 60, separator: str = ", ") -> str:
    """The first items whose text has at most so many characters, at least one, and the number of the others."""
    items = [*items]
    ends = accumulate(len(item) + len(separator) for item in items)
    shown = max(1, sum(end - len(separator) <= characters for end in ends))
    more = len(items) - shown
    return separator.join(items[:shown]) + (f" and {more:,} more" if more > 0 else "")


def in_rows(count: int) -> str:
    """A number of rows as text."""
    return "1 row" if count == 1 else f"{count:,} rows"


def malformed(count: int) -> str:
    """How messages count malformed lines."""
    return "1 malformed line is" if count == 1 else f"{count:,} malformed lines are"


def figure(number: float | None, *, beside: float | None = None) -> str:
    """A figure with three significant digits, or with as many as distinguish it from the figure `beside` it; None means unbounded."""
    if number is None:
        return "unbounded"
    if float(number).is_integer():
        return f"{int(number):,}"
    texts = (_rounded(number, digits) for digits in range(3, 18))
    return next(text for text in texts if number == beside or float(text.replace(",", "")) != beside)


def _rounded(number: float, digits: int) -> str:
    """A number with this many significant digits; all digits before the decimal point are shown."""
    return f"{number:,.0f}" if abs(number) >= 10 ** (digits - 1) else f"{number:,.{digits}g}"


def percent(share: float) -> str:
    """A share as a percentage with at most one decimal; neither 0% nor 100% if it is between them."""
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{share:.1%}".replace(".0%", "%")


def aligned(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> list[str]:
    """Rows as lines with two spaces between columns; `right` has the positions of the right-aligned columns."""
    widths = [max(len(row[place]) for row in rows if place < len(row)) for place in range(max(map(len, rows), default=0))]
    return [
        "  ".join(
            cell.rjust(widths[place]) if place in right else cell.ljust(widths[place]) for place, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]


def check_name(check: Mapping[str, Any]) -> str:
    """The heading of a privacy model: its variant and its name."""
    variety = [check[key] for key in ("variant", "distance", "values", "bound") if key in check and check[key] != "all"]
    return " ".join([*variety, check["model"]])

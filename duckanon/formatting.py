"""How messages, summaries and reports write numbers and lists."""

from collections.abc import Sequence

_MOST_LISTED = 12


def first_of(items: Sequence[str]) -> str:
    """Items of a message, of many the first twelve and how many more there are."""
    more = len(items) - _MOST_LISTED
    return ", ".join(items[:_MOST_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def in_rows(count: int) -> str:
    """A number of rows."""
    return "1 row" if count == 1 else f"{count:,} rows"


def figure(number: float | None) -> str:
    """A figure as people read it; one that nothing bounds is called unbounded."""
    if number is None:
        return "unbounded"
    return f"{number:,}" if isinstance(number, int) else f"{number:.6g}"

"""Detect text that is a number, a date or a code, by the shape of its values."""

from dataclasses import dataclass
from typing import Any, Literal

from duckanon.dataset.dates import LOOKS_LIKE_DATE
from duckanon.dataset.missing import FOLDED_MARKS
from duckanon.dataset.types import AMOUNT
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.suggestion.values import CountedValues, coarser

Reading = Literal["number", "date", "week", "year-last", "code", "text"]

_LONGEST_CODE = 24


@dataclass(frozen=True)
class Shape:
    """The numbers of values that can be read as each type, and the longest value."""

    values: int
    numbers: int
    marks: int
    """Marks of missing values."""
    dates: int
    weeks: int
    """Dates that are weeks, as 2020-W53."""
    years_last: int
    """Dates as 31.12.2020 or 12/31/2020."""
    dated: int
    """Values that look like dates or amounts: their first characters are no groups."""
    codes: int
    """Values of letters, digits and a few other characters, with at least one digit and at most one blank."""
    longest: int


def shape_of(engine: Engine, column: Column) -> Shape:
    """The shape of `values_<column>`."""
    [row] = engine.query(
        render("hierarchy/suggestion/shape", column=column.name, marks=FOLDED_MARKS, looks=LOOKS_LIKE_DATE, amount=AMOUNT)
    )
    return Shape(*map(int, row))


def reading(shape: Shape) -> Reading:
    """The type as which all values can be read; codes if nearly all values look like codes."""
    if shape.numbers and shape.numbers + shape.marks == shape.values:
        return "number"
    if shape.dates == shape.values:
        return "week" if shape.weeks else "date"
    if 10 * shape.years_last >= 9 * shape.values:
        return "year-last"
    if 2 * shape.dated < shape.values and 10 * shape.codes >= 9 * shape.values and shape.longest <= _LONGEST_CODE:
        return "code"
    return "text"


def year_last() -> tuple[dict[str, Any], str]:
    """A hierarchy that hides first the day, or whatever comes first, and then the month."""
    content = {"kind": "redaction", "length": len("31.12.2020"), "align": "right", "redact": "left", "steps": [3, 6]}
    return content, "dates that end in the year; the part before the year is hidden first"


def beginnings(engine: Engine, column: Column, counted: CountedValues, shape: Shape) -> tuple[dict[str, Any], str] | None:
    """The lengths of shared prefixes, each with clearly fewer groups than the one before; None if no length groups the codes."""
    lengths = list(range(shape.longest - 1, 0, -1))
    if not lengths:
        return None
    [counts] = engine.query(render("hierarchy/suggestion/beginnings", column=column.name, lengths=lengths))
    steps = [shape.longest - length for length in coarser(lengths, counts, counted.values)]
    if not steps:
        return None
    return (
        {"kind": "redaction", "length": shape.longest, "steps": steps},
        "codes with shared prefixes; the last characters are hidden first",
    )

"""Calendar labels in SQL: a sequence of texts and fields of a date."""

import re
from dataclasses import dataclass

from duckanon.engine.protocol import Column
from duckanon.errors import JobError
from duckanon.hierarchy.kinds.dates import Dates
from duckanon.workflows.sql_export.bounds import Bound, last_moment
from duckanon.workflows.sql_export.ranges import LabelRange

_YEARS = {"decade": 10, "century": 100, "millennium": 1000}
_FINENESS = {
    "year": 0,
    "quarter": 1,
    "quarter-of-year": 1,
    "month": 2,
    "month-of-year": 2,
    "day": 3,
    "hour": 4,
    "minute": 5,
    "second": 6,
}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Piece:
    """A part of a label: a text, or a field of the date as a name, with a number of digits, or as a range of years."""

    text: str | None = None
    field: str = ""
    names: tuple[str, ...] = ()
    digits: int = 0
    years: int = 0
    plus: int = 0


_MARKS = {
    "%Y": (0, Piece(field="year", digits=4), None),
    "%q": (1, Piece(field="quarter"), "1"),
    "%m": (2, Piece(field="month", digits=2), "01"),
    "%B": (2, Piece(field="month", names=_MONTHS), "January"),
    "%b": (2, Piece(field="month", names=tuple(name[:3] for name in _MONTHS)), "Jan"),
    "%d": (3, Piece(field="day", digits=2), "01"),
    "%H": (4, Piece(field="hour", digits=2), "00"),
    "%M": (5, Piece(field="minute", digits=2), "00"),
    "%S": (6, Piece(field="second", digits=2), "00"),
}
"""For each mark: its fineness, its piece, and its text at the start of a longer unit."""


def pieces_of(column: Column, spec: Dates, level: int) -> tuple[Piece, ...]:
    """The pieces of a level's labels; raises `JobError` if some engine cannot express one of its marks."""
    unit = spec.units[level - 1]
    if unit in _YEARS:
        years = _YEARS[unit]
        return (
            Piece("["),
            Piece(field="year", years=years),
            Piece(", "),
            Piece(field="year", years=years, plus=years),
            Piece(")"),
        )
    if unit not in _FINENESS:
        raise _refused(column, unit, f"units of {unit}")
    pattern = "".join("%q" if piece is None else piece for piece in spec.patterns[unit])
    pieces = []
    for mark in re.findall(r"%.|[^%]+", pattern, re.DOTALL):
        if not mark.startswith("%"):
            pieces.append(Piece(mark))
        elif mark == "%%":
            pieces.append(Piece("%"))
        elif mark not in _MARKS or (mark in ("%m", "%B", "%b") and _FINENESS[unit] == 1):
            raise _refused(column, unit, f"{mark!r} in the format of {unit}")
        else:
            fineness, piece, begin = _MARKS[mark]
            is_fixed = fineness > min(_FINENESS[unit], 3 if column.type == "DATE" else 6)
            pieces.append(Piece(begin) if is_fixed else piece)
    return tuple(pieces)


def covered(column: Column, spec: Dates) -> tuple[Bound, Bound | None, Bound | None]:
    """The first covered date, the first date after the covered range, and the last date if the range has no end."""
    low, high = spec.range.ends[0] if spec.range else (None, None)
    type = _type(column, spec)
    least = Bound("0001-01-01" if low is None else str(low), type)
    return least, None if high is None else Bound(str(high), type), last_moment(type) if high is None else None


def ranges_of(column: Column, spec: Dates) -> tuple[LabelRange, ...]:
    """The bottom-coded and top-coded ranges around the calendar labels."""
    if spec.range is None:
        return ()
    label, (low, high), _ = spec.range.ends
    type = _type(column, spec)
    below = [LabelRange(Bound(str(low), type), f"<{low}")] if low is not None and low != label[0] else []
    if high is None or high == label[1]:
        return (*below, LabelRange(None, None)) if below else ()
    return (*below, LabelRange(Bound(str(high), type), None), LabelRange(None, f">={high}"))


def read_as(column: Column, spec: Dates) -> str | None:
    """The type in which a column is compared, if it is not its own."""
    return "timestamp" if column.type == "DATE" and _has_times(spec) else None


def _type(column: Column, spec: Dates) -> str:
    return "date" if column.type == "DATE" and not _has_times(spec) else "timestamp"


def _has_times(spec: Dates) -> bool:
    return spec.range is not None and any(len(str(bound)) > len("2020-01-31") for bound in spec.range.bounds)


def _refused(column: Column, unit: str, what: str) -> JobError:
    return JobError(
        f"the hierarchy of column {column.name!r} (kind: dates, {unit}) prints {what}, which engines compute differently; "
        f"release again with other units or formats, or use duckanon apply"
    )

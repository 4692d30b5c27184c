"""Dates and timestamps by parts of the calendar."""

import re
from datetime import date, datetime
from itertools import pairwise
from typing import Any, ClassVar, Literal, get_args

from pydantic import Field, field_validator, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.errors import HierarchyError, did_you_mean
from duckanon.hierarchy.base import MOST_LEVELS, Functional
from duckanon.hierarchy.bounds import IntervalRange
from duckanon.hierarchy.lookup import Lookup, lookup_statement

Unit = Literal[
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "week-of-year",
    "week-year",
    "weekday",
    "month",
    "month-of-year",
    "quarter",
    "quarter-of-year",
    "year",
    "decade",
    "century",
    "millennium",
]
UNITS: tuple[str, ...] = get_args(Unit)

_WITHIN: dict[str, tuple[str, ...]] = {
    "second": ("minute",),
    "minute": ("hour",),
    "hour": ("day",),
    "day": ("week", "weekday", "month"),
    "week": ("week-of-year", "week-year"),
    "month": ("month-of-year", "quarter"),
    "month-of-year": ("quarter-of-year",),
    "quarter": ("quarter-of-year", "year"),
    "year": ("decade",),
    "decade": ("century",),
    "century": ("millennium",),
}
"""The next units that hold whole ones of a unit: a week lies in one ISO year, but not in one month."""

_FORMATS = {
    "second": "%Y-%m-%d %H:%M:%S",
    "minute": "%Y-%m-%d %H:%M",
    "hour": "%Y-%m-%d %H:00",
    "day": "%Y-%m-%d",
    "week": "%G-W%V",
    "week-of-year": "W%V",
    "week-year": "%G",
    "weekday": "%A",
    "month": "%Y-%m",
    "month-of-year": "%B",
    "quarter": "%Y-Q%q",
    "quarter-of-year": "Q%q",
    "year": "%Y",
}
_MARKS = "aAbBdGHIjmMpqSuVwyY%"
_MARK = re.compile(r"%(.?)", re.DOTALL)


class Dates(Functional):
    """Dates and timestamps by growing parts of the calendar; weeks are those of ISO 8601."""

    WHAT = "dates and timestamps by parts of the calendar"
    PARTS: ClassVar = {"range": IntervalRange}

    kind: Literal["dates"] = "dates"
    units: list[Unit] = Field(min_length=1, max_length=MOST_LEVELS)
    """From narrow to wide, a level each."""
    formats: dict[Unit, str] = Field({})
    """How a unit is printed: a pattern of `strftime`, in which `%q` is the quarter."""
    range: IntervalRange | None = None

    @field_validator("units")
    @classmethod
    def _growing_units(cls, units: list[str]) -> list[str]:
        for narrow, wide in pairwise(units):
            if wide not in _above(narrow):
                above = ", ".join(unit for unit in UNITS if unit in _above(narrow)) or "the top alone"
                raise ValueError(f"{wide} does not hold whole units of {narrow}; above {narrow} may stand {above}")
        return units

    @field_validator("formats", mode="before")
    @classmethod
    def _formatted(cls, formats: Any) -> Any:
        for unit, pattern in formats.items() if isinstance(formats, dict) else ():
            if unit not in _FORMATS:
                raise ValueError(f"{unit!r} has no format of its own{did_you_mean(str(unit), _FORMATS)}")
            for mark in _MARK.findall(str(pattern)):
                if mark not in _MARKS or not mark:
                    raise ValueError(
                        f"'%{mark}' of {unit} is no mark of a date; they are {' '.join(f'%{known}' for known in _MARKS)}"
                    )
        return formats

    @property
    def patterns(self) -> dict[str, list[str | None]]:
        """Patterns of `strftime` for each unit that has one, with None where the quarter stands between them."""
        return {unit: _pieces(self.formats.get(unit, _FORMATS[unit])) for unit in self.units if unit in _FORMATS}

    @model_validator(mode="after")
    def _on_dates(self) -> "Dates":
        if self.range is not None:
            if self.range.repeat is not None:
                raise ValueError("range.repeat: the calendar repeats by itself; keep snap and label")
            for bound in self.range.bounds:
                if not isinstance(bound, date | datetime):
                    raise ValueError(f"range: {bound} is no date; write 1950-01-01")  # noqa: TRY004
        return self

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        if not (column.is_date or column.is_text):
            raise HierarchyError(
                f"dates need a date or timestamp, but column {column.name!r} is {column.type}; give it a value table"
            )
        label, snap, _ = self.range.ends if self.range else ((None, None),) * 3
        least, beyond, below, above = (None if end is None else str(end) for end in (*label, *snap))
        ends = {
            "least": least,
            "beyond": beyond,
            "below": below if below != least else None,
            "above": above if above != beyond else None,
        }
        parameters = {
            "units": self.units,
            "patterns": self.patterns,
            "top": self.top,
            "read": "text" if column.is_text else "value",
            **ends,
        }
        units = len(self.units)
        return Lookup(lookup_statement("dates", column, **parameters), units + 1, top=self.top, rule=self, groups=units)


def _pieces(pattern: str) -> list[str | None]:
    marks = re.findall(r"%.|[^%]+", pattern, re.DOTALL)
    pieces: list[str | None] = []
    for mark in marks:
        if mark == "%q":
            pieces.append(None)
        elif pieces and pieces[-1] is not None:
            pieces[-1] += mark
        else:
            pieces.append(mark)
    return pieces


def _above(unit: str) -> set[str]:
    """The units that hold whole ones of a unit, however far above."""
    return {wider for near in _WITHIN.get(unit, ()) for wider in {near, *_above(near)}}

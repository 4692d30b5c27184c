"""Dates and timestamps, generalized by units of the calendar."""

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
"""The units into which each unit fits without being split: a week is in one ISO year, but may be in two months."""

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
    """Dates and timestamps by increasing units of the calendar. Weeks follow ISO 8601."""

    WHAT = "dates and timestamps by units of the calendar"
    PARTS: ClassVar = {"range": IntervalRange}

    kind: Literal["dates"] = "dates"
    units: list[Unit] = Field(min_length=1, max_length=MOST_LEVELS)
    """One unit per level, from narrow to wide."""
    formats: dict[Unit, str] = Field({})
    """The format of a unit: a `strftime` pattern in which `%q` is the quarter."""
    range: IntervalRange | None = None

    @field_validator("units")
    @classmethod
    def _growing_units(cls, units: list[str]) -> list[str]:
        for narrow, wide in pairwise(units):
            if wide not in _above(narrow):
                above = ", ".join(unit for unit in UNITS if unit in _above(narrow)) or "only the top"
                raise ValueError(f"a {wide} can split a {narrow}; above {narrow} use {above}")
        return units

    @field_validator("formats", mode="before")
    @classmethod
    def _formatted(cls, formats: Any) -> Any:
        for unit, pattern in formats.items() if isinstance(formats, dict) else ():
            if unit not in _FORMATS:
                raise ValueError(f"unit {unit!r} has no format{did_you_mean(str(unit), _FORMATS)}")
            for mark in _MARK.findall(str(pattern)):
                if mark not in _MARKS or not mark:
                    raise ValueError(
                        f"'%{mark}' of {unit} is not a date format code; use {' '.join(f'%{known}' for known in _MARKS)}"
                    )
        return formats

    @property
    def patterns(self) -> dict[str, list[str | None]]:
        """For each unit with a format, the `strftime` patterns around the quarter; None marks the position of the quarter."""
        return {unit: _pieces(self.formats.get(unit, _FORMATS[unit])) for unit in self.units if unit in _FORMATS}

    @model_validator(mode="after")
    def _on_dates(self) -> "Dates":
        if self.range is not None:
            if self.range.repeat is not None:
                raise ValueError("range.repeat: the calendar already repeats; keep only snap and label")
            for bound in self.range.bounds:
                if not isinstance(bound, date | datetime):
                    raise ValueError(f"range: {bound} is not a date; write it as 1950-01-01")  # noqa: TRY004
        return self

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        if not (column.is_date or column.is_text):
            raise HierarchyError(
                f"dates need a date or timestamp, but column {column.name!r} is {column.type}; use a value table for it"
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
    """All units into which a unit fits without being split."""
    return {wider for near in _WITHIN.get(unit, ()) for wider in {near, *_above(near)}}

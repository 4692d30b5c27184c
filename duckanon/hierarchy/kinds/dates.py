"""Dates and timestamps, generalized by units of the calendar."""

import re
from datetime import date, datetime
from itertools import pairwise
from typing import Any, ClassVar, Literal, get_args

from pydantic import Field, field_validator, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal
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
_YEARS = {"decade": 10, "century": 100, "millennium": 1000}
_NUMBERS = {
    "week-of-year": ("week", "weekofyear(moment)"),
    "week-year": ("week", "isoyear(moment)"),
    "weekday": ("day", "isodow(moment)"),
    "month-of-year": ("month", "extract(month from moment)"),
    "quarter-of-year": ("quarter", "extract(quarter from moment)"),
}
"""For units that repeat or have another start: the unit that is formatted, and the SQL of the number of a moment's period."""
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

    @model_validator(mode="after")
    def _on_dates(self) -> "Dates":
        if self.range is not None:
            if self.range.repeat is not None:
                raise ValueError("range.repeat: the calendar already repeats; keep only snap and label")
            for bound in self.range.bounds:
                if not isinstance(bound, date | datetime):
                    raise ValueError(f"range: {bound} is not a date; write it as 1950-01-01")  # noqa: TRY004
        return self

    def lookup(self, engine: Engine, column: Column, *, is_exported: bool = False) -> Lookup:
        """Dates of the years -4712 to 99999, or for other engines (`is_exported`) of the years 1 to 9999."""
        if not (column.is_date or column.is_text):
            raise HierarchyError(
                f"dates need a date or timestamp, but column {column.name!r} is {column.type}; use a value table for it"
            )
        bounds, (low, high), _ = self.range.ends if self.range else ((None, None),) * 3
        first, last = ("0001-01-01", "9999-12-31 23:59:59.999999") if is_exported else ("4713-01-01 (BC)", "100000-01-01")
        coded = _coded(low if low != bounds[0] else None, high if high != bounds[1] else None)
        periods = [self._period(unit) for unit in self.units]
        if coded is not None:
            periods = [(f"coalesce(coded, {label})", f"coalesce(coded, {number})") for label, number in periods]
        parameters = {
            "periods": periods,
            "top": self.top,
            "reads_text": column.is_text,
            "least": first if bounds[0] is None else str(bounds[0]),
            "beyond": last if bounds[1] is None else str(bounds[1]),
            "coded": coded or "cast(null as varchar)",
        }
        units = len(self.units)
        return Lookup(lookup_statement("dates", column, **parameters), units + 1, top=self.top, rule=self, groups=units)

    def _period(self, unit: Unit) -> tuple[str, str]:
        """The SQL of the label and of the number of the period that contains a moment."""
        if unit in _YEARS:
            years = _YEARS[unit]
            first = f"extract(year from moment) - (extract(year from moment) % {years} + {years}) % {years}"
            label = f"'[' || cast({first} as varchar) || ', ' || cast({first} + {years} as varchar) || ')'"
            return label, f"cast({first} as varchar)"
        truncated, number = _NUMBERS.get(unit, (unit, f"date_trunc('{unit}', moment)"))
        pieces = [
            "cast(quarter(moment) as varchar)"
            if piece == "%q"
            else f"strftime(date_trunc('{truncated}', moment), {literal(piece)})"
            for piece in re.findall(r"%q|(?:%[^q]|[^%])+", self.formats.get(unit, _FORMATS[unit]), re.DOTALL)
        ]
        return " || ".join(pieces) or "''", f"cast({number} as varchar)"


def _coded(below: Any, above: Any) -> str | None:
    """The SQL of the labels below and above a range, which is NULL within it; None if there are none."""
    whens = [] if below is None else [f"when moment < cast({literal(str(below))} as timestamp) then {literal(f'<{below}')}"]
    whens += [] if above is None else [f"when moment >= cast({literal(str(above))} as timestamp) then {literal(f'>={above}')}"]
    return f"case {' '.join(whens)} end" if whens else None


def _above(unit: str) -> set[str]:
    """All units into which a unit fits without being split."""
    return {wider for near in _WITHIN.get(unit, ()) for wider in {near, *_above(near)}}

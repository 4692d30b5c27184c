"""Dates and timestamps by parts of the calendar."""

from datetime import date, datetime
from itertools import pairwise
from typing import Any, Literal, get_args

from pydantic import Field, field_validator, model_validator

from duckanon.errors import did_you_mean
from duckanon.hierarchy.base import MOST_LEVELS, Functional
from duckanon.hierarchy.bounds import Range

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

_FORMATTED = UNITS[: UNITS.index("year") + 1]


class Dates(Functional):
    """Dates and timestamps by growing parts of the calendar; weeks are those of ISO 8601."""

    WHAT = "dates and timestamps by parts of the calendar"

    kind: Literal["dates"] = "dates"
    units: list[Unit] = Field(min_length=1, max_length=MOST_LEVELS)
    formats: dict[Unit, str] = Field({})
    """How a unit is printed: a pattern of `strftime`, in which `%q` is the quarter."""
    range: Range | None = None

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
        for unit in formats if isinstance(formats, dict) else ():
            if unit not in _FORMATTED:
                raise ValueError(f"{unit!r} has no format of its own{did_you_mean(str(unit), _FORMATTED)}")
        return formats

    @model_validator(mode="after")
    def _on_dates(self) -> "Dates":
        if self.range is not None:
            if self.range.repeat is not None:
                raise ValueError("range.repeat: the calendar repeats by itself; keep snap and label")
            for bound in self.range.bounds:
                if not isinstance(bound, date | datetime):
                    raise ValueError(f"range: {bound} is no date; write 1950-01-01")  # noqa: TRY004
        return self


def _above(unit: str) -> set[str]:
    """The units that hold whole ones of a unit, however far above."""
    return {wider for near in _WITHIN.get(unit, ()) for wider in {near, *_above(near)}}

"""Forms in which a direct identifier can be released: pseudonym, mask, shifted dates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, model_validator

from duckanon.choices import PseudonymScope
from duckanon.engine.protocol import Column
from duckanon.hierarchy.base import HierarchyModel

Unit = Literal["days", "weeks", "years"]


class Pseudonym(HierarchyModel):
    """The first 128 bits of the HMAC-SHA-256 of a value, with a key for the release and the domain."""

    domain: Annotated[str, Field(min_length=1)] | None = None
    """Columns of the same domain have the same pseudonym for the same value; default: the name of the column."""
    scope: PseudonymScope = "release"
    """Where equal values have equal pseudonyms: in the whole release, or only within an equivalence class."""


class Mask(HierarchyModel):
    """Stars, except for the first and the last characters of the value."""

    first: Annotated[int, Field(ge=0, le=100)] = 0
    """The number of characters to show at the start."""
    last: Annotated[int, Field(ge=0, le=100)] = 0
    """The number of characters to show at the end."""


class Shift(HierarchyModel):
    """Dates moved by a number of days, weeks or years that is derived from the key for each person: the same number for all dates of a person."""

    days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    """The maximum number of days, forward or back; dates are never moved by 0 days."""
    weeks: Annotated[int, Field(ge=1, le=5_200)] | None = None
    """The same in weeks, which keep the day of the week."""
    years: Annotated[int, Field(ge=1, le=100)] | None = None
    """The same in years, which keep the season; 29 February becomes 28 February."""
    truncate: bool = False
    """Whether the time of day becomes midnight."""
    by: str | None = None
    """The column that identifies persons; default: the `entity` of the job."""

    @model_validator(mode="after")
    def _one_unit(self) -> "Shift":
        if sum(number is not None for number in (self.days, self.weeks, self.years)) != 1:
            raise ValueError("needs one of days, weeks and years, such as days: 180")
        return self

    @property
    def unit(self) -> Unit:
        return "days" if self.days is not None else "weeks" if self.weeks is not None else "years"

    @property
    def most(self) -> int:
        """The maximum number of days, weeks or years."""
        return self.days or self.weeks or self.years or 0


def shift_of(text: int | str) -> dict[str, Any]:
    """The shift of `NUMBER[:days|weeks|years][:truncate]`, as in a job; raises `ValueError`."""
    number, *words = str(text).split(":")
    truncates = words[-1:] == ["truncate"]
    unit, *others = [*words[: len(words) - truncates], "days"] if len(words) == truncates else words[: len(words) - truncates]
    if others or unit not in get_args(Unit) or not number.strip().isdecimal():
        raise ValueError(
            f"{text!r} is not a shift; write the greatest number of days, weeks or years, such as 180, 26:weeks, 3:years or 180:days:truncate"
        )
    return {unit: int(number)} | ({"truncate": True} if truncates else {})


def _switched(given: Any) -> Any:
    """Convert true to a treatment with its defaults, and false to None."""
    if isinstance(given, bool):
        return {} if given else None
    return given


AnyPseudonym = Annotated[Pseudonym | None, BeforeValidator(_switched)]
AnyMask = Annotated[Mask | None, BeforeValidator(_switched)]

Kind = Literal["pseudonym", "mask", "shift"]
_DAYS = {"days": 1, "weeks": 7, "years": 366}


@dataclass(frozen=True)
class Treatment:
    """The replacement for the values of a released column."""

    kind: Kind
    column: Column
    number: int
    """The number in the names of its key parameters."""
    domain: str = ""
    scope: PseudonymScope = "release"
    first: int = 0
    last: int = 0
    most: int = 0
    """The maximum shift, in a unit."""
    unit: Unit = "days"
    truncate: bool = False
    by: str = ""

    @property
    def days(self) -> int:
        """The maximum shift in days."""
        return self.most * _DAYS[self.unit]

    @property
    def shows_time(self) -> bool:
        """Whether a shifted column still shows the time of day."""
        return self.kind == "shift" and self.column.type != "DATE" and not self.truncate

    @property
    def is_keyed(self) -> bool:
        return self.kind != "mask"

    @property
    def is_text(self) -> bool:
        """Whether the result is text, for any type of the column."""
        return self.kind != "shift"

    @property
    def description(self) -> str:
        """The treatment in words."""
        match self.kind:
            case "pseudonym":
                return "released as a pseudonym"
            case "mask":
                kept = " and ".join(
                    f"the {which} {count}" for which, count in (("first", self.first), ("last", self.last)) if count
                )
                return f"released as stars, with {kept} characters" if kept else "released as stars"
        return (
            f"dates {'without their time of day ' if self.truncate else ''}moved by up to {self.most:,} {self.unit}, by person"
        )

    def document(self, release: str | None) -> dict[str, Any]:
        """The entry in the manifest."""
        match self.kind:
            case "pseudonym":
                return {
                    "treatment": "pseudonym",
                    "algorithm": "HMAC-SHA-256, 128 bits",
                    "release": release,
                    "domain": self.domain,
                    "scope": self.scope,
                }
            case "mask":
                return {"treatment": "mask", "first": self.first, "last": self.last}
        truncated = {"truncate": True} if self.truncate else {}
        return {"treatment": "date shift", "release": release, self.unit: self.most, **truncated, "by": self.by}


Treatments = Mapping[str, Treatment]

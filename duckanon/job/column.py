"""Parts of a job: the settings of one column, the forms in which a direct identifier can be released, and the suppression limit."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from duckanon.choices import Cut, Microaggregation, PseudonymScope, Ranges, Role, TextTreatment
from duckanon.engine.protocol import Column
from duckanon.hierarchy.base import HierarchyModel, Spec
from duckanon.hierarchy.spec import HierarchySpec
from duckanon.hierarchy.spec import checked as checked_spec
from duckanon.privacy.base import kebab

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


class JobModel(BaseModel):
    """A part of a job. Keys have hyphens; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=kebab, populate_by_name=True)


def as_file(named: Any) -> Any:
    """Return a file name unchanged; raises `ValueError` if no file can have it."""
    if isinstance(named, str) and "\x00" in named:
        raise ValueError("contains a NUL character, which no file name can contain")
    return named


class ColumnPlan(JobModel):
    """The role of a column and, for a quasi-identifier, the limits of its generalization."""

    role: Role
    hierarchy: str | HierarchySpec | None = None
    """A file, a bundled hierarchy, or the hierarchy itself."""
    min_level: Annotated[int, Field(ge=0)] = 0
    """The lowest level that the search may choose."""
    max_level: Annotated[int, Field(ge=0)] | None = None
    """The highest level that the search may choose; default: the top."""
    weight: Annotated[Decimal, Field(gt=0)] = Decimal(1)
    """The weight of the column in the information loss of all columns."""
    max_loss: Annotated[Decimal, Field(ge=0, le=1)] | None = None
    """The maximum information loss of the column."""
    domain: Literal["listed", "data"] | None = None
    """The leaves that the information loss counts; overrides the `domain` of the hierarchy."""
    order: Annotated[list[str], Field(min_length=1)] | None = None
    """The values in order, for the ordered distance of a sensitive column, or for the cuts of mondrian in a quasi-identifier."""
    microaggregate: Microaggregation | None = None
    """The aggregate of a class that replaces the value in each of its rows."""
    round: Annotated[int, Field(ge=-18, le=18)] | None = None
    """Decimal places of a mean or a median; -1 rounds to tens, -2 to hundreds."""
    pseudonym: AnyPseudonym = None
    """Releases an identifying column as pseudonyms, instead of dropping it."""
    mask: AnyMask = None
    """Releases an identifying column as stars, with the first or last characters, instead of dropping it."""
    shift: Shift | None = None
    """Moves the dates of the column; the number of days depends on the person."""
    text: TextTreatment | None = None
    """What becomes of direct identifiers inside the text of a retained or sensitive column. `blank`: cells that hold them are released as NULL.
    `presidio`: Microsoft Presidio replaces them, and cells that still hold some are released as NULL."""
    ranges: Ranges | None = None
    """How the ranges of the column are written; overrides `output.ranges`. An error if its labels are not ranges."""
    cut: Cut | None = None
    """How mondrian cuts the column: into ranges in its order (text: alphabetical), or into labels of its hierarchy.
    Default: ranges for numbers, dates and columns with an `order`; labels for other columns."""

    @field_validator("order", mode="before")
    @classmethod
    def _as_order(cls, order: Any) -> Any:
        if not isinstance(order, list):
            return order
        if None in order:
            raise ValueError("NULL always comes after all values; leave it out")
        texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in order]
        if twice := next((text for text, times in Counter(texts).items() if times > 1), None):
            raise ValueError(f"contains {twice!r} twice; each value has one position")
        return texts

    @model_validator(mode="after")
    def _ordered(self) -> "ColumnPlan":
        if self.order is not None and self.role not in ("sensitive", "quasi-identifier"):
            raise ValueError(
                f"has an order, but is {self.role}; only sensitive columns and quasi-identifiers can have an order"
            )
        if self.cut is not None and self.role != "quasi-identifier":
            raise ValueError(f"has a cut, but is {self.role}; only quasi-identifiers can have a cut")
        if self.cut == "hierarchy" and self.order is not None:
            raise ValueError("has an order and a cut along its hierarchy; leave one out")
        return self

    @model_validator(mode="after")
    def _generalized(self) -> "ColumnPlan":
        """Raise `ValueError` for keys that have no effect in this role: a reader could take them for a protection."""
        only = (
            "min_level",
            "max_level",
            "weight",
            "max_loss",
            "domain",
            "ranges",
            *(() if self.role == "sensitive" else ("hierarchy",)),
        )
        fields = type(self).model_fields
        given = [name for name in only if getattr(self, name) != fields[name].default]
        if given and self.role != "quasi-identifier":
            raise ValueError(
                f"has a {kebab(given[0])}, which only quasi-identifiers can have, but is {self.role}; make it a quasi-identifier, or leave that out"
            )
        return self

    @model_validator(mode="after")
    def _aggregated(self) -> "ColumnPlan":
        if self.microaggregate is not None and self.role == "identifying":
            raise ValueError("is microaggregated, but identifying columns are dropped; give it another role")
        if self.round is not None and self.microaggregate not in ("mean", "median"):
            raise ValueError("has `round`, which applies only to `microaggregate: mean` and `microaggregate: median`")
        return self

    @model_validator(mode="after")
    def _treated(self) -> "ColumnPlan":
        treatments = [name for name in ("pseudonym", "mask", "shift") if getattr(self, name) is not None]
        if len(treatments) > 1:
            raise ValueError(f"has a {' and a '.join(treatments)}; keep one")
        for name, role in (("pseudonym", "identifying"), ("mask", "identifying"), ("shift", "insensitive")):
            if name in treatments and self.role != role:
                raise ValueError(f"has a {name}, but is {self.role}; only {role} columns can have a {name}")
        if self.text is not None and (treatments or self.role not in ("insensitive", "sensitive")):
            raise ValueError(
                f"has a text treatment, but {'has a ' + treatments[0] if treatments else 'is ' + self.role}; only insensitive and sensitive columns that are "
                "released as they are can have `text`"
            )
        if treatments and self.microaggregate is not None:
            raise ValueError(f"has a {treatments[0]} and is microaggregated; keep one")
        return self

    @field_validator("hierarchy", mode="before")
    @classmethod
    def _as_spec(cls, hierarchy: Any) -> Any:
        if isinstance(hierarchy, dict):
            return checked_spec(hierarchy)
        if isinstance(hierarchy, str | Spec | None):
            return as_file(hierarchy)
        raise ValueError("is neither the name of a hierarchy nor a mapping with a `kind`")


DEFAULT_LIMIT = "5%"


class Limit(JobModel):
    """The suppression limit: a number of rows, or a share of the rows that take part."""

    rows: int | None = None
    share: Decimal | None = None

    def of(self, rows: int) -> int:
        """The limit in rows, rounded down exactly."""
        return self.rows if self.rows is not None else int((self.share or Decimal(0)) * rows)

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Parse `20` (rows), `0.05` (a share) or `5%` (a percentage); raises `ValueError`."""
        try:
            if text.strip().endswith("%"):
                share = Decimal(text.strip()[:-1]) / 100
            elif text.strip().lstrip("+-").isdecimal():
                rows = int(text)
                if rows < 0:
                    raise ValueError(f"suppression limit {text} is below 0 rows")
                return cls(rows=rows)
            else:
                share = Decimal(text)
        except InvalidOperation as error:
            raise ValueError(f"suppression limit {text!r} is not a number; write 20 (rows), 0.05 or 5%") from error
        if not share.is_finite() or not 0 <= share <= 1:
            raise ValueError(f"suppression limit {text!r} is outside 0% to 100%; write 20 (rows), 0.05 or 5%")
        return cls(share=share)

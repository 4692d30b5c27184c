"""Parts of a job: the settings of one column, and the suppression limit."""

from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from duckanon.choices import Cut, Microaggregation, Ranges, Role
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.spec import HierarchySpec
from duckanon.hierarchy.spec import checked as checked_spec
from duckanon.job.treatments import AnyMask, AnyPseudonym, Shift
from duckanon.privacy.base import kebab


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

"""What a job says of one column."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from duckanon.choices import Cut, Microaggregation, Role
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.spec import HierarchySpec
from duckanon.hierarchy.spec import checked as checked_spec
from duckanon.job.treatments import AnyMask, AnyPseudonym, Shift
from duckanon.privacy.base import kebab


class JobModel(BaseModel):
    """Unknown keys are refused; keys are written with hyphens."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=kebab, populate_by_name=True)


def as_file(named: Any) -> Any:
    """What names a file, unchanged; raises `ValueError` for what no file can be called."""
    if isinstance(named, str) and "\x00" in named:
        raise ValueError("holds a NUL, which no file's name does")
    return named


class ColumnPlan(JobModel):
    """What a column is, and for a quasi-identifier how far it may be generalized."""

    role: Role
    hierarchy: str | HierarchySpec | None = None
    """A file, a bundled hierarchy, or the hierarchy itself."""
    min_level: Annotated[int, Field(ge=0)] = 0
    """The least level that the search may choose."""
    max_level: Annotated[int, Field(ge=0)] | None = None
    """The highest one; the top unless given."""
    weight: Annotated[Decimal, Field(gt=0)] = Decimal(1)
    """How much the column's loss counts beside that of others."""
    max_loss: Annotated[Decimal, Field(ge=0, le=1)] | None = None
    domain: Literal["listed", "data"] | None = None
    """Which leaves a loss counts, in place of what the hierarchy says of it."""
    order: Annotated[list[str], Field(min_length=1)] | None = None
    """The values in their order: of a sensitive column for the ordered distance, of a quasi-identifier for mondrian."""
    microaggregate: Microaggregation | None = None
    """What every row of a class shows of the column in place of its own value."""
    round: Annotated[int, Field(ge=-18, le=18)] | None = None
    """Decimal places of a mean or a median; below 0 for tens, hundreds."""
    pseudonym: AnyPseudonym = None
    """What stands in its place, of an identifying column that is not to be dropped."""
    mask: AnyMask = None
    """The same, as stars with what is left at either end."""
    shift: Shift | None = None
    """How far its dates are moved, each person's by another number of days."""
    cut: Cut | None = None
    """A column with an `order` is cut into ranges too, everything else into labels."""

    @field_validator("order", mode="before")
    @classmethod
    def _as_order(cls, order: Any) -> Any:
        if not isinstance(order, list):
            return order
        if None in order:
            raise ValueError("NULL has its place behind all values; leave it out")
        texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in order]
        if twice := next((text for text in texts if texts.count(text) > 1), None):
            raise ValueError(f"says {twice!r} twice; a value has one place")
        return texts

    @model_validator(mode="after")
    def _ordered(self) -> "ColumnPlan":
        if self.order is not None and self.role not in ("sensitive", "quasi-identifier"):
            raise ValueError(f"has an order, which only a sensitive column or a quasi-identifier needs, and is {self.role}")
        if self.cut is not None and self.role != "quasi-identifier":
            raise ValueError(f"says how it is cut, which is for a quasi-identifier, and is {self.role}")
        if self.cut == "hierarchy" and self.order is not None:
            raise ValueError("has an order and is cut along its hierarchy; leave one out")
        return self

    @model_validator(mode="after")
    def _generalized(self) -> "ColumnPlan":
        """What would be read as a protection, and be none."""
        only = ("min_level", "max_level", "weight", "max_loss", "domain", *(() if self.role == "sensitive" else ("hierarchy",)))
        fields = type(self).model_fields
        given = [name for name in only if getattr(self, name) != fields[name].default]
        if given and self.role != "quasi-identifier":
            raise ValueError(
                f"has a {kebab(given[0])}, which is for a quasi-identifier, and is {self.role}; make it a quasi-identifier, or leave that out"
            )
        return self

    @model_validator(mode="after")
    def _aggregated(self) -> "ColumnPlan":
        if self.microaggregate is not None and self.role == "identifying":
            raise ValueError("is micro-aggregated, and identifying columns are dropped; give it another role")
        if self.round is not None and self.microaggregate not in ("mean", "median"):
            raise ValueError("is rounded, which is for the mean or the median of `microaggregate`")
        return self

    @model_validator(mode="after")
    def _treated(self) -> "ColumnPlan":
        treatments = [name for name in ("pseudonym", "mask", "shift") if getattr(self, name) is not None]
        if len(treatments) > 1:
            raise ValueError(f"has a {' and a '.join(treatments)}; keep one")
        for name, role in (("pseudonym", "identifying"), ("mask", "identifying"), ("shift", "insensitive")):
            if name in treatments and self.role != role:
                raise ValueError(f"has a {name}, which is for {role} columns, and is {self.role}")
        if treatments and self.microaggregate is not None:
            raise ValueError(f"has a {treatments[0]} and is micro-aggregated; keep one")
        return self

    @field_validator("hierarchy", mode="before")
    @classmethod
    def _as_spec(cls, hierarchy: Any) -> Any:
        if isinstance(hierarchy, dict):
            return checked_spec(hierarchy)
        if isinstance(hierarchy, str | Spec | None):
            return as_file(hierarchy)
        raise ValueError("is neither the name of a hierarchy nor a mapping with a `kind`")

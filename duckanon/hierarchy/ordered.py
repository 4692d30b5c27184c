"""Values in an order: neighbours grouped by sizes, or the least important ones redacted first."""

from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from duckanon.hierarchy.base import MOST_LEVELS, Label, Spec, Top
from duckanon.hierarchy.grouping import Cycle, Duplicates, Function, Groups

_MOST_VALUES = 2**62


class Order(Spec):
    """Values in the order given, or in that of the column's type, grouped by sizes that repeat."""

    WHAT = "values in an order, grouped by sizes"

    kind: Literal["order"] = "order"
    values: list[Label] | None = Field(None, min_length=1)
    """The whole domain in order; without it the values of the data, in the order of their type."""
    groups: Groups = Field([])
    function: Function = "set"
    duplicates: Duplicates = "refuse"
    top: Top = "*"

    @field_validator("values")
    @classmethod
    def _once(cls, values: list[str] | None) -> list[str] | None:
        ordered = sorted(values or [])
        if twice := next((one for one, other in pairwise(ordered) if one == other), None):
            raise ValueError(f"{twice!r} is listed twice; a value has one place in an order")
        return values

    @model_validator(mode="after")
    def _labelled_once(self) -> "Order":
        length = 1
        for level, cycle in enumerate(self.cycles, start=1):
            length *= cycle.length
            if length > _MOST_VALUES:
                raise ValueError(f"the groups of level {level} hold more values than there can be")
        if self.values is not None and self.duplicates == "refuse":
            count = len(self.values)
            for level, cycle in enumerate(self.cycles, start=1):
                count = cycle.part_at(count - 1) + 1
                for label in cycle.repeated(0, count - 1):
                    raise ValueError(
                        f"label {label!r} of level {level} would stand for several groups; give each its own, or say `duplicates: number`"
                    )
        return self

    @property
    def shows_data(self) -> bool:
        """Whether values of the data stand in its labels, whoever has them."""
        return self.values is None and bool(self.groups)

    @property
    def cycles(self) -> tuple[Cycle, ...]:
        """A sequence of groups a level above the values."""
        return tuple(Cycle.of(level, [group.size for group in level], self.function) for level in self.groups)


class Priority(Spec):
    """The least important values are redacted first: those of low (or high) priority, or in the order of the type."""

    WHAT = "values redacted by priority, the least important first"

    kind: Literal["priority"] = "priority"
    priorities: dict[Label, Annotated[Decimal, Field(ge=-(2**62), le=2**62, decimal_places=9)]] | None = Field(
        None, min_length=1
    )
    """The whole domain; without it the values of the data are their own priorities."""
    keep: Literal["highest", "lowest"] = "highest"
    """Which values are kept longest."""
    levels: Annotated[int, Field(ge=1, le=MOST_LEVELS)] = 10
    """At the most so many levels; fewer where there are fewer values."""
    top: Top = "*"

"""Kinds that keep a value as it is up to a level: flat, by the share of its rows, by its priority."""

from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal
from duckanon.hierarchy.base import MOST_LEVELS, Functional, Label, Spec, Top
from duckanon.hierarchy.lookup import Lookup, counted_values, listed_rows, lookup_statement, rule_statement

_MOST_NAMED = 3
_LONGEST_SET = 60


class Flat(Functional):
    """Two levels: the values, and one top label."""

    WHAT = "any value, and above it only the top"

    kind: Literal["flat"] = "flat"

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        return Lookup(rule_statement(column, ["text", literal(self.top)]), 1, top=self.top, rule=self)


class Rare(Functional):
    """On each level, all values below a share of the rows have the same label; the others are unchanged."""

    WHAT = "rare values under one label, frequent values unchanged"
    REPEATS_VALUES = True

    kind: Literal["rare"] = "rare"
    below: list[Annotated[Decimal, Field(gt=0, lt=1, decimal_places=9)]] = Field(min_length=1, max_length=MOST_LEVELS - 1)
    """For each level, the share of the rows below which a value is rare. Rows with a missing value are not counted."""
    label: Label | None = None
    """The label of rare values; by default `{NAME, NAME}` if they are two or three, else `group N of COLUMN`, on level N."""

    @field_validator("below")
    @classmethod
    def _growing(cls, below: list[Decimal]) -> list[Decimal]:
        for few, many in pairwise(below):
            if many <= few:
                raise ValueError(
                    f"{many} does not exceed {few}; write growing shares, because each level has more rare values than the one below"
                )
        return below

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        labels = [self._named(column, level, share) for level, share in enumerate(self.below, start=1)]
        rare = [
            f"case when share < {share:f} then {label} else text end" for share, label in zip(self.below, labels, strict=True)
        ]
        statement = rule_statement(column, ["text", *rare, literal(self.top)], "_rows / sum(_rows) over () as share")
        return Lookup(statement, len(self.below) + 1, top=self.top)

    def _named(self, column: Column, level: int, share: Decimal) -> str:
        """The SQL of the label of the values below a share."""
        if self.label is not None:
            return literal(self.label)
        names = f"min(text, {_MOST_NAMED + 1}) filter (where share < {share:f}) over ()"
        is_short = f"length(array_to_string({names}, '')) <= {_LONGEST_SET} and array_to_string({names}, '') not similar to '.*[{{}},].*'"
        return (
            f"case when len({names}) between 2 and {_MOST_NAMED} and {is_short} then '{{' || array_to_string({names}, ', ') || '}}' "
            f"else {literal(f'group {level} of {column.name}')} end"
        )

    @property
    def growing_label(self) -> str | None:
        return self.label


class Priority(Spec):
    """The least important values are redacted first: those with low (or high) priority, or by the order of the type."""

    WHAT = "values redacted by priority, the least important first"

    kind: Literal["priority"] = "priority"
    priorities: dict[Label, Annotated[Decimal, Field(ge=-(2**62), le=2**62, decimal_places=9)]] | None = Field(
        None, min_length=1
    )
    """The priorities of all values; by default the values of the data are their own priorities."""
    keep: Literal["highest", "lowest"] = "highest"
    """Which priorities are kept longest."""
    levels: Annotated[int, Field(ge=1, le=MOST_LEVELS)] = 10
    """The maximum number of levels; fewer if there are fewer values."""
    top: Top = "*"

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        if self.priorities is None:
            listed, present = listed_rows(engine, column, None), counted_values(engine, column).values
        else:
            rows = [(priority, value) for value, priority in self.priorities.items()]
            listed, present = listed_rows(engine, column, rows), len(rows)
        height = max(1, min(self.levels, present))
        parameters = {"keep": self.keep, "height": height, "top": self.top}
        return Lookup(lookup_statement("priority", column, **parameters), height, listed, top=self.top)

    @property
    def is_listing(self) -> bool:
        return self.priorities is not None

    @property
    def lists_groups(self) -> bool:
        return False

    @property
    def growing_label(self) -> str | None:
        return self.top

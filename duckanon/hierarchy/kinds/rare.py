"""Rare values, grouped under one label."""

from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal
from duckanon.hierarchy.base import MOST_LEVELS, Functional, Label
from duckanon.hierarchy.lookup import Lookup, rule_statement


class Rare(Functional):
    """On each level, all values below a share of the rows have the same label; the others are unchanged."""

    WHAT = "rare values under one label, frequent values unchanged"
    REPEATS_VALUES = True

    kind: Literal["rare"] = "rare"
    below: list[Annotated[Decimal, Field(gt=0, lt=1, decimal_places=9)]] = Field(min_length=1, max_length=MOST_LEVELS - 1)
    """For each level, the share of the rows below which a value is rare. Rows with a missing value are not counted."""
    label: Label = "other"
    """The label of rare values."""

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
        rare = [f"case when share < {share:f} then {literal(self.label)} else text end" for share in self.below]
        statement = rule_statement(column, ["text", *rare, literal(self.top)], "_rows / sum(_rows) over () as share")
        return Lookup(statement, len(self.below) + 1, top=self.top)

    @property
    def growing_label(self) -> str | None:
        return self.label

"""Values that few rows have, under one label."""

from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.base import MOST_LEVELS, Functional, Label
from duckanon.hierarchy.lookup import Lookup, lookup_statement


class Rare(Functional):
    """On each level the values that less than a share of the rows have share a label; the others stay as they are."""

    WHAT = "rare values under one label, frequent ones as they are"
    REPEATS_VALUES = True

    kind: Literal["rare"] = "rare"
    below: list[Annotated[Decimal, Field(gt=0, lt=1, decimal_places=9)]] = Field(min_length=1, max_length=MOST_LEVELS - 1)
    """For each level the share of the rows under which a value is rare; missing values are no rows here."""
    label: Label = "other"
    """What rare values read."""

    @field_validator("below")
    @classmethod
    def _growing(cls, below: list[Decimal]) -> list[Decimal]:
        for few, many in pairwise(below):
            if many <= few:
                raise ValueError(f"{many} does not exceed {few}; on each level more values are rare than on the one below")
        return below

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        statement = lookup_statement("rare", column, below=self.below, label=self.label, top=self.top)
        return Lookup(statement, len(self.below) + 1, top=self.top)

    @property
    def growing_label(self) -> str | None:
        return self.label

"""Two levels: the values, and one top label."""

from typing import Literal

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.base import Functional
from duckanon.hierarchy.lookup import Lookup, lookup_statement


class Flat(Functional):
    """Two levels: the values, and one top label."""

    WHAT = "any value, and above it only the top"

    kind: Literal["flat"] = "flat"

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        return Lookup(lookup_statement("flat", column, top=self.top), 1, top=self.top, rule=self)

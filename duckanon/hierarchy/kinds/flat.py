"""Two levels: the values, and one top label."""

from typing import Literal

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal
from duckanon.hierarchy.base import Functional
from duckanon.hierarchy.lookup import Lookup, rule_statement


class Flat(Functional):
    """Two levels: the values, and one top label."""

    WHAT = "any value, and above it only the top"

    kind: Literal["flat"] = "flat"

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        return Lookup(rule_statement(column, ["text", literal(self.top)]), 1, top=self.top, rule=self)

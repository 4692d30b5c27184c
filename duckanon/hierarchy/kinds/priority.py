"""Values ordered by importance. The least important values are redacted first."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.base import MOST_LEVELS, Label, Spec, Top
from duckanon.hierarchy.lookup import Lookup, lookup_statement
from duckanon.hierarchy.table_source import listed_rows, longest_value


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
            listed, present = listed_rows(engine, column, None), longest_value(engine, column)[1]
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

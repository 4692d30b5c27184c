"""Value tables: one line per value, with its label on each level."""

from typing import Literal

from pydantic import Field, field_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.base import MOST_LEVELS, Label, ListedHierarchy
from duckanon.hierarchy.checks import queried
from duckanon.hierarchy.kinds.tree import tree_lookup
from duckanon.hierarchy.lookup import Lookup, lookup_statement, opened, topped


class Table(ListedHierarchy):
    """A value table: value, level 1, ..., top. A file of two columns may also hold child, parent pairs."""

    WHAT = "one line per value: value, level 1, ..., top"
    PLACES = ("file", "rows")

    kind: Literal["table"] = "table"
    rows: list[list[Label | None]] | None = Field(default=None, min_length=1)
    """The table written in the hierarchy file: one list per value."""

    @field_validator("rows")
    @classmethod
    def _even(cls, rows: list[list[str | None]] | None) -> list[list[str | None]] | None:
        for number, row in enumerate(rows or [], start=1):
            if rows and len(row) != len(rows[0]):
                raise ValueError(f"row {number} has {len(row)} cells, but the first row has {len(rows[0])}")
            if not 2 <= len(row) <= MOST_LEVELS + 1:
                raise ValueError(f"row {number} has {len(row)} cells; it needs the value and 1 to {MOST_LEVELS} levels")
        return rows

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        cells, listed = opened(engine, column, self.file, self.rows or [])
        if self.file is not None and len(cells) == 2 and queried(engine, "inner_parents", column, cells=cells):
            lookup = tree_lookup(engine, column, cells, listed)
        else:
            lookup = Lookup(lookup_statement("table", column, cells=cells), len(cells) - 1, listed)
        return topped(lookup, column, self.top)

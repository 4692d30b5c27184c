"""Quasi-identifiers whose ranges are written as numbers or dates instead of labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from duckanon.engine.protocol import Column

UpperBound = Literal["excluded", "included", "mixed"]
"""Whether the ranges of a column include their upper bound."""


@dataclass(frozen=True)
class RangeColumn:
    """A quasi-identifier that is written as the bounds of its ranges, or as their midpoint.

    `ranges_<column>` has one row per label, with the numbers or dates that replace the label in the file.
    """

    column: Column
    written: Literal["bounds", "midpoint"]
    max: UpperBound | None = None
    """Whether ranges include their upper bound; None if no label has an upper bound."""

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def relation(self) -> str:
        return f"ranges_{self.name}"

    @property
    def values(self) -> Mapping[str, str]:
        """The columns of the file, each with the column of `ranges_<column>` that has its values."""
        if self.written == "midpoint":
            return {self.name: "_midpoint"}
        return {f"{self.name}_min": "_min", f"{self.name}_max": "_max"}

    @property
    def columns(self) -> list[Column]:
        """The columns of the file, with their types."""
        is_mean = self.written == "midpoint" and self.column.is_number
        return [Column(name, "DOUBLE" if is_mean else self.column.file_type) for name in self.values]

    def document(self) -> dict[str, Any]:
        """The entry of the manifest."""
        ends = {} if self.max is None or self.written == "midpoint" else {"max": self.max}
        return {"written": self.written, "columns": list(self.values), **ends}


def can_hold_ranges(column: Column) -> bool:
    """Whether the type of a column is numeric or a date. Timestamps with a time zone do not qualify: their labels depend on the session."""
    return column.is_number or (column.is_date and "TIME ZONE" not in column.type)

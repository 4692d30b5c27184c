"""Microaggregation: all rows of an equivalence class show the same figure of a column."""

from dataclasses import dataclass

from duckanon.choices import Microaggregation
from duckanon.engine.protocol import Column
from duckanon.hierarchy.bounds import ValueGrid, grid_of

MOST_SHARE = 0.8
"""A mode that more of a class has is withheld."""


@dataclass(frozen=True)
class Aggregate:
    """A microaggregated column (Domingo-Ferrer, Mateo-Sanz 2002)."""

    column: Column
    number: int
    function: Microaggregation
    round: int | None = None
    """Decimal places of the figure; None if it is not rounded."""
    is_quasi_identifier: bool = False

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def most_share(self) -> float | None:
        """The largest share of a class that may have the shown mode: a larger one would disclose the value. A quasi-identifier is known."""
        return None if self.is_quasi_identifier else MOST_SHARE

    @property
    def grid(self) -> ValueGrid | None:
        """The values to which the ends of an interval are rounded; None for text."""
        return grid_of(self.column)

    @property
    def cast(self) -> str | None:
        """The type to which the figure is cast; None if it is not cast."""
        if self.function in ("interval", "set"):
            return None
        return "double" if self._is_double else self.column.file_type

    @property
    def type(self) -> str:
        """The type in the file."""
        if self.function in ("interval", "set"):
            return "VARCHAR"
        return "DOUBLE" if self._is_double else self.column.file_type

    @property
    def _is_double(self) -> bool:
        return self.function == "mean" or (self.function == "median" and self.column.holds_numbers)

"""Microaggregation: all rows of an equivalence class show the same figure of a column."""

from dataclasses import dataclass

from duckanon.choices import Microaggregation
from duckanon.engine.protocol import Column


@dataclass(frozen=True)
class Aggregate:
    """A microaggregated column (Domingo-Ferrer, Mateo-Sanz 2002)."""

    column: Column
    number: int
    function: Microaggregation
    round: int | None = None
    """Decimal places of the figure; None if it is not rounded."""

    @property
    def name(self) -> str:
        return self.column.name

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

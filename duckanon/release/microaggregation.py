"""A column of which every row of a class shows the same figure."""

from dataclasses import dataclass

from duckanon.choices import Microaggregation
from duckanon.engine.protocol import Column


@dataclass(frozen=True)
class Aggregate:
    """A column of which every row of a class shows the same figure: micro-aggregation (Domingo-Ferrer, Mateo-Sanz 2002)."""

    column: Column
    number: int
    function: Microaggregation
    round: int | None = None
    """Decimal places, where the figure is rounded."""

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def cast(self) -> str | None:
        """The type that it is stored in, None where that is the figure's own."""
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

"""Microaggregated columns: the figures of each class, and the classes without a figure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from duckanon.choices import Microaggregation
from duckanon.engine.protocol import Column, Engine
from duckanon.formatting import in_rows
from duckanon.hierarchy.bounds import ValueGrid, grid_of
from duckanon.observers import Observer

if TYPE_CHECKING:
    from duckanon.release.recoding import Recoding

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


def aggregate(engine: Engine, recoding: "Recoding", observer: Observer) -> dict[str, Any]:
    """Build the figures of each class, and warn of classes without a figure and of rows that get one without a value; returns the classes and rows by column."""
    for statement in recoding.aggregate_statements():
        engine.create_table(statement, stage="aggregating by class")
    if not recoding.aggregates:
        return {}
    [counts] = engine.query(recoding.withheld_statement)
    k = recoding.requirement.largest_k
    fewer = f"fewer than {k.k:,}" if k.k_column is None else "too few"
    who = "rows" if k.entity is None else repr(k.entity)
    withheld = {}
    for column, classes, rows, filled in zip(recoding.aggregates, counts[::3], counts[1::3], counts[2::3], strict=True):
        if classes:
            withheld[column.name] = {"classes": classes, "rows": rows}
            why = f"{fewer} {who} of each have {'the same' if column.function == 'mode' else 'a'} value"
            if column.function == "mode" and column.most_share is not None:
                why += f", or more than {column.most_share:.0%} of them, which would disclose it"
            observer.warn(
                f"{column.name!r} shows no {column.function} in {classes:,} equivalence class{'' if classes == 1 else 'es'} ({in_rows(rows)}), because {why}"
            )
        if filled and column.function == "mean":
            observer.warn(
                f"the mean of a class replaces missing or infinite values of {column.name!r} in {in_rows(filled)}, which changes sums over the column; "
                "leave these rows out of the input if sums matter"
            )
    return withheld

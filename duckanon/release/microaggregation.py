"""Microaggregated columns: the figures of each class, and the classes without a figure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from duckanon.choices import Microaggregation
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.formatting import in_rows
from duckanon.hierarchy.bounds import ValueGrid, grid_of
from duckanon.observers import Caution, Observer

if TYPE_CHECKING:
    from duckanon.release.recoding import Recoding
    from duckanon.search.count import Counted

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
    def type(self) -> str:
        """The type in the file."""
        if self.function in ("interval", "set"):
            return "VARCHAR"
        is_double = self.function == "mean" or (self.function == "median" and self.column.holds_numbers)
        return "DOUBLE" if is_double else self.column.file_type


def aggregates_of(counted: "Counted") -> tuple[Aggregate, ...]:
    """The microaggregated columns of a job."""
    plans = counted.job.columns
    columns = [column for column in counted.plan.released if column.name in plans and plans[column.name].microaggregate]
    return tuple(
        Aggregate(column, number, function, plans[column.name].round, plans[column.name].role == "quasi-identifier")
        for number, column in enumerate(columns, start=1)
        if (function := plans[column.name].microaggregate) is not None
    )


def parameters_of(recoding: "Recoding") -> dict[str, Any]:
    """Parameters of the templates of figures: how many persons or rows must have a value, and whether the ends of intervals are hidden."""
    intervals = [aggregate for aggregate in recoding.aggregates if aggregate.function == "interval"]
    k = recoding.requirement.largest_k
    about = {"k": k.bounded_k, "k_column": k.k_column, "entities": k.entities, "intervals": intervals}
    return about | {"hides_ends": bool(intervals) and not recoding.show_extremes}


def create_figures(engine: Engine, recoding: "Recoding") -> None:
    """Build `aggregates`, the figures of each class, if a column is aggregated."""
    if recoding.aggregates:
        about = {"quasi_identifiers": recoding.names, **parameters_of(recoding), **recoding.labelling}
        engine.create_table(render("release/aggregates", **about), stage="aggregating by class")


def aggregate(engine: Engine, recoding: "Recoding", observer: Observer) -> dict[str, Any]:
    """Build the figures of each class, and warn of classes without a figure and of rows that get one without a value; returns the classes and rows by column."""
    create_figures(engine, recoding)
    if not recoding.aggregates:
        return {}
    about = {"aggregates": recoding.aggregates, "class_columns": recoding.class_columns}
    [counts] = engine.query(render("release/withheld", **about))
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
                Caution(
                    "microaggregation",
                    f"{column.name!r} shows no {column.function} in {classes:,} equivalence class{'' if classes == 1 else 'es'} ({in_rows(rows)}), because {why}",
                    column.name,
                )
            )
        if filled and column.function == "mean":
            observer.warn(
                Caution(
                    "microaggregation",
                    f"the mean of a class replaces missing or infinite values of {column.name!r} in {in_rows(filled)}, which changes sums over the column; "
                    "leave these rows out of the input if sums matter",
                    column.name,
                )
            )
    return withheld

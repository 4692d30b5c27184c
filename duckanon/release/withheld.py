"""Microaggregated columns: the figures of each class, and the classes without a figure."""

from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.formatting import in_rows
from duckanon.observers import Observer
from duckanon.release.recoding.base import Recoding


def aggregate(engine: Engine, recoding: Recoding, observer: Observer) -> dict[str, Any]:
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

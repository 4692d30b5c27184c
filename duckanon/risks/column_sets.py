"""The distinction and separation of column sets (Motwani, Xu 2007), and their unique records."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import batches, render
from duckanon.metrics.figures import separation

_AT_ONCE = 32


@dataclass(frozen=True)
class ClassRelation:
    """A relation with one row per combination of quasi-identifier values, and the column of each quasi-identifier."""

    relation: str
    keys: Mapping[str, str]
    rows: int


def column_sets(engine: Engine, classes: ClassRelation, sets: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """For each column set: the distinction (distinct combinations of values / rows), the separation and the unique rows."""
    figures = []
    for batch in batches(sets, _AT_ONCE):
        keyed = [[classes.keys[name] for name in columns] for columns in batch]
        counted = engine.query(render("risk/set_sizes", classes=classes.relation, sets=keyed))
        figures += [_figures(columns, classes.rows, row) for columns, (_, *row) in zip(batch, counted, strict=True)]
    return figures


def _figures(columns: Sequence[str], rows: int, counted: Sequence[Any]) -> dict[str, Any]:
    combinations, squares, uniques = counted
    return {
        "columns": list(columns),
        "distinction": int(combinations) / rows,
        "separation": separation(float(squares), rows),
        "uniques": int(uniques),
    }


def without_each(names: Sequence[str]) -> Iterator[list[str]]:
    """All columns except one, for each column in turn."""
    return ([name for name in names if name != left_out] for left_out in names)

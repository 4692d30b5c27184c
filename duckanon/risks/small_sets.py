"""The records that any few columns single out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render


class SmallSets(NamedTuple):
    """The records that share the labels of a set of columns, over all sets."""

    smallest: int
    """The fewest records that share the labels of some set; 0 without records."""
    failing_classes: int
    """Pairs of a set and its labels that fewer than k records share."""
    failing_rows: int
    """The records in these."""


def small_sets(engine: Engine, classes: str, adversary: Mapping[str, Any], k: int, *, without: str | None = None) -> SmallSets:
    """Count a relation of classes under the sets of an adversary (its template parameters); `without` is a column that marks classes to leave out."""
    statement = render("risk/small_sets", relation=classes, adversary=adversary, k=k, without=without)
    [row] = engine.query(statement, "looking for records that few columns single out")
    return SmallSets(*map(int, row))


def singled_out(engine: Engine, classes: str, adversary: Mapping[str, Any], *, without: str | None = None) -> dict[str, Any]:
    """The highest risk by any of the sets, and the records that are unique on some set."""
    counts = small_sets(engine, classes, adversary, 2, without=without)
    return {"highest": 1 / counts.smallest if counts.smallest else 0.0, "uniques": counts.failing_rows}

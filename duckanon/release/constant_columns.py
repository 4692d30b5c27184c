"""Columns that hold a single value, or none, in all rows of a relation."""

from collections.abc import Sequence

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render

_FIRST_ROWS = 10_000
"""Most columns differ within so many rows; the others are read to the end."""


def constant_columns(engine: Engine, names: Sequence[str], relation: str) -> list[str]:
    """Those of the columns of released rows, or of their classes, that hold one value in all rows, or no value at all."""
    for most in (_FIRST_ROWS, None):
        if not names:
            break
        statement = render("release/constant_columns", columns=names, relation=relation, most=most)
        [(*counts, rows)] = engine.query(statement, "comparing released records")
        names = [
            name
            for name, filled, is_single in zip(names, counts[::2], counts[1::2], strict=True)
            if filled == 0 or (filled == rows and is_single)
        ]
    return list(names)

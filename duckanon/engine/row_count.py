"""The number of rows of a relation."""

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render


def row_count(engine: Engine, relation: str, *, has_rows: bool = False, stage: str | None = None) -> int:
    """The rows of a relation; with `has_rows`, the input rows for which its rows stand, by its column `_rows`."""
    [(rows,)] = engine.query(render("dataset/row_count", relation=relation, has_rows=has_rows), stage=stage)
    return int(rows)

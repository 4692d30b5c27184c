"""Class sizes if a masked value matches any value, as an adversary may assume."""

from collections.abc import Sequence
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.risks.sizes import Size, read_sizes

_MOST_PATTERNS = 24


def wildcard_sizes(engine: Engine, quasi_identifiers: Sequence[str], token: str) -> list[Size] | None:
    """For each row, the number of rows that agree with it wherever neither has a masked value, as sizes; None if no row is masked.

    Empty if masked values occur in more than 24 different column sets, which are too many to compare.
    """
    names = list(quasi_identifiers)
    engine.create_table(render("risk/star_classes", quasi_identifiers=names, token=token))
    patterns = [pattern.size for pattern in read_sizes(engine, "star_classes", size="_pattern")]
    if patterns in ([], [0]):
        return None
    if len(patterns) > _MOST_PATTERNS:
        return []
    pairs: list[dict[str, Any]] = [
        {
            "one": first,
            "other": other,
            "columns": [name for place, name in enumerate(names) if not (first | other) >> place & 1],
        }
        for first in patterns
        for other in patterns
    ]
    statement = render("risk/wildcard_sizes", pairs=pairs)
    return [Size(*map(int, row)) for row in engine.query(statement)]

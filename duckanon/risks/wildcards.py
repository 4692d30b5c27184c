"""Classes where a star stands for any value, as one who attacks a release reads it."""

from collections.abc import Sequence
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.risks.sizes import Size

_MOST_PATTERNS = 24


def wildcard_sizes(engine: Engine, quasi_identifiers: Sequence[str], token: str) -> list[Size] | None:
    """For each row the rows that agree with it wherever neither shows the star, as sizes; None where no row shows one.

    Empty where rows show stars in more than 24 different sets of columns, which are too many to compare.
    """
    names = list(quasi_identifiers)
    patterns = [int(pattern) for (pattern,) in engine.query(render("risk/star_patterns", quasi_identifiers=names, token=token))]
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
    statement = render("risk/wildcard_sizes", quasi_identifiers=names, token=token, pairs=pairs)
    return [Size(*map(int, row)) for row in engine.query(statement)]

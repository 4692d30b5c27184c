"""The association of quasi-identifiers before and after: Cramér's V of each pair, without bias (Bergsma 2013)."""

from itertools import combinations
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.reports.utility.outcomes import AttributeParams

_MOST_COLUMNS = 10


def associations(engine: Engine, attributes: AttributeParams) -> list[dict[str, Any]]:
    """Each pair of the first ten quasi-identifiers: 0 is independence, 1 means that one determines the other; None if one has a single value, or a value of its own in each row."""
    pairs = [{"first": first, "second": second} for first, second in combinations(attributes[:_MOST_COLUMNS], 2)]
    if not pairs:
        return []
    read = {number: strengths for number, *strengths in engine.query(render("utility/associations", pairs=pairs))}
    return [
        {"first": pair["first"]["name"], "second": pair["second"]["name"], "before": before, "after": after}
        for number, pair in enumerate(pairs)
        for before, after in [read.get(number, (None, None))]
    ]

"""The partitions of Mondrian for drawing: the width is the number of rows; a partition is below its parent."""

from collections import defaultdict
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render

_MOST_DRAWN = 1_000


def picture(engine: Engine, *, rounds: int) -> dict[str, Any]:
    """The tree of cuts, with at most a thousand partitions: those with the most rows, and their ancestors."""
    rows = engine.query(render("mondrian/tree"))
    cuts = {number: (parent, attribute, cut, value) for number, parent, attribute, cut, value, _ in rows}
    sizes: dict[int, int] = defaultdict(int)
    children: dict[int, list[int]] = defaultdict(list)
    for number, parent, *_, own in rows:
        if parent is not None:
            children[parent].append(number)
        reached: int | None = number
        while own and reached is not None:
            sizes[reached] += own
            reached = cuts[reached][0]
    [root] = [number for number, (parent, *_) in cuts.items() if parent is None]
    drawn: list[dict[str, Any]] = []
    waiting = [(root, 0, 0.0)]
    while waiting and len(drawn) < _MOST_DRAWN:
        waiting.sort(key=lambda partition: -sizes[partition[0]])
        number, depth, start = waiting.pop(0)
        parent, attribute, cut, value = cuts[number]
        end = start + sizes[number] / max(1, sizes[root])
        drawn.append(
            {
                "number": number,
                "parent": parent,
                "depth": depth,
                "column": attribute,
                "label": "all rows"
                if parent is None
                else " ".join(str(part) for part in (attribute, cut, value) if part is not None),
                "rows": sizes[number],
                "from": start,
                "to": end,
            }
        )
        for child in children[number]:
            waiting.append((child, depth + 1, start))
            start += sizes[child] / max(1, sizes[root])
    leaves = sum(not children[number] for number in cuts)
    return {"count": leaves, "rounds": rounds, "drawn": "all" if len(drawn) == len(cuts) else "some", "nodes": drawn}

"""The search for drawing: the nodes of a lattice by height, or the tree of partitions."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.lattice import Lattice
from duckanon.metrics.objective import Objective
from duckanon.search.trace import Visit

MOST_NODES = 2_000
_VERDICTS = {True: "satisfies", False: "fails", None: "not decided"}


def lattice_picture(names: Sequence[str], lattice: Lattice, objective: Objective, visits: Sequence[Visit]) -> dict[str, Any]:
    """All nodes of a lattice of up to 2,000 nodes; of a larger one at most 2,000 visited nodes, with the chosen node and the nodes of lowest loss."""
    known = {visit.node: _visited(visit) for visit in visits if visit.node in lattice}
    if lattice.size <= MOST_NODES:
        nodes = [known.get(node) or _unvisited(node, objective.published(objective.floor(node))) for node in lattice.nodes()]
    else:
        nodes = _sample(list(known.values()))
    return {
        "columns": list(names),
        "size": lattice.size,
        "visited": len(visits),
        "drawn": "all" if len(nodes) == lattice.size else "some",
        "nodes": nodes,
        "heights": _heights(lattice, visits),
    }


def _visited(visit: Visit) -> dict[str, Any]:
    return {
        "levels": list(visit.node),
        "height": sum(visit.node),
        "verdict": _VERDICTS[visit.satisfies],
        "suppressed": visit.suppressed,
        "counted": visit.is_counted,
        "classes": visit.released_classes,
        "loss": visit.value,
        "at_least": visit.at_least,
        "chosen": visit.is_chosen,
    }


def _unvisited(node: Sequence[int], at_least: float) -> dict[str, Any]:
    document = {"levels": list(node), "height": sum(node), "verdict": _VERDICTS[None], "at_least": at_least, "chosen": False}
    return document | dict.fromkeys(("suppressed", "counted", "classes", "loss"))


def _sample(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The chosen node, the satisfying nodes of lowest loss, and a fixed random sample of the others."""
    if len(nodes) <= MOST_NODES:
        return nodes
    first = sorted(nodes, key=lambda node: (not node["chosen"], node["verdict"] != "satisfies", node["at_least"]))
    kept = first[: MOST_NODES // 4]
    rest = Random(0).sample(first[MOST_NODES // 4 :], MOST_NODES - len(kept))
    return sorted([*kept, *rest], key=lambda node: (node["height"], node["levels"]))


def _heights(lattice: Lattice, visits: Sequence[Visit]) -> list[dict[str, int]]:
    """The number of nodes of each height and verdict. The search inferred or skipped the nodes that are not decided."""
    counted = [1]
    for low, high in zip(lattice.bottom, lattice.top, strict=True):
        longer = [0] * (len(counted) + high - low)
        for height, nodes in enumerate(counted):
            for step in range(high - low + 1):
                longer[height + step] += nodes
        counted = longer
    least = sum(lattice.bottom)
    heights = [{"height": least + step, "satisfies": 0, "fails": 0, "not_decided": nodes} for step, nodes in enumerate(counted)]
    for visit in visits:
        if visit.node in lattice:
            counts = heights[sum(visit.node) - least]
            counts[_VERDICTS[visit.satisfies].replace(" ", "_")] += 1
            counts["not_decided"] -= 1
    return heights


_MOST_PARTITIONS = 1_000


def partition_picture(engine: Engine, *, rounds: int) -> dict[str, Any]:
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
    while waiting and len(drawn) < _MOST_PARTITIONS:
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

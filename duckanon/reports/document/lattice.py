"""The lattice for drawing: nodes by height; visited nodes with their figures, others with lower bounds."""

from collections.abc import Sequence
from random import Random
from typing import Any

from duckanon.lattice import Lattice
from duckanon.metrics.objective import Objective
from duckanon.search.trace import Visit

MOST_DRAWN = 2_000
_VERDICTS = {True: "satisfies", False: "fails", None: "not decided"}


def picture(names: Sequence[str], lattice: Lattice, objective: Objective, visits: Sequence[Visit]) -> dict[str, Any]:
    """All nodes of a lattice of up to 2,000 nodes; of a larger one at most 2,000 visited nodes, with the chosen node and the nodes of lowest loss."""
    known = {visit.node: _visited(visit) for visit in visits if visit.node in lattice}
    if lattice.size <= MOST_DRAWN:
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
    if len(nodes) <= MOST_DRAWN:
        return nodes
    first = sorted(nodes, key=lambda node: (not node["chosen"], node["verdict"] != "satisfies", node["at_least"]))
    kept = first[: MOST_DRAWN // 4]
    rest = Random(0).sample(first[MOST_DRAWN // 4 :], MOST_DRAWN - len(kept))
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

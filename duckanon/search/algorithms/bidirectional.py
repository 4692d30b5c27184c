"""All minimal satisfying nodes, from Samarati's height upwards (course exercise "K-Anonymity", USTC, 2021).

Samarati's height is the lowest with a satisfying node, so no node below it satisfies. The best minimal node is not always the
optimum: suppressed rows count as lost, so a node above a satisfying node may lose less.
"""

from duckanon.lattice import DownSet, Lattice, Node, is_above
from duckanon.search.algorithms import samarati
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome

IS_WALK = False


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the minimal node with the least objective, and all minimal nodes."""
    first = samarati.search(evaluator, lattice)
    if first.node is None:
        return first
    failing = DownSet(lattice)
    height = sum(first.node)
    minimal: dict[Node, None] = {}
    # upwards: nodes above failing nodes are visited next; a satisfying node is minimal, because all nodes below it fail
    frontier = list(lattice.at_height(height))
    while frontier:
        above: dict[Node, None] = {}
        for node in frontier:
            if node not in failing and evaluator.satisfies(node):
                minimal[node] = None
                continue
            if node not in failing and evaluator.rules_out(node):
                failing.add(node)
            above.update(dict.fromkeys(lattice.above(node)))
        frontier = [node for node in above if not any(is_above(node, other) for other in minimal)]
    ordered = sorted(minimal, key=evaluator.rank)
    return SearchOutcome(ordered[0], evaluator.objective.floor(lattice.bottom), proven=False, minimal=tuple(ordered))

"""Move down from the node of a heuristic while the requirement holds and the objective does not increase."""

from duckanon.lattice import Lattice, Node
from duckanon.search.evaluation.evaluator import Evaluator


def refine(evaluator: Evaluator, lattice: Lattice, node: Node) -> Node:
    """Return a satisfying node from which no step down satisfies with a lower or equal objective.

    Each step lowers the objective the most; ties are broken by declared order.
    """
    while True:
        below = [
            (*node[:position], level - 1, *node[position + 1 :])
            for position, level in enumerate(node)
            if level > lattice.bottom[position]
        ]
        candidates = [step for step in below if evaluator.satisfies(step) and evaluator.value(step) <= evaluator.value(node)]
        if not candidates:
            return node
        # min returns the first of equal values, and the steps are in declared order
        node = min(candidates, key=evaluator.value)

"""Down again from a node that a heuristic ended on, as long as the requirement holds and nothing gets worse."""

from duckanon.lattice import Lattice, Node
from duckanon.search.evaluation.evaluator import Evaluator


def refine(evaluator: Evaluator, lattice: Lattice, node: Node) -> Node:
    """A satisfying node from which no step down satisfies at a lower or equal objective.

    Each time the step that lowers the objective most, ties by declared order.
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
        # min keeps the first of equals, and steps come in declared order
        node = min(candidates, key=evaluator.value)

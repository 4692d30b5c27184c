"""Take the cheapest step up until the requirement holds: the greedy heuristic of k-anonymous-heuristic, in exact arithmetic.

The benefit of a step does not count: only its cost does, and among equally cheap steps the first declared attribute wins.
"""

from duckanon.lattice import Lattice, Node
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome, cost, steps_up, walk

IS_WALK = True


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the first satisfying node on the path upwards."""

    def cheapest(node: Node) -> Node | None:
        steps = [(cost(evaluator, position, node[position]), position, above) for position, above in steps_up(lattice, node)]
        return min(steps)[2] if steps else None

    return walk(evaluator, lattice, cheapest)

"""Take the cheapest step up until the requirement holds: the greedy heuristic of k-anonymous-heuristic, in exact arithmetic.

The benefit of a step does not count: only its cost does, and among equally cheap steps the first declared attribute wins.
"""

from duckanon.lattice import Lattice
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome, cost, steps_up

IS_WALK = True


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the first satisfying node on the path upwards."""
    node, bound = lattice.bottom, evaluator.objective.floor(lattice.bottom)
    while not evaluator.satisfies(node):
        steps = list(steps_up(lattice, node))
        if not steps:
            return SearchOutcome(None, bound, proven=False)
        _, node = min(steps, key=lambda step: (cost(evaluator, step[0], node[step[0]]), step[0]))
    return SearchOutcome(node, bound, proven=False)

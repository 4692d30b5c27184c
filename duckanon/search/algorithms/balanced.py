"""Best ratio of benefit to cost; among nearly equal steps, the lowest level: the balanced heuristic of k-anonymous-heuristic.

The benefit of a step is the number of failing classes that it removes. Its cost is the increase of the level's loss, or 100 for
the step to the top. If no step has a benefit, the original stops and releases its current state; this version takes the cheapest
step and continues.
"""

from fractions import Fraction
from functools import partial

from duckanon.lattice import Lattice, Node
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome, cost, steps_up, walk

IS_WALK = True

_NEARLY = Fraction(4, 5)
_TO_THE_TOP = Fraction(100)


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the first satisfying node on the path upwards."""
    return walk(evaluator, lattice, partial(_best, evaluator, lattice))


def _best(evaluator: Evaluator, lattice: Lattice, node: Node) -> Node | None:
    failing = evaluator.figures(node).failing_classes
    scored, steps = [], []
    for position, above in steps_up(lattice, node):
        is_top = above[position] == evaluator.marginals[position].height
        price = _TO_THE_TOP if is_top else cost(evaluator, position, node[position])
        benefit = failing - evaluator.figures(above).failing_classes
        steps.append((price, position, above))
        if benefit > 0:
            # a step without cost is better than any other
            scored.append((Fraction(benefit) / price if price else Fraction(benefit) * 10**9, position, above))
    if not scored:
        return min(steps)[2] if steps else None
    most = max(score for score, _, _ in scored)
    near = [candidate for candidate in scored if candidate[0] >= _NEARLY * most]
    return min(near, key=lambda candidate: (node[candidate[1]], -candidate[0], candidate[1]))[2]

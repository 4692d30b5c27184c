"""Descend from the top, one level of one column at a time, while the requirement holds: few nodes for many columns.

The next step is the one that saves the most information loss for each bit of information that it reveals. If a step would break the
requirement, so would the same step from every node below (if the requirement is monotone), and it is not tried again: each column
fails at most once. The number of nodes grows with the sum of the heights of the hierarchies, not with their product.
"""

from duckanon.lattice import Lattice
from duckanon.search.budget import BudgetSpent
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome, steps_down

IS_WALK = False


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the last satisfying node of the path downwards."""
    node, bound = lattice.top, evaluator.objective.floor(lattice.bottom)
    if not evaluator.satisfies(node):
        return SearchOutcome(None, bound, proven=False)
    failed: set[int] = set()
    try:
        while steps := [step for step in steps_down(lattice, evaluator.marginals, node) if step[1] not in failed]:
            _, position, below = max(steps, key=lambda step: (step[0], -step[1]))
            if evaluator.descends(node, below, position):
                node = below
            else:
                failed.add(position)
    except BudgetSpent:
        pass
    return SearchOutcome(node if evaluator.satisfies(node) else None, bound, proven=False)

"""Descend from the top, one level of one column at a time, while the requirement holds: few nodes for many columns.

The next step is the one that saves the most information loss for each bit of information that it reveals. If a step would break the
requirement, so would the same step from every node below (if the requirement is monotone), and it is not tried again: each column
fails at most once. The number of nodes grows with the sum of the heights of the hierarchies, not with their product.
"""

from collections.abc import Iterator
from math import inf

from duckanon.lattice import Lattice, Node
from duckanon.search.evaluation.budget import BudgetSpent
from duckanon.search.evaluation.evaluator import Evaluator
from duckanon.search.evaluation.outcome import SearchOutcome

IS_WALK = False


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the last satisfying node of the path downwards."""
    node, bound = lattice.top, evaluator.objective.floor(lattice.bottom)
    if not evaluator.satisfies(node):
        return SearchOutcome(None, bound, proven=False)
    failed: set[int] = set()
    try:
        while steps := [step for step in _steps_down(evaluator, lattice, node) if step[1] not in failed]:
            _, position, below = max(steps, key=lambda step: (step[0], -step[1]))
            if evaluator.descends(node, below, position):
                node = below
            else:
                failed.add(position)
    except BudgetSpent:
        pass
    return SearchOutcome(node if evaluator.satisfies(node) else None, bound, proven=False)


def _steps_down(evaluator: Evaluator, lattice: Lattice, node: Node) -> Iterator[tuple[float, int, Node]]:
    """Yield the loss that each step saves for a bit, its column and its node."""
    for position, level in enumerate(node):
        if level > lattice.bottom[position]:
            marginal = evaluator.marginals[position]
            saved = float(marginal.weight) * (marginal.excess[level] - marginal.excess[level - 1]) / marginal.span
            revealed = marginal.information[level] - marginal.information[level - 1]
            below = (*node[:position], level - 1, *node[position + 1 :])
            yield (saved / revealed if revealed > 0 else inf), position, below

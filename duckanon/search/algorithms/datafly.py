"""Generalize the attribute with the most distinct values until the requirement holds (Sweeney 1998, Datafly)."""

from duckanon.lattice import Lattice
from duckanon.search.evaluation.evaluator import Evaluator
from duckanon.search.evaluation.outcome import SearchOutcome
from duckanon.search.evaluation.steps import steps_up

IS_WALK = True


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """Return the first satisfying node on the path upwards; ties are broken by declared order."""
    node, bound = lattice.bottom, evaluator.objective.floor(lattice.bottom)
    while not evaluator.satisfies(node):
        steps = list(steps_up(lattice, node))
        if not steps:
            return SearchOutcome(None, bound, proven=False)
        _, node = max(steps, key=lambda step: (evaluator.marginals[step[0]].distinct[node[step[0]]], -step[0]))
    return SearchOutcome(node, bound, proven=False)

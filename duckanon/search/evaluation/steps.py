"""Steps up the lattice, one level of one attribute at a time."""

from collections.abc import Iterator
from fractions import Fraction

from duckanon.lattice import Lattice, Node
from duckanon.search.evaluation.evaluator import Evaluator


def steps_up(lattice: Lattice, node: Node) -> Iterator[tuple[int, Node]]:
    """Yield the attributes that can be raised, in declared order, each with the node one level higher."""
    for position, level in enumerate(node):
        if level < lattice.top[position]:
            yield position, (*node[:position], level + 1, *node[position + 1 :])


def cost(evaluator: Evaluator, position: int, level: int) -> Fraction:
    """The cost of a step up from a level: the increase of the losses that the hierarchy declares, or else of `loss_j` in the data."""
    attribute = evaluator.marginals[position]
    if attribute.losses is not None:
        return attribute.losses[level + 1] - attribute.losses[level]
    return Fraction(attribute.excess[level + 1] - attribute.excess[level], evaluator.rows * attribute.span)

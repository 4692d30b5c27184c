"""A walk up the lattice, one level of one attribute at a time."""

from collections.abc import Iterator
from fractions import Fraction

from duckanon.lattice import Lattice, Node
from duckanon.search.evaluation.evaluator import Evaluator


def steps_up(lattice: Lattice, node: Node) -> Iterator[tuple[int, Node]]:
    """The attributes that can be raised, in declared order, each with the node that one level more gives."""
    for position, level in enumerate(node):
        if level < lattice.top[position]:
            yield position, (*node[:position], level + 1, *node[position + 1 :])


def cost(evaluator: Evaluator, position: int, level: int) -> Fraction:
    """What a step up from a level costs: the rise of the hierarchy's own losses, or else of the data's own `loss_j`."""
    attribute = evaluator.marginals[position]
    if attribute.losses is not None:
        return attribute.losses[level + 1] - attribute.losses[level]
    return Fraction(attribute.excess[level + 1] - attribute.excess[level], evaluator.rows * attribute.span)

"""Steps up and down the lattice, one level of one attribute at a time."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf

from duckanon.lattice import Lattice, Node
from duckanon.metrics.figures import Marginals
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


def steps_down(lattice: Lattice, marginals: Sequence[Marginals], node: Node) -> Iterator[tuple[float, int, Node]]:
    """Yield the steps down: the information loss that each saves for a bit that it reveals, its attribute, and the node."""
    for position, (level, marginal) in enumerate(zip(node, marginals, strict=True)):
        if level > lattice.bottom[position]:
            saved = float(marginal.weight) * (marginal.excess[level] - marginal.excess[level - 1]) / marginal.span
            revealed = marginal.information[level] - marginal.information[level - 1]
            below = (*node[:position], level - 1, *node[position + 1 :])
            yield (saved / revealed if revealed > 0 else inf), position, below

"""The interface of a lattice search, its outcome, and the steps that searches take up and down."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Protocol

from duckanon.lattice import Lattice, Node, is_above
from duckanon.metrics.figures import Marginals
from duckanon.metrics.objective import Value
from duckanon.search.evaluate import Evaluator


@dataclass(frozen=True)
class SearchOutcome:
    """The node that a search returns, or None; `bound` is a proven lower bound of the objective over all satisfying nodes."""

    node: Node | None
    bound: Value
    proven: bool
    ties: tuple[Node, ...] = field(default=())
    """Other satisfying nodes with the same value, in canonical order; known only if the search proves its result."""
    minimal: tuple[Node, ...] = field(default=())
    """All minimal satisfying nodes, the best first, if the search finds them."""
    refined_from: Node | None = None
    """The node of the heuristic, if refinement found a better node below it."""


class Search(Protocol):
    """A lattice search."""

    def __call__(self, evaluator: Evaluator, lattice: Lattice) -> SearchOutcome: ...


def least(outcomes: Sequence[SearchOutcome], evaluator: Evaluator) -> SearchOutcome:
    """Combine the outcomes of a lattice that was searched in independent parts."""
    if len(outcomes) == 1:
        return outcomes[0]
    parts = [outcome for outcome in outcomes if outcome.node is not None]
    bound, proven = min(outcome.bound for outcome in outcomes), all(outcome.proven for outcome in outcomes)
    if not parts:
        return SearchOutcome(None, bound, proven)
    if any(outcome.minimal for outcome in parts):
        nodes = [node for outcome in parts for node in outcome.minimal]
        minimal = [node for node in nodes if not any(other != node and is_above(node, other) for other in nodes)]
        minimal.sort(key=evaluator.rank)
        return SearchOutcome(minimal[0], bound, proven=False, minimal=tuple(minimal))
    if not proven and evaluator.stopped is not None:
        nodes = [outcome.node for outcome in parts if outcome.node is not None]
        return SearchOutcome(min(nodes, key=evaluator.rank), bound, proven=False)
    if not proven:
        nodes = [outcome.node for outcome in parts if outcome.node is not None]
        return SearchOutcome(min(nodes, key=lambda node: (sum(node), node)), bound, proven=False)
    nodes = sorted((node for outcome in parts for node in (outcome.node, *outcome.ties) if node), key=evaluator.rank)
    value = evaluator.value(nodes[0])
    best, *ties = [node for node in nodes if evaluator.value(node) == value]
    return SearchOutcome(best, value, proven=True, ties=tuple(ties))


def steps_up(lattice: Lattice, node: Node) -> Iterator[tuple[int, Node]]:
    """Yield the attributes that can be raised, in declared order, each with the node one level higher."""
    for position, level in enumerate(node):
        if level < lattice.top[position]:
            yield position, (*node[:position], level + 1, *node[position + 1 :])


def walk(evaluator: Evaluator, lattice: Lattice, step: Callable[[Node], Node | None]) -> SearchOutcome:
    """Return the first satisfying node on the path upwards that `step` continues."""
    node: Node | None = lattice.bottom
    while node is not None and not evaluator.satisfies(node):
        node = step(node)
    return SearchOutcome(node, evaluator.objective.floor(lattice.bottom), proven=False)


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


def refine(evaluator: Evaluator, lattice: Lattice, node: Node) -> Node:
    """Move down from the node of a heuristic to one from which no step down satisfies with a lower or equal objective.

    Each step lowers the objective the most; ties are broken by declared order.
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
        # min returns the first of equal values, and the steps are in declared order
        node = min(candidates, key=evaluator.value)

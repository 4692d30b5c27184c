"""The interface of a lattice search and its outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from duckanon.lattice import Lattice, Node, is_above
from duckanon.metrics.objective import Value
from duckanon.search.evaluation.evaluator import Evaluator


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

"""What a search is given and what it gives."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from duckanon.lattice import Lattice, Node, is_above
from duckanon.metrics.objective import Value
from duckanon.search.evaluation.evaluator import Evaluator


@dataclass(frozen=True)
class SearchOutcome:
    """The node that a search settled on, or None; `bound` is a proven lower bound of the objective over all satisfying nodes."""

    node: Node | None
    bound: Value
    proven: bool
    ties: tuple[Node, ...] = field(default=())
    """Other satisfying nodes of the same value, in canonical order; known only where the search proves its answer."""
    minimal: tuple[Node, ...] = field(default=())
    """All satisfying nodes above no other one, where the search finds them, the best first."""
    refined_from: Node | None = None
    """Where a heuristic ended, if a pass back down led further."""


class Search(Protocol):
    """A lattice search."""

    def __call__(self, evaluator: Evaluator, lattice: Lattice) -> SearchOutcome: ...


def least(outcomes: Sequence[SearchOutcome], evaluator: Evaluator) -> SearchOutcome:
    """The outcome of a lattice searched in parts, because nothing follows from one part to another."""
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

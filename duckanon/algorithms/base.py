"""What a search is given and what it gives."""

from dataclasses import dataclass, field
from typing import Protocol

from duckanon.algorithms.evaluate import Evaluator
from duckanon.lattice import Lattice, Node
from duckanon.metrics.objective import Value


@dataclass(frozen=True)
class Outcome:
    """The node that a search settled on, or None; `bound` is a proven lower bound of the objective over all satisfying nodes."""

    node: Node | None
    bound: Value
    proven: bool
    ties: tuple[Node, ...] = field(default=())
    """Other satisfying nodes of the same value, in canonical order; known only where the search proves its answer."""


class Search(Protocol):
    """A lattice search."""

    def __call__(self, evaluator: Evaluator, lattice: Lattice) -> Outcome: ...

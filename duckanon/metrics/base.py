"""What every objective of a search has."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost

Value = Any
"""A whole number, fraction or rounded float: one kind an objective, compared with its own kind only."""


class Objective(ABC):
    """A figure of a node; the less the better."""

    name: str
    aggregate: str | None = None

    @abstractmethod
    def floor(self, node: Node, suppressed: int = 0) -> Value:
        """A lower bound of the node's value, from the marginals, where at least so many rows are suppressed.

        It never falls from a node to one above, nor with more rows suppressed.
        """

    def floor_above(self, figures: Figures) -> Value:
        """A lower bound of the value of every node above one with these figures."""
        return 0

    @abstractmethod
    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> Value:
        """The node's value; asks for the lost rows only where there are some and they matter."""

    def published(self, value: Value) -> float:
        """The value as it is defined, for people."""
        return float(value)

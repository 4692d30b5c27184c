"""The base class of the objectives of a search."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost

Value = Any
"""A whole number, fraction or rounded float. Each objective has one of these types and compares only its own values."""


class Objective(ABC):
    """A figure of a node that the search minimizes."""

    name: str
    aggregate: str | None = None

    @abstractmethod
    def floor(self, node: Node, suppressed: int = 0) -> Value:
        """A lower bound of the node's value, computed from the marginals, if at least this many rows are suppressed.

        It does not decrease from a node to a node above, nor with more suppressed rows.
        """

    def floor_above(self, figures: Figures) -> Value:
        """A lower bound of the values of all nodes above a node with these figures."""
        return 0

    @abstractmethod
    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> Value:
        """The node's value. Calls `lost` only if there are suppressed rows and they affect the value."""

    def published(self, value: Value) -> float:
        """The value in its published definition, for reports."""
        return float(value)

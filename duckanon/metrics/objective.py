"""What a search minimizes."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from duckanon.choices import Aggregate, ObjectiveName
from duckanon.lattice import Node
from duckanon.metrics.class_sizes import ClassSize, Discernibility
from duckanon.metrics.entropy import Entropy
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.levels import Distortion, Height, Imprecision
from duckanon.metrics.loss import GeometricMeanLoss, MaximumLoss, MeanLoss

Value = Any
"""A whole number, fraction or rounded float: one kind an objective, compared with its own kind only."""


class Objective(Protocol):
    """A figure of a node; the less the better."""

    name: str
    aggregate: str | None

    def floor(self, node: Node, suppressed: int = 0) -> Value:
        """A lower bound of the node's value, from the marginals, where at least so many rows are suppressed.

        It never falls from a node to one above, nor with more rows suppressed.
        """

    def floor_above(self, figures: Figures) -> Value:
        """A lower bound of the value of every node above one with these figures."""

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> Value:
        """The node's value; asks for the lost rows only where there are some and they matter."""

    def published(self, value: Value) -> float:
        """The value as it is defined, for people."""


_AGGREGATES: dict[Aggregate, Callable[[Sequence[Marginals], int], Objective]] = {
    "mean": MeanLoss,
    "geometric-mean": GeometricMeanLoss,
    "max": MaximumLoss,
}


def objective(
    name: ObjectiveName, aggregate: Aggregate, marginals: Sequence[Marginals], rows: int, least_rows: int
) -> Objective:
    """The objective of that name over N rows; the aggregate concerns loss only, no class has fewer than `least_rows`."""
    match name:
        case "loss":
            return _AGGREGATES[aggregate](marginals, rows)
        case "precision":
            return Imprecision(marginals, rows)
        case "discernibility":
            return Discernibility(rows)
        case "class-size":
            return ClassSize(rows, least_rows)
        case "entropy":
            return Entropy(marginals)
        case "distortion":
            return Distortion(marginals, rows)
        case "height":
            return Height()

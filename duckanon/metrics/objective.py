"""The objective that a search minimizes: of the losses, of the levels only (precision and distortion), or of the sizes of the equivalence classes
(discernibility and average class size).
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm, prod
from typing import Any

from duckanon.choices import Aggregate, ObjectiveName
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.loss import rounded, summed_excess

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


class LeastExcess:
    """The least excess of an attribute if at least a number of rows are suppressed: those whose suppression adds least."""

    def __init__(self, attribute: Marginals, rows: int) -> None:
        self._attribute = attribute
        self._levels = [self._gains(attribute, level, rows) for level in range(attribute.height + 1)]

    def at(self, level: int, suppressed: int) -> int:
        """The leaves lost beyond the first, summed over all rows."""
        excess = self._attribute.excess[level]
        if not suppressed:
            return excess
        reached, gained, gains = self._levels[level]
        position = bisect_right(reached, suppressed)
        if position == 0:
            return excess + suppressed * gains[0]
        rest = suppressed - reached[position - 1]
        return excess + gained[position - 1] + (rest * gains[position] if rest else 0)

    @staticmethod
    def _gains(attribute: Marginals, level: int, rows: int) -> tuple[list[int], list[int], list[int]]:
        """For the labels by increasing gain per row: cumulative rows, cumulative excess gained, and the gain per row."""
        general = [
            (attribute.span - leaves + 1, attribute.rows[level][code]) for code, leaves in attribute.leaves[level].items()
        ]
        single = rows - sum(count for _, count in general)
        ordered = sorted([*general, (attribute.span, single)])
        return (
            list(accumulate(count for _, count in ordered)),
            list(accumulate(gain * count for gain, count in ordered)),
            [gain for gain, _ in ordered],
        )


class InformationLoss(Objective):
    """The losses of the attributes as one figure, from the leaves that each loses beyond the first."""

    name = "loss"

    def __init__(self, marginals: Sequence[Marginals], rows: int) -> None:
        self._marginals = marginals
        self._least = [LeastExcess(attribute, rows) for attribute in marginals]
        self._factors = [attribute.weight / (rows * attribute.span) for attribute in marginals]

    def floor(self, node: Node, suppressed: int = 0) -> Value:
        return self.aggregated([least.at(level, suppressed) for least, level in zip(self._least, node, strict=True)])

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> Value:
        if not figures.suppressed:
            return self.floor(node)
        return self.aggregated(summed_excess(self._marginals, node, lost()) if figures.excess is None else figures.excess)

    @abstractmethod
    def aggregated(self, excess: Sequence[int]) -> Value:
        """The value, from the leaves that each attribute loses beyond the first, summed over all rows."""


class MeanLoss(InformationLoss):
    """Weighted mean of `loss_j`, compared as a whole number over one common denominator."""

    aggregate = "mean"

    def __init__(self, marginals: Sequence[Marginals], rows: int) -> None:
        super().__init__(marginals, rows)
        shares = [factor / sum(attribute.weight for attribute in marginals) for factor in self._factors]
        self._denominator = lcm(*(share.denominator for share in shares))
        self._whole = [int(share * self._denominator) for share in shares]
        self._at_levels = [
            [whole * excess for excess in attribute.excess] for whole, attribute in zip(self._whole, marginals, strict=True)
        ]

    def floor(self, node: Node, suppressed: int = 0) -> int:
        if suppressed:
            return self.aggregated([least.at(level, suppressed) for least, level in zip(self._least, node, strict=True)])
        # searches ask for the floors of far more nodes than they visit
        return sum(at_level[level] for at_level, level in zip(self._at_levels, node, strict=True))

    def published(self, value: int) -> float:
        return float(Fraction(value, self._denominator))

    def aggregated(self, excess: Sequence[int]) -> int:
        return sum(factor * leaves for factor, leaves in zip(self._whole, excess, strict=True))


class MaximumLoss(InformationLoss):
    """The largest weighted `loss_j`, compared exactly."""

    aggregate = "max"

    def aggregated(self, excess: Sequence[int]) -> Fraction:
        return max(factor * leaves for factor, leaves in zip(self._factors, excess, strict=True))


class GeometricMeanLoss(InformationLoss):
    """(prod_j (w_j loss_j + 1))^(1/d) - 1, compared to twelve significant digits (Prasser et al. 2014)."""

    aggregate = "geometric-mean"

    def __init__(self, marginals: Sequence[Marginals], rows: int) -> None:
        super().__init__(marginals, rows)
        self._shares = [float(attribute.weight) / (rows * attribute.span) for attribute in marginals]

    def aggregated(self, excess: Sequence[int]) -> float:
        product = prod(share * leaves + 1 for share, leaves in zip(self._shares, excess, strict=True))
        return rounded(product ** (1 / len(excess)) - 1)


class _LevelMean(Objective):
    """The mean over rows and columns of a number that each level has; a suppressed row counts 1."""

    def __init__(self, numbers: Sequence[Sequence[Fraction]], rows: int) -> None:
        self._rows = rows
        self._unit = lcm(*(number.denominator for levels in numbers for number in levels))
        self._steps = [[int(number * self._unit) for number in levels] for levels in numbers]
        self._denominator = rows * len(numbers) * self._unit

    def floor(self, node: Node, suppressed: int = 0) -> int:
        return self._of(node, suppressed)

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> int:
        return self._of(node, figures.suppressed)

    def published(self, value: int) -> float:
        return float(Fraction(value, self._denominator))

    def _of(self, node: Node, suppressed: int) -> int:
        reached = sum(steps[level] for steps, level in zip(self._steps, node, strict=True))
        return (self._rows - suppressed) * reached + suppressed * len(node) * self._unit


class Imprecision(_LevelMean):
    """1 - precision: the mean of level / height; a suppressed row counts 1 (Sweeney 2002)."""

    name = "precision"

    def __init__(self, marginals: Sequence[Marginals], rows: int) -> None:
        super().__init__(
            [[Fraction(level, max(1, attribute.height)) for level in range(attribute.height + 1)] for attribute in marginals],
            rows,
        )


class Distortion(_LevelMean):
    """The mean of the losses that the hierarchies declare for their levels; a suppressed row counts 1."""

    name = "distortion"

    def __init__(self, marginals: Sequence[Marginals], rows: int) -> None:
        super().__init__([attribute.losses or () for attribute in marginals], rows)


class Discernibility(Objective):
    """Sum of n^2 over the released classes, plus N for each suppressed row (Bayardo, Agrawal 2005)."""

    name = "discernibility"

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def floor(self, node: Node, suppressed: int = 0) -> int:
        return self._rows * suppressed

    def floor_above(self, figures: Figures) -> int:
        """Merging classes increases the sum of squares. A suppressed row costs N, at least the size of its class."""
        return figures.squares

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> int:
        return figures.released_squares + self._rows * figures.suppressed


class ClassSize(Objective):
    """N over the number of released classes; the suppressed rows count as one class (LeFevre 2006)."""

    name = "class-size"

    def __init__(self, rows: int, least_rows: int) -> None:
        self._rows = rows
        self._least_rows = least_rows

    def floor(self, node: Node, suppressed: int = 0) -> Fraction:
        return Fraction(self._rows, (self._rows - suppressed) // self._least_rows + 1)

    def floor_above(self, figures: Figures) -> Fraction:
        """A class that passes above contains a class that passes here, or only failing classes; there are at most `rescuable` of the latter."""
        return Fraction(self._rows, max(1, figures.passing_classes + figures.rescuable + bool(figures.failing_rows)))

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> Fraction:
        return Fraction(self._rows, max(1, figures.released_classes + bool(figures.suppressed)))


_AGGREGATES: dict[Aggregate, Callable[[Sequence[Marginals], int], Objective]] = {
    "mean": MeanLoss,
    "geometric-mean": GeometricMeanLoss,
    "max": MaximumLoss,
}


def objective(
    name: ObjectiveName, aggregate: Aggregate, marginals: Sequence[Marginals], rows: int, least_rows: int
) -> Objective:
    """The objective of this name over N rows. The aggregate applies only to loss; no class has fewer than `least_rows`."""
    match name:
        case "loss":
            return _AGGREGATES[aggregate](marginals, rows)
        case "precision":
            return Imprecision(marginals, rows)
        case "discernibility":
            return Discernibility(rows)
        case "class-size":
            return ClassSize(rows, least_rows)
        case "distortion":
            return Distortion(marginals, rows)

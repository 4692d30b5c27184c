"""Information loss: the share of a hierarchy's leaves that a released value covers (Iyengar 2002).

A cell loses (M - 1) / (A - 1), where its label covers M of the A leaves. A suppressed row loses 1 in every attribute.
`loss_j` is the mean over all N rows of attribute j.
"""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm, prod

from duckanon.lattice import Node
from duckanon.metrics.base import Objective, Value
from duckanon.metrics.figures import Figures, Lost, Marginals

_DIGITS = 12


def attribute_losses(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> list[Fraction]:
    """The exact `loss_j` of each attribute."""
    return [
        Fraction(excess, figures.rows * attribute.span)
        for attribute, excess in zip(marginals, _excess(marginals, node, lost), strict=True)
    ]


def kept_losses(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> list[Fraction]:
    """As `attribute_losses`, over the released rows only; 0 if no row is released."""
    released = figures.released
    return [
        Fraction(excess - figures.suppressed * attribute.span, released * attribute.span) if released else Fraction(0)
        for attribute, excess in zip(marginals, _excess(marginals, node, lost), strict=True)
    ]


def _excess(marginals: Sequence[Marginals], node: Node, lost: Lost) -> list[int]:
    """Per attribute, the leaves lost beyond the first, summed over all rows. A suppressed cell loses the whole span."""
    return [
        attribute.excess[level]
        + sum(rows * (attribute.span - attribute.excess_of(level, code)) for code, rows in labels.items())
        for attribute, level, labels in zip(marginals, node, lost or [{}] * len(node), strict=True)
    ]


def attribute_gains(attribute: Marginals) -> list[int]:
    """The leaves that one suppressed row loses in addition to its label's, by level and label code: level * codes + code."""
    return [
        attribute.span - attribute.excess_of(level, code)
        for level in range(attribute.height + 1)
        for code in range(attribute.codes)
    ]


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


def rounded(value: float) -> float:
    """Round to twelve significant digits, the precision for comparing inexact objectives."""
    return float(f"{value:.{_DIGITS}g}")


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
        return self.aggregated(_excess(self._marginals, node, lost()) if figures.excess is None else figures.excess)

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

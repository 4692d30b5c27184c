"""Information loss: the share of a hierarchy's leaves that a released value covers (Iyengar 2002).

A cell loses (M - 1) / (A - 1), where its label covers M of the A leaves. A suppressed row loses 1 in every attribute.
`loss_j` is the mean over all N rows of attribute j.
"""

from collections.abc import Sequence
from fractions import Fraction

from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals

_DIGITS = 12


def attribute_losses(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> list[Fraction]:
    """The exact `loss_j` of each attribute."""
    return [
        Fraction(excess, figures.rows * attribute.span)
        for attribute, excess in zip(marginals, summed_excess(marginals, node, lost), strict=True)
    ]


def kept_losses(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> list[Fraction]:
    """As `attribute_losses`, over the released rows only; 0 if no row is released."""
    released = figures.released
    return [
        Fraction(excess - figures.suppressed * attribute.span, released * attribute.span) if released else Fraction(0)
        for attribute, excess in zip(marginals, summed_excess(marginals, node, lost), strict=True)
    ]


def summed_excess(marginals: Sequence[Marginals], node: Node, lost: Lost) -> list[int]:
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


def rounded(value: float) -> float:
    """Round to twelve significant digits, the precision for comparing inexact objectives."""
    return float(f"{value:.{_DIGITS}g}")

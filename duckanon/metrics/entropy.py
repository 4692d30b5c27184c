"""Non-uniform entropy: the bits about the original values that the release withholds (Gionis, Tassa 2009)."""

from collections.abc import Callable, Sequence
from math import log2

from duckanon.lattice import Node
from duckanon.metrics.base import Objective
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.loss import rounded

_NOISE = 1e-13
"""The relative floating-point error of the bits of all rows under one label."""


class Entropy(Objective):
    """Bits over all rows and attributes, compared to twelve significant digits.

    Generalization withholds log2(F / f) bits per cell, where f and F are the rows of the value and of its label.
    Suppression additionally withholds what the label disclosed about the suppressed rows.
    """

    name = "entropy"

    def __init__(self, marginals: Sequence[Marginals]) -> None:
        self._marginals = marginals

    def floor(self, node: Node, suppressed: int = 0) -> float:
        return rounded(self._generalized(node))

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> float:
        if not figures.suppressed:
            return self.floor(node)
        suppressed = figures.suppressed
        withheld = sum(suppressed * log2(suppressed) - sum(rows * log2(rows) for rows in labels.values()) for labels in lost())
        return rounded(self._generalized(node) + withheld)

    def _generalized(self, node: Node) -> float:
        levels = zip(self._marginals, node, strict=True)
        return sum(withheld_bits(attribute, attribute.information[level]) for attribute, level in levels)


def withheld_bits(attribute: Marginals, information: float) -> float:
    """The bits that labels of this information withhold; 0 if they have the same rows as the values.

    Both sums depend on the order of their terms. Two values with one row each that share a label withhold 2 bits, far more than
    this error.
    """
    bits = information - attribute.original
    return bits if bits > _NOISE * attribute.information[-1] else 0.0

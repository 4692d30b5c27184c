"""Non-uniform entropy: the bits about the original values that the release withholds (Gionis, Tassa 2009)."""

from collections.abc import Sequence
from math import log2

from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.loss import rounded

_NOISE = 1e-13
"""The relative floating-point error of the bits of all rows under one label."""


def entropy(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> float:
    """Bits over all rows and attributes, to twelve significant digits.

    Generalization withholds log2(F / f) bits per cell, where f and F are the rows of the value and of its label.
    Suppression additionally withholds what the label disclosed about the suppressed rows.
    """
    levels, suppressed = zip(marginals, node, strict=True), figures.suppressed
    withheld = sum(withheld_bits(attribute, attribute.information[level]) for attribute, level in levels)
    if suppressed:
        withheld += sum(suppressed * log2(suppressed) - sum(rows * log2(rows) for rows in labels.values()) for labels in lost)
    return rounded(withheld)


def withheld_bits(attribute: Marginals, information: float) -> float:
    """The bits that labels of this information withhold; 0 if they have the same rows as the values.

    Both sums depend on the order of their terms. Two values with one row each that share a label withhold 2 bits, far more than
    this error.
    """
    bits = information - attribute.original
    return bits if bits > _NOISE * attribute.information[-1] else 0.0

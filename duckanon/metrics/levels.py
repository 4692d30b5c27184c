"""Metrics of the levels alone: precision, distortion and height."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals


class Imprecision:
    """1 - precision: the mean of level over height, a suppressed row counting 1 (Sweeney 2002)."""

    name = "precision"
    aggregate: str | None = None

    def __init__(self, marginals: Sequence[Marginals], rows: int) -> None:
        self._rows = rows
        self._unit = lcm(*(max(1, attribute.height) for attribute in marginals))
        self._steps = [self._unit // attribute.height if attribute.height else 0 for attribute in marginals]
        self._denominator = rows * len(marginals) * self._unit

    def floor(self, node: Node, suppressed: int = 0) -> int:
        return self._of(node, suppressed)

    def floor_above(self, figures: Figures) -> int:
        return 0

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> int:
        return self._of(node, figures.suppressed)

    def published(self, value: int) -> float:
        return float(Fraction(value, self._denominator))

    def _of(self, node: Node, suppressed: int) -> int:
        climbed = sum(step * level for step, level in zip(self._steps, node, strict=True))
        return (self._rows - suppressed) * climbed + suppressed * len(node) * self._unit


class Distortion:
    """The mean of the levels' own losses, a suppressed row counting 1; every hierarchy says its losses."""

    name = "distortion"
    aggregate: str | None = None

    def __init__(self, marginals: Sequence[Marginals], rows: int) -> None:
        self._rows = rows
        losses = [attribute.losses or () for attribute in marginals]
        self._unit = lcm(*(loss.denominator for attribute in losses for loss in attribute))
        self._steps = [[int(loss * self._unit) for loss in attribute] for attribute in losses]
        self._denominator = rows * len(marginals) * self._unit

    def floor(self, node: Node, suppressed: int = 0) -> int:
        return self._of(node, suppressed)

    def floor_above(self, figures: Figures) -> int:
        return 0

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> int:
        return self._of(node, figures.suppressed)

    def published(self, value: int) -> float:
        return float(Fraction(value, self._denominator))

    def _of(self, node: Node, suppressed: int) -> int:
        lost = sum(steps[level] for steps, level in zip(self._steps, node, strict=True))
        return (self._rows - suppressed) * lost + suppressed * len(node) * self._unit


class Height:
    """The sum of the levels."""

    name = "height"
    aggregate: str | None = None

    def floor(self, node: Node, suppressed: int = 0) -> int:
        return sum(node)

    def floor_above(self, figures: Figures) -> int:
        return 0

    def value(self, node: Node, figures: Figures, lost: Callable[[], Lost]) -> int:
        return sum(node)

    def published(self, value: int) -> float:
        return float(value)

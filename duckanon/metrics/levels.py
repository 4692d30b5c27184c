"""Metrics that depend only on the levels: precision and distortion."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from duckanon.lattice import Node
from duckanon.metrics.base import Objective
from duckanon.metrics.figures import Figures, Lost, Marginals


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

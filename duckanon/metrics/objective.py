"""The objective that a search minimizes: of the losses, of the levels only (precision and distortion), or of the sizes of the equivalence classes
(discernibility and average class size).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from duckanon.choices import Aggregate, ObjectiveName
from duckanon.lattice import Node
from duckanon.metrics.base import Objective as Objective
from duckanon.metrics.base import Value as Value
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.loss import GeometricMeanLoss, MaximumLoss, MeanLoss


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

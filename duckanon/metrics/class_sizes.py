"""Metrics of the sizes of the equivalence classes: discernibility and average class size."""

from collections.abc import Callable
from fractions import Fraction

from duckanon.lattice import Node
from duckanon.metrics.base import Objective
from duckanon.metrics.figures import Figures, Lost


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

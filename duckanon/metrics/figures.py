"""The counts that every metric is made of, as whole numbers from the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Marginals:
    """One quasi-identifier over all N rows, before any grouping; lists run over levels 0 to the top."""

    name: str
    weight: Fraction
    height: int
    domain: int
    """Leaves of the hierarchy."""
    excess: tuple[int, ...]
    """Per level: leaves beyond the first under each row's label, summed over the rows."""
    information: tuple[float, ...]
    """Per level: sum of n log2 n over the labels, n their rows."""
    leaves: tuple[Mapping[int, int], ...]
    """Per level: leaves under each label code that stands for more than one."""
    rows: tuple[Mapping[int, int], ...]
    """Per level: rows under the same label codes."""
    distinct: tuple[int, ...] = ()
    """Per level: labels that the data has."""
    codes: int = 1
    """Label codes lie below it on every level."""
    losses: tuple[Fraction, ...] | None = None
    """Per level: what it loses by its author's word, growing from 0 to 1 at the most; None where nobody said."""

    @property
    def span(self) -> int:
        """Leaves that a suppressed cell loses: all but the first, and one where the hierarchy has a single leaf."""
        return max(1, self.domain - 1)

    def excess_of(self, level: int, code: int) -> int:
        """Leaves beyond the first under one label."""
        return self.leaves[level].get(code, 1) - 1


@dataclass(frozen=True)
class Figures:
    """A node: N rows in classes of size n, of which the failing ones are suppressed whole."""

    rows: int
    classes: int
    smallest: int
    failing_classes: int
    suppressed: int
    squares: int
    """Sum of n^2 over all classes."""
    released_squares: int
    """Sum of n^2 over the classes that pass."""
    released_smallest: int
    """Rows of the smallest class that passes, 0 where none does."""
    released_largest: int
    failing_rows: int
    """Rows of the classes that fail by themselves: those suppressed, but for classes that join starred rows."""
    passing_classes: int
    """Classes that pass by themselves."""
    rescuable: int
    """At the most so many classes that pass can be made of the failing rows alone."""
    least_below: int
    """At every node below at least so many rows are suppressed."""

    @property
    def released(self) -> int:
        return self.rows - self.suppressed

    @property
    def released_classes(self) -> int:
        return self.classes - self.failing_classes


Lost = tuple[Mapping[int, int], ...]
"""Per quasi-identifier: suppressed rows under each label code of a node."""

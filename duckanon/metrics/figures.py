"""The counts from which all metrics are computed, as whole numbers from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Marginals:
    """One quasi-identifier over all N rows, before any grouping. Sequences have one entry per level, from 0 to the top."""

    name: str
    weight: Fraction
    height: int
    domain: int
    """Leaves of the hierarchy."""
    excess: tuple[int, ...]
    """Per level: the leaves beyond the first under each row's label, summed over the rows."""
    information: tuple[float, ...]
    """Per level: the sum over the rows of log2 n, where n is the rows under the row's label; all rows, if it covers all leaves."""
    original: float
    """The same of the values, before labels of level 0 replace some."""
    leaves: tuple[Mapping[int, int], ...]
    """Per level: the leaves under each label code that covers more than one."""
    rows: tuple[Mapping[int, int], ...]
    """Per level: the rows of the same label codes."""
    distinct: tuple[int, ...] = ()
    """Per level: the number of labels in the data."""
    codes: int = 1
    """An upper bound: label codes on every level are lower."""
    losses: tuple[Fraction, ...] | None = None
    """Per level: the loss that the hierarchy declares, increasing from 0 to at most 1; None if it declares no losses."""

    @property
    def span(self) -> int:
        """The leaves that a suppressed cell loses: all but the first, or one if the hierarchy has a single leaf."""
        return max(1, self.domain - 1)

    def excess_of(self, level: int, code: int) -> int:
        """The leaves beyond the first under one label."""
        return self.leaves[level].get(code, 1) - 1


@dataclass(frozen=True)
class Figures:
    """The figures of a node: N rows in classes of size n, where failing classes are suppressed completely."""

    rows: int
    classes: int
    smallest: int
    failing_classes: int
    suppressed: int
    squares: int
    """The sum of n^2 over all classes."""
    released_squares: int
    """The sum of n^2 over the classes that pass."""
    released_smallest: int
    """The rows of the smallest class that passes; 0 if none does."""
    released_largest: int
    failing_rows: int
    """The rows of the classes that fail on their own. They are suppressed, except classes that join the masked records."""
    passing_classes: int
    """The number of classes that pass on their own."""
    rescuable: int
    """The maximum number of passing classes that can be formed from only the failing rows."""
    least_below: int
    """A lower bound of the rows that are suppressed at every node below."""
    excess: tuple[int, ...] | None = None
    """Per quasi-identifier: the leaves lost beyond the first, summed over all rows; None if they are counted by another statement."""

    @classmethod
    def counted(cls, rows: int, least_rows: int, counts: Sequence[int], excess: tuple[int, ...] | None = None) -> "Figures":
        """The figures of N rows whose passing classes have `least_rows` or more.

        Counts: classes; rows of the smallest class, of the smallest and of the largest that passes; failing classes and suppressed
        rows; the squares of all classes and of those that pass; rows and classes that join the masked records; `least_below`.
        """
        classes, smallest, released_smallest, released_largest, failing_classes = counts[:5]
        suppressed, squares, released_squares, joining_rows, joining_classes, least_below = counts[5:]
        return cls(
            rows=rows,
            classes=classes,
            smallest=smallest,
            released_smallest=released_smallest,
            released_largest=released_largest,
            failing_classes=failing_classes,
            suppressed=suppressed,
            squares=squares,
            released_squares=released_squares,
            failing_rows=suppressed - joining_rows,
            passing_classes=classes - failing_classes + joining_classes,
            rescuable=min(failing_classes - joining_classes, (suppressed - joining_rows) // least_rows),
            least_below=least_below,
            excess=excess,
        )

    @property
    def released(self) -> int:
        return self.rows - self.suppressed

    @property
    def released_classes(self) -> int:
        return self.classes - self.failing_classes


Lost = tuple[Mapping[int, int], ...]
"""Per quasi-identifier: the suppressed rows under each label code of a node."""


def separation(squares: float, rows: int) -> float:
    """The share of the pairs of rows that are in different groups, from the sum of the groups' squared sizes (Motwani, Xu 2007)."""
    return 1 - (squares - rows) / (rows * (rows - 1)) if rows > 1 else 0.0

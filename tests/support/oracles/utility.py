"""The utility of a release, restated in plain Python, from the definitions and without our code.

N rows, d columns, s suppressed rows; M leaves under a label, A leaves of the column's domain.
Ratios of whole numbers are exact.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, log2, prod, sqrt
from statistics import median

Row = Sequence[Hashable]
Query = Mapping[int, Collection[Hashable]]
"""Column to the original values asked for: rows that have one of them, in each of these columns."""


@dataclass(frozen=True)
class Release:
    """Input and release, row by row."""

    rows: Sequence[Row]
    released: Sequence[Row | None]
    """Labels; None is a suppressed row."""
    leaves: Sequence[Mapping[Hashable, frozenset[Hashable]]]
    """For each column, the original values under a label; an original value is under itself."""
    domain: Sequence[int]
    """A of each column."""

    @property
    def kept(self) -> list[Row]:
        return [row for row in self.released if row is not None]

    @property
    def suppressed(self) -> int:
        return len(self.released) - len(self.kept)

    @property
    def classes(self) -> Counter[tuple[Hashable, ...]]:
        return Counter(tuple(row) for row in self.kept)

    def under(self, column: int, label: Hashable) -> int:
        """M of a label."""
        return len(self.leaves[column][label])

    def area(self, row: Row | None) -> int:
        """Combinations of original values that a released row may have been; any of the domain for a suppressed one."""
        return prod(self.domain) if row is None else prod(self.under(column, label) for column, label in enumerate(row))


# Loss


def cell_loss(leaves: int, domain: int) -> Fraction:
    """(M - 1) / (A - 1) (Iyengar 2002); a suppressed cell has M = A; 0 where A = 1, suppressed or not."""
    return Fraction(leaves - 1, domain - 1) if domain > 1 else Fraction(0)


def losses(release: Release) -> list[Fraction]:
    """`loss_j`: a column's mean over all N rows."""
    return [sum(_cells(release, column), Fraction(0)) / len(release.rows) for column in range(len(release.domain))]


def _cells(release: Release, column: int) -> list[Fraction]:
    domain = release.domain[column]
    return [cell_loss(domain if row is None else release.under(column, row[column]), domain) for row in release.released]


def loss(release: Release, weights: Sequence[Fraction | int] = ()) -> Fraction:
    """Weighted mean of `loss_j`."""
    each = weights or [1] * len(release.domain)
    total = sum((weight * share for weight, share in zip(each, losses(release), strict=True)), Fraction(0))
    return total / sum(each)


def loss_sum(release: Release) -> Fraction:
    return sum(losses(release), Fraction(0))


def loss_kept(release: Release) -> Fraction | None:
    """`loss_sum` over the released rows alone; None where there are none."""
    kept = release.kept
    return loss_sum(Release(kept, kept, release.leaves, release.domain)) if kept else None


def granularity(release: Release) -> Fraction:
    return 1 - loss(release)


def precision(release: Release, levels: Sequence[int], heights: Sequence[int]) -> Fraction:
    """1 - mean_j ((N - s) l_j / h_j + s) / N (Sweeney 2002), with suppression; a column with h = 0 loses nothing."""
    rows, gone = len(release.rows), release.suppressed
    lost = [
        ((rows - gone) * Fraction(level, height) + gone) / rows if height else Fraction(0)
        for level, height in zip(levels, heights, strict=True)
    ]
    return 1 - sum(lost, Fraction(0)) / len(lost)


# Classes


def discernibility(release: Release) -> int:
    """sum of n^2 over the released classes, plus N * s (Bayardo, Agrawal 2005)."""
    return sum(n * n for n in release.classes.values()) + len(release.rows) * release.suppressed


def average_class_size(release: Release) -> Fraction | None:
    """Released rows / released classes (LeFevre et al. 2006; C_AVG is that / k); None where nothing is released."""
    return Fraction(len(release.kept), len(release.classes)) if release.kept else None


def class_size(release: Release) -> Fraction:
    """The objective: N / (classes + 1 where rows are suppressed)."""
    return Fraction(len(release.rows), len(release.classes) + (release.suppressed > 0))


def ambiguity(release: Release) -> int:
    """sum over the rows of prod_j M_j; prod_j A_j for a suppressed one."""
    return sum(release.area(row) for row in release.released)


# Information


def kl_divergence(release: Release) -> float:
    """sum over distinct combinations of p log2(p / q), p = rows / N, q = n / (N * area of the class).

    The suppressed rows are one class, of s rows and the area of the domain. Rows that are alike have to be in one class, as
    they are where a whole column has one level: elsewhere q is not defined (Kifer, Gehrke 2006 would add up the classes).
    """
    where: dict[tuple[Hashable, ...], tuple[Hashable, ...] | None] = {}
    for row, label in zip(release.rows, release.released, strict=True):
        key = None if label is None else tuple(label)
        if where.setdefault(tuple(row), key) != key:
            raise ValueError(f"{row} is in two classes")
    total, sizes = len(release.rows), release.classes
    counts = Counter(tuple(row) for row in release.rows)
    return fsum(
        count / total * log2(Fraction(count * release.area(key), release.suppressed if key is None else sizes[key]))
        for (row, key) in where.items()
        for count in [counts[row]]
    )


def entropy(rows: Sequence[Row], generalized: Sequence[Row], suppressed: Sequence[bool]) -> float:
    """Non-uniform entropy (Gionis, Tassa 2009); `generalized` has the labels of the suppressed rows too.

    - sum_j [ sum over all rows of log2(f(original) / F(label)) + sum over suppressed rows of log2(g(label) / s) ];
    f and F count all N rows, g the suppressed ones.
    """
    return -fsum(
        term
        for originals, labels in zip(zip(*rows, strict=True), zip(*generalized, strict=True), strict=True)
        for term in _entropy_terms(originals, labels, suppressed)
    )


def _entropy_terms(originals: Row, labels: Row, suppressed: Sequence[bool]) -> list[float]:
    fine, coarse = Counter(originals), Counter(labels)
    gone = [label for label, without in zip(labels, suppressed, strict=True) if without]
    among = Counter(gone)
    kept = [log2(Fraction(fine[value], coarse[label])) for value, label in zip(originals, labels, strict=True)]
    return kept + [log2(Fraction(among[label], len(gone))) for label in gone]


# Subgroups, association


def suppression(release: Release, column: int) -> dict[Hashable, tuple[int, int]]:
    """For each original value of a column, its rows and those of them that are suppressed."""
    rows = Counter(row[column] for row in release.rows)
    gone = Counter(row[column] for row, label in zip(release.rows, release.released, strict=True) if label is None)
    return {value: (count, gone[value]) for value, count in rows.items()}


def cramers_v(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Corrected for bias (Bergsma 2013, equations 5 to 7), of the table of labels.

    chi^2 / n = sum O^2 / (R C) - 1. None where a column has fewer than two labels, or as many as rows (0 / 0).
    """
    cells = Counter(pairs)
    down, across = Counter[Hashable](), Counter[Hashable]()
    for (first, other), count in cells.items():
        down[first] += count
        across[other] += count
    rows = sum(cells.values())
    if rows < 2:
        return None
    free = [len(down) - 1, len(across) - 1]
    least = min(each - Fraction(each * each, rows - 1) for each in free)
    if least <= 0:
        return None
    squares = sum((Fraction(n * n, down[this] * across[other]) for (this, other), n in cells.items()), Fraction(0))
    return min(1.0, sqrt(max(Fraction(0), squares - 1 - Fraction(free[0] * free[1], rows - 1)) / least))


def association(release: Release, first: int, other: int) -> tuple[float | None, float | None]:
    """Cramer's V of two columns: in the input, all rows; in the release, the released rows' labels."""
    before, after = (((row[first], row[other]) for row in rows) for rows in (release.rows, release.kept))
    return cramers_v(before), cramers_v(after)


# Count queries


def true_count(release: Release, query: Query) -> int:
    return sum(all(row[column] in values for column, values in query.items()) for row in release.rows)


def estimated_count(release: Release, query: Query) -> Fraction:
    """Each released row counts prod_j |leaves under its label that are asked for| / |leaves under its label|.

    Values are taken to be uniform under a label (LeFevre, DeWitt, Ramakrishnan 2006, Mondrian; Xiao, Tao 2006, Anatomy, for its
    generalized opponent). A suppressed row counts nothing.
    """
    return sum(
        (prod((_share(release, row, j, wanted) for j, wanted in query.items()), start=Fraction(1)) for row in release.kept),
        Fraction(0),
    )


def _share(release: Release, row: Row, column: int, wanted: Collection[Hashable]) -> Fraction:
    under = release.leaves[column][row[column]]
    return Fraction(len(under & frozenset(wanted)), len(under))


def relative_error(release: Release, query: Query) -> Fraction:
    """|estimate - true| / max(true, N / 1000); the bound of 0.1 % of the rows is that of Xiao, Wang, Gehrke 2010 (Privelet)."""
    true = true_count(release, query)
    return abs(estimated_count(release, query) - true) / max(Fraction(true), Fraction(len(release.rows), 1000))


def median_error(release: Release, queries: Iterable[Query]) -> Fraction:
    """Of an even number of queries, the mean of the two in the middle."""
    return median([relative_error(release, query) for query in queries])

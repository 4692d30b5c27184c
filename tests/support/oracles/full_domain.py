"""k-anonymity, losses and objectives restated in plain Python, from the definitions and without our code."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import log2
from typing import Any

Hierarchy = dict[Any, list[Any]]
"""Value to its labels from level 0 to the top."""


@dataclass(frozen=True)
class Table:
    """Rows of quasi-identifier values, and a hierarchy a column; leaves are those that the hierarchy lists."""

    rows: list[tuple[Any, ...]]
    hierarchies: list[Hierarchy]
    asks: Sequence[int] = ()
    """Each row's own k; empty where no row asks for one."""
    persons: Sequence[Hashable] = ()
    """Whose row it is, None for nobody known; empty where every row is a person."""
    levels: Sequence[Sequence[Fraction]] = ()
    """What each level of each hierarchy loses by its author's word, where one says so."""
    sensitive: Sequence[Any] = ()
    """Each row's sensitive value; empty where there is none."""
    holds: Callable[[Counter[Any]], bool] = lambda _: True
    """Whether the sensitive values of a class satisfy a model."""

    adversaries: Sequence[tuple[Sequence[int], int]] = ()
    """The columns that each adversary knows, by position, and its k; empty where one k holds for all columns together."""

    def asking(self, asks: Sequence[int] = (), persons: Sequence[Hashable] = ()) -> "Table":
        """The same rows, with what they ask for and whose they are."""
        return replace(self, asks=asks, persons=persons)

    @property
    def heights(self) -> list[int]:
        return [len(next(iter(h.values()))) - 1 for h in self.hierarchies]

    def nodes(self) -> list[tuple[int, ...]]:
        return list(product(*(range(height + 1) for height in self.heights)))

    def labels(self, node: tuple[int, ...]) -> list[tuple[Any, ...]]:
        return [
            tuple(h[value][level] for h, value, level in zip(self.hierarchies, row, node, strict=True)) for row in self.rows
        ]


@dataclass(frozen=True)
class Judged:
    """What a node does to a table: who is suppressed, and what each objective is worth."""

    suppressed: int
    released_classes: int
    objectives: dict[str, Any]
    losses: Sequence[Fraction] = ()
    """`loss_j` of each column."""


def withheld(
    sizes: Counter[tuple[Any, ...]], k: int, *, stars: bool, table: Table | None = None, labels: Sequence[tuple[Any, ...]] = ()
) -> set[tuple[Any, ...]]:
    """The classes that are suppressed; masked ones take the smallest others with them until they are k rows together.

    A class has to have as many rows as each of its own asks for, and where persons are known, as many distinct ones.
    """
    if table is not None and table.adversaries:
        return _withheld_from_adversaries(table, labels, stars=stars)
    required = dict.fromkeys(sizes, k)
    counted: dict[tuple[Any, ...], int] = dict(sizes)
    if table is not None:
        for label, ask in zip(labels, table.asks, strict=False):
            required[label] = max(required[label], ask)
        if table.persons:
            people: dict[tuple[Any, ...], set[Hashable]] = {label: set() for label in sizes}
            for label, person in zip(labels, table.persons, strict=True):
                people[label].add(person)
            counted = {label: len(known) for label, known in people.items()}
    failing = {label for label in sizes if counted[label] < required[label]}
    if table is not None and table.sensitive:
        values: dict[tuple[Any, ...], Counter[Any]] = {label: Counter() for label in sizes}
        for label, value in zip(labels, table.sensitive, strict=True):
            values[label][value] += 1
        failing |= {label for label, counts in values.items() if not table.holds(counts)}
    if stars and failing:
        for label in sorted(sizes.keys() - failing, key=lambda label: (sizes[label], label)):
            if sum(sizes[other] for other in failing) >= max(required[other] for other in failing):
                break
            failing.add(label)
    return failing


def _withheld_from_adversaries(table: Table, labels: Sequence[tuple[Any, ...]], *, stars: bool) -> set[tuple[Any, ...]]:
    """The classes that leave in rounds: those that some adversary finds in too small a group of the rows that are left."""
    left = set(labels)
    most = max(k for _, k in table.adversaries)
    while True:
        groups: dict[tuple[int, tuple[Any, ...]], list[int]] = {}
        for row, label in enumerate(labels):
            for number, (known, _) in enumerate(table.adversaries):
                if label in left:
                    groups.setdefault((number, tuple(label[place] for place in known)), []).append(row)
        failing = {
            label
            for label in left
            for number, (known, k) in enumerate(table.adversaries)
            if not _satisfies(table, groups[number, tuple(label[place] for place in known)], k)
        }
        masked = sum(label not in left for label in labels)
        if stars and not failing and 0 < masked < most and left:
            failing = {min(left, key=lambda label: (labels.count(label), label))}
        if not failing:
            return set(labels) - left
        left -= failing


def _satisfies(table: Table, rows: Sequence[int], k: int) -> bool:
    """Whether the rows of a group, or their persons, are k, and their sensitive values satisfy the model."""
    counted = len({table.persons[row] for row in rows}) if table.persons else len(rows)
    k = max([k, *(table.asks[row] for row in rows if table.asks)])
    return counted >= k and (not table.sensitive or table.holds(Counter(table.sensitive[row] for row in rows)))


def judge(table: Table, node: tuple[int, ...], k: int, weights: list[Fraction], *, stars: bool = False) -> Judged:
    """Every objective of definitions.md at one node."""
    labels = table.labels(node)
    sizes = Counter(labels)
    total, width = len(labels), len(node)
    lost_classes = withheld(sizes, k, stars=stars, table=table, labels=labels)
    gone = [label in lost_classes for label in labels]
    suppressed = sum(gone)
    released = [size for label, size in sizes.items() if label not in lost_classes]
    losses = []
    entropy = 0.0
    for j, (hierarchy, level) in enumerate(zip(table.hierarchies, node, strict=True)):
        leaves = Counter(line[level] for line in hierarchy.values())
        span = len(hierarchy) - 1
        cells = [
            Fraction(1) if lost else (Fraction(leaves[label[j]] - 1, span) if span else Fraction(0))
            for label, lost in zip(labels, gone, strict=True)
        ]
        losses.append(sum(cells, Fraction(0)) / total)
        original = Counter(row[j] for row in table.rows)
        general = Counter(label[j] for label in labels)
        entropy -= sum(log2(original[row[j]] / general[label[j]]) for row, label in zip(table.rows, labels, strict=True))
        among = Counter(label[j] for label, lost in zip(labels, gone, strict=True) if lost)
        entropy -= sum(count * log2(count / suppressed) for count in among.values())
    climbed = [Fraction(level, height) if height else Fraction(0) for level, height in zip(node, table.heights, strict=True)]
    shares = [losses[level] for losses, level in zip(table.levels, node, strict=False)]
    product_of = 1.0
    for weight, loss in zip(weights, losses, strict=True):
        product_of *= float(weight) * float(loss) + 1
    return Judged(
        suppressed,
        len(released),
        {
            "loss mean": sum((w * loss for w, loss in zip(weights, losses, strict=True)), Fraction(0)) / sum(weights),
            "loss max": max(w * loss for w, loss in zip(weights, losses, strict=True)),
            "loss geometric-mean": product_of ** (1 / width) - 1,
            "precision": sum(((total - suppressed) * c + suppressed for c in climbed), Fraction(0)) / (total * width),
            "discernibility": sum(size * size for size in released) + total * suppressed,
            "class-size": Fraction(total, max(1, len(released) + (suppressed > 0))),
            "entropy": entropy,
            "distortion": sum(((total - suppressed) * loss + suppressed for loss in shares), Fraction(0)) / (total * width),
        },
        losses,
    )


def rank(judged: Judged, objective: str, node: tuple[int, ...]) -> tuple[Any, int, tuple[int, ...]]:
    """The canonical order: least value, least height, lexicographically least; floats to twelve significant digits."""
    value = judged.objectives[objective]
    return (float(f"{value:.12g}") if isinstance(value, float) else value), sum(node), node


def best(
    table: Table,
    nodes: list[tuple[int, ...]],
    k: int,
    limit: int,
    objective: str,
    weights: list[Fraction],
    *,
    stars: bool = False,
) -> tuple[int, ...] | None:
    """The canonical optimum among these nodes, by trying them all."""
    ranked = []
    for node in nodes:
        judged = judge(table, node, k, weights, stars=stars)
        if judged.suppressed <= limit and judged.suppressed < len(table.rows):
            ranked.append(rank(judged, objective, node))
    return min(ranked)[2] if ranked else None

"""Local recoding in plain Python: passes over the lattice, each releasing what keeps the requirement among the rows that are left."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, log2, prod
from typing import Any

from tests.support.oracles.full_domain import Hierarchy
from tests.support.oracles.models import without_smallest

Label = tuple[Any, ...]
Node = tuple[int, ...]
Rows = Sequence[int]
"""The numbers of rows."""


@dataclass(frozen=True)
class Column:
    """A quasi-identifier over the whole table; NULL that no line lists keeps to itself up to the top, and is a leaf if it occurs."""

    lines: Hierarchy
    values: Sequence[Any]
    weight: Decimal = Decimal(1)
    least: int = 0
    most: int | None = None
    masked: bool = False
    """Whether NULL reads the top at every level and loses all."""

    @cached_property
    def height(self) -> int:
        return len(next(iter(self.lines.values()))) - 1

    @property
    def levels(self) -> range:
        return range(self.least, (self.height if self.most is None else self.most) + 1)

    def line(self, row: int) -> list[Any]:
        value = self.values[row]
        if value is None and None not in self.lines:
            top = next(iter(self.lines.values()))[-1]
            return [top] * (self.height + 1) if self.masked else [None] * self.height + [top]
        return self.lines[value]

    @cached_property
    def leaves(self) -> list[list[Any]]:
        """The lines of the leaves; masked, NULL is one only beside a single value."""
        is_leaf = None in self.values and None not in self.lines and (not self.masked or len(self.lines) == 1)
        return [*self.lines.values(), *([self.line(list(self.values).index(None))] if is_leaf else [])]

    def loss(self, row: int, level: int) -> Fraction:
        """(M - 1) / (A - 1) of the row's label."""
        if len(self.leaves) == 1:
            return Fraction(0)
        if self.masked and self.values[row] is None:
            return Fraction(1)
        under = sum(line[level] == self.line(row)[level] for line in self.leaves)
        return Fraction(max(under, 1) - 1, len(self.leaves) - 1)

    def mean(self, level: int) -> Fraction:
        return sum((self.loss(row, level) for row in range(len(self.values))), Fraction(0)) / len(self.values)

    def under(self, row: int, level: int) -> int:
        """The rows of the table under the row's label; all, if it covers every leaf."""
        if self.loss(row, level) == 1:
            return len(self.values)
        return sum(self.line(other)[level] == self.line(row)[level] for other in range(len(self.values)))


@dataclass(frozen=True)
class Recoded:
    """The node of each row, and the rows that are suppressed."""

    columns: Sequence[Column]
    nodes: Sequence[Node]
    gone: Collection[int]

    @property
    def labels(self) -> dict[int, Label]:
        """The labels of the released rows."""
        return {row: labels_at(self.columns, row, node) for row, node in enumerate(self.nodes) if row not in self.gone}

    @cached_property
    def losses(self) -> list[Fraction]:
        """`loss_j` of each column."""
        return [
            sum((self._lost(row) or column.loss(row, node[j]) for row, node in enumerate(self.nodes)), Fraction(0))
            / len(self.nodes)
            for j, column in enumerate(self.columns)
        ]

    @property
    def loss(self) -> Fraction:
        """The weighted mean."""
        weights = [Fraction(column.weight) for column in self.columns]
        return sum((weight * loss for weight, loss in zip(weights, self.losses, strict=True)), Fraction(0)) / sum(weights)

    @property
    def geometric_loss(self) -> float:
        weighted = zip(self.columns, self.losses, strict=True)
        return float(prod(float(column.weight) * float(loss) + 1 for column, loss in weighted) ** (1 / len(self.columns)) - 1)

    @property
    def largest_loss(self) -> Fraction:
        return max(Fraction(column.weight) * loss for column, loss in zip(self.columns, self.losses, strict=True))

    @property
    def precision(self) -> Fraction:
        lost = [
            self._lost(row) or Fraction(level, column.height)
            for row, node in enumerate(self.nodes)
            for column, level in zip(self.columns, node, strict=True)
        ]
        return 1 - sum(lost, Fraction(0)) / len(lost)

    @property
    def entropy(self) -> float:
        total = 0.0
        for j, column in enumerate(self.columns):
            own = Counter(column.values)
            total -= sum(log2(own[column.values[row]] / column.under(row, node[j])) for row, node in enumerate(self.nodes))
            among = Counter(column.line(row)[self.nodes[row][j]] for row in self.gone)
            total -= sum(count * log2(count / len(self.gone)) for count in among.values())
        return total

    @property
    def sizes(self) -> Counter[Label]:
        """The rows of each released class."""
        return Counter(self.labels.values())

    @property
    def discernibility(self) -> int:
        return sum(size * size for size in self.sizes.values()) + len(self.nodes) * len(self.gone)

    @property
    def passes(self) -> dict[Node, tuple[int, int]]:
        """Released rows and their classes, a node in the order of the passes."""
        at = {node: [label for row, label in self.labels.items() if self.nodes[row] == node] for node in ordered(self.columns)}
        return {node: (len(labels), len(set(labels))) for node, labels in at.items() if labels}

    def _lost(self, row: int) -> Fraction:
        return Fraction(row in self.gone)


def labels_at(columns: Sequence[Column], row: int, node: Node) -> Label:
    return tuple(column.line(row)[level] for column, level in zip(columns, node, strict=True))


def ordered(columns: Sequence[Column]) -> list[Node]:
    """All nodes, the one that loses least in squares first."""
    squares = [{level: (Fraction(column.weight) * column.mean(level)) ** 2 for level in column.levels} for column in columns]

    def rank(node: Node) -> tuple[float, Node]:
        total = sum((square[level] for square, level in zip(squares, node, strict=True)), Fraction(0))
        return float(f"{float(total):.12g}"), node

    return sorted(product(*(column.levels for column in columns)), key=rank)


def classes(columns: Sequence[Column], nodes: Mapping[int, Node]) -> dict[Label, list[int]]:
    """The rows by their labels, each at its node."""
    collected: dict[Label, list[int]] = {}
    for row, node in nodes.items():
        collected.setdefault(labels_at(columns, row, node), []).append(row)
    return collected


def recode(
    columns: Sequence[Column],
    keeps: Callable[[Rows], bool],
    order: Sequence[Node],
    risk: Decimal | None = None,
    k: int | None = None,
    fallback: Node | None = None,
) -> Recoded:
    """The passes; in them an average risk asks for so many rows of every class.

    `k` adds the second sweep, for a requirement of k rows and nothing else. A class of the `fallback` that satisfies at first
    does so after every pass, or has no row left.
    """
    needed = 1 if risk is None else ceil(1 / Fraction(risk))

    def passes(rows: Rows) -> bool:
        return len(rows) >= needed and keeps(rows)

    left = set(range(len(columns[0].values)))
    nodes: dict[int, Node] = {}
    released_at: set[Node] = set()
    kept = (
        []
        if fallback is None
        else [set(group) for group in classes(columns, dict.fromkeys(left, fallback)).values() if passes(group)]
    )
    for node in order:
        grouped = classes(columns, dict.fromkeys(sorted(left), node))
        released = {label: rows for label, rows in grouped.items() if passes(rows)}
        if node != fallback:
            released = without_needed(released, kept, left, passes)
        for rows in released.values():
            released_at.add(node)
            left -= set(rows)
            nodes.update(dict.fromkeys(rows, node))
    nodes |= dict.fromkeys(left, fallback or order[-1])
    if k is not None:
        nodes = swept_again(columns, nodes, order, [node for node in order if node in released_at], k)
    return judged(columns, nodes, keeps, risk)


def without_needed(
    released: Mapping[Label, list[int]], kept: Sequence[set[int]], left: Collection[int], passes: Callable[[Rows], bool]
) -> dict[Label, list[int]]:
    """What a pass may release without any of the kept classes failing: of those that it takes from a class that would fail the
    larger half, and where one would fail all the same, none."""
    may, share = dict(released), Fraction(1, 2)
    while True:
        taken = {row for rows in may.values() for row in rows}
        rests = [(item & set(left), (item & set(left)) - taken) for item in kept]
        failing = [before for before, rest in rests if rest and not passes(sorted(rest))]
        if not failing:
            return may
        dropped = set()
        for entry in failing:
            takers = sorted(
                (label for label, rows in may.items() if entry & set(rows)),
                key=lambda label: (-len(may[label]), _by_text(label)),
            )
            dropped |= set(takers[int(share * len(takers)) :])
        may, share = {label: rows for label, rows in may.items() if label not in dropped}, Fraction(0)


def judged(
    columns: Sequence[Column], nodes: Mapping[int, Node], keeps: Callable[[Rows], bool], risk: Decimal | None
) -> Recoded:
    """Rows at these nodes, without those of the classes that fail."""
    together = classes(columns, nodes)
    kept = [rows for rows in together.values() if keeps(rows)]
    if risk is not None:
        removed = without_smallest({number: len(rows) for number, rows in enumerate(kept)}, risk)
        kept = [rows for number, rows in enumerate(kept) if number not in removed]
    gone = nodes.keys() - {row for rows in kept for row in rows}
    return Recoded(columns, [node for _, node in sorted(nodes.items())], gone)


@dataclass
class _Part:
    """The rows of one present class that a node would show alike."""

    place: tuple[int, Label]
    rows: list[int]
    size: int
    """Rows of the whole class."""
    gain: Fraction
    """What moving one row to the node saves; below 0 what it costs."""
    is_own: bool
    """Whether the class is already one of the node's, with enough rows."""
    moves: bool = False

    @property
    def is_whole(self) -> bool:
        return len(self.rows) == self.size


def swept_again(
    columns: Sequence[Column], nodes: Mapping[int, Node], order: Sequence[Node], used: Sequence[Node], k: int
) -> dict[int, Node]:
    """Each row's node after the second sweep over the nodes that released something.

    At each node, rows of costlier classes and of classes below k move to the node where they are k together, or where a
    class of the node stands; one cheaper class joins them as a whole where that costs less than the others save.
    """
    visits = {node: visit for visit, node in enumerate(order)}
    worst = sum((Fraction(column.weight) for column in columns), Fraction(0))

    def lost(row: int, node: Node) -> Fraction:
        return sum(
            (Fraction(column.weight) * column.loss(row, level) for column, level in zip(columns, node, strict=True)),
            Fraction(0),
        )

    after = dict(nodes)
    first = {label: min(visits[after[row]] for row in rows) for label, rows in classes(columns, after).items()}
    places = {row: (first[label], label) for row in after if (label := labels_at(columns, row, after[row]))}
    for node in used:
        sizes = Counter(places.values())
        groups: dict[Label, dict[tuple[int, Label], list[int]]] = {}
        for row in sorted(after):
            groups.setdefault(labels_at(columns, row, node), {}).setdefault(places[row], []).append(row)
        groups = {label: group for label, group in groups.items() if sum(map(len, group.values())) >= k}
        parts = {
            label: [
                _Part(
                    place,
                    rows,
                    sizes[place],
                    (worst if sizes[place] < k else max(lost(row, after[row]) for row in rows)) - lost(rows[0], node),
                    is_own=sizes[place] >= k and any(after[row] == node for row in rows),
                )
                for place, rows in group.items()
            ]
            for label, group in groups.items()
        }
        _choose(parts, k)
        for label, part in parts.items():
            for row in _recalled(part, k):
                after[row], places[row] = node, (visits[node], label)
    return after


def _choose(parts: Mapping[Label, Sequence[_Part]], k: int) -> None:
    """Marks the parts that gain by moving: of a class that keeps k rows only the one that saves most."""
    by_place: dict[tuple[int, Label], list[tuple[Any, ...]]] = {}
    for label, members in parts.items():
        for part in members:
            gains = part.gain > 0 and not part.is_own
            by_place.setdefault(part.place, []).append((not gains, -len(part.rows) * part.gain, _by_text(label), part))
    for ranked in by_place.values():
        for number, (stays, _, _, part) in enumerate(sorted(ranked, key=lambda entry: entry[:3])):
            leaves_enough = number == 0 and part.size - len(part.rows) >= k
            part.moves = not stays and (part.is_whole or part.size < k or leaves_enough)


def _by_text(label: Label) -> list[tuple[bool, str]]:
    """The order of labels: by their bytes, NULL last."""
    return [(text is None, text or "") for text in label]


def _recalled(parts: Sequence[_Part], k: int) -> list[int]:
    """The rows that move to one class of a node."""
    gaining = [part for part in parts if part.moves]
    gained = sum(len(part.rows) for part in gaining)
    if not gaining:
        return []
    if gained < k and not any(part.is_own for part in parts):
        whole = [part for part in parts if part.is_whole and part.size >= k and not part.moves and not part.is_own]
        donor = min(whole, key=lambda part: (-len(part.rows) * part.gain, part.place[0], _by_text(part.place[1])), default=None)
        saved = sum((len(part.rows) * part.gain for part in gaining), Fraction(0))
        if donor is None or -len(donor.rows) * donor.gain >= saved:
            return []
        gaining.append(donor)
    return [row for part in gaining for row in part.rows]

"""The figures of nodes of a lattice at many values of k: a node is counted once, and then read for any of them.

The classes of a node are the union of classes of the nodes below it, so the sweep of all nodes walks the lattice upwards and counts a node from
the classes of one below it where these are notably fewer than the combinations (roll-up, as in Incognito, LeFevre et al. 2005).
Classes are not stored; for each node the sweep keeps how many classes, rows and leaves are lost between one k and the next.

A class is one number: in fields of bits it holds the label code of each attribute, and the leaves that a row loses if it is suppressed.
So a class is the sum of its labels, and what it loses is read with a shift and a mask.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import lattice_of
from duckanon.lattice import Lattice, Node
from duckanon.metrics.figures import Figures, Marginals
from duckanon.metrics.loss import attribute_gains
from duckanon.search.count import Counted

K = (*range(2, 51), 60, 70, 80, 90, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000)
"""The values of k at which the figures can be read."""

_MOST_NODES = 50_000
_MOST_LABELS = 20_000
"""The most labels of all levels together, which are written into each statement."""
_TOGETHER = 64
"""Nodes counted in one statement."""
_WORTHWHILE = 300_000
"""Combinations times nodes from which classes are stored once more: less work than the statements that store them cost."""
_BITS = {63: "bigint", 127: "hugeint"}
"""The types of the number of a class, by the bits that they have room for."""


@dataclass(frozen=True)
class Swept:
    """A node at one k: its figures, and by quasi-identifier the leaves lost beyond the first, summed over all rows."""

    node: Node
    figures: Figures
    excess: tuple[int, ...]


def fits(counted: Counted) -> bool:
    """Whether a sweep knows all that the requirement judges: rows of classes of nested hierarchies, in a lattice of at most 50,000 nodes."""
    requirement, job = counted.plan.requirement, counted.job
    k = requirement.k
    judges_more = requirement.others or requirement.adversaries or requirement.average_risk or requirement.needs_population
    is_by_rows = k.entity is None and k.k_column is None and not (judges_more or job.stars or counted.protection)
    is_simple = all(attribute.is_nested and attribute.max_loss is None for attribute in counted.attributes)
    labels = sum(marginal.codes * (marginal.height + 1) for marginal in counted.marginals)
    return (
        is_by_rows
        and is_simple
        and labels <= _MOST_LABELS
        and _Fields(counted.marginals).bits <= max(_BITS)
        and lattice_of(counted.attributes).size <= _MOST_NODES
    )


class _Fields:
    """Where the number of a class holds the label codes of the attributes, and then the leaves that a row loses by suppression."""

    def __init__(self, marginals: Sequence[Marginals]) -> None:
        sizes = [(marginal.codes - 1).bit_length() for marginal in marginals]
        sizes += [max(attribute_gains(marginal)).bit_length() for marginal in marginals]
        shifts = list(accumulate(sizes, initial=0))
        self.bits = shifts.pop()
        fields = [{"shift": shift, "mask": 2**size - 1} for shift, size in zip(shifts, sizes, strict=True)]
        self.codes, self.leaves = fields[: len(marginals)], fields[len(marginals) :]

    @property
    def type(self) -> str:
        """The least type that has room for all fields."""
        return next(type for bits, type in _BITS.items() if self.bits <= bits)


class Sweep:
    """The nodes of one lattice, counted when they are read, or all of them by `run`."""

    def __init__(self, engine: Engine, counted: Counted) -> None:
        """Raises nothing; `fits` says whether the lattice can be swept."""
        self._engine = engine
        self._attributes = counted.attributes
        self._marginals = counted.marginals
        self._rows = counted.rows
        self.lattice: Lattice = lattice_of(counted.attributes)
        self._fields = _Fields(counted.marginals)
        # many labels first: raising these leaves the fewest classes for the nodes above
        self._order = sorted(range(len(self._attributes)), key=lambda number: -self._marginals[number].codes)
        self._counted: set[Node] = set()
        self._combinations: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all nodes are counted."""
        return len(self._counted) == self.lattice.size

    @property
    def has_counted(self) -> bool:
        """Whether a node is counted."""
        return bool(self._counted)

    def run(self) -> Iterator[float]:
        """Count all nodes; yields the share that is done after each statement or two, so that the caller can do other work between."""
        done = 0
        for visited in self._visit(self.lattice.bottom, 0, "packed_levels", self.prepare()):
            done += visited
            yield done / self.lattice.size

    def prepare(self) -> int:
        """Build `packed_levels`, from which nodes are counted, once; returns its rows."""
        if self._combinations is None:
            stops = [{"_rows": rows, "_k": K[bisect_right(K, rows)]} for rows in range(1, K[-1])]
            self._engine.load("sweep_stops", stops, {"_rows": int, "_k": int})
            statement = render("lattice/packed_levels", type=self._fields.type, levels=self._levels())
            self._combinations = self._engine.create_table(statement)
        return self._combinations

    @cached_property
    def nodes(self) -> list[Node]:
        """All nodes in the order of their numbers."""
        return list(self.lattice.nodes())

    @cached_property
    def _numbers(self) -> dict[Node, int]:
        return {node: number for number, node in enumerate(self.nodes)}

    def _visit(self, node: Node, last: int, relation: str, classes: int) -> Iterator[int]:
        """Count a node and the nodes that raise its attributes from the `last` raised on; yields how many were counted."""
        waiting = [node]
        for place in range(last, len(self._order)):
            number = self._order[place]
            if node[number] == self.lattice.top[number]:
                continue
            above = (*node[:number], node[number] + 1, *node[number + 1 :])
            nodes = list(self._from(above, place))
            if classes * len(nodes) <= _WORTHWHILE or len(nodes) < 4:
                waiting += nodes
                continue
            rolled_up = f"rolled_up_{self._attributes[number].key(above[number])}"
            statement = render(
                "lattice/rolled_up",
                rolled_up,
                relation=relation,
                fixed=self._keys(above, self._order[last:place]),
                kept=[key for each in self._order[place:] for key in self._keys_from(each, above[each])],
                keys=self._keys(above, self._order[last:]),
            )
            rows = self._engine.create_table(statement)
            yield 0
            yield from self._visit(above, place, rolled_up, rows)
            self._engine.drop(rolled_up)
        for start in range(0, len(waiting), _TOGETHER):
            part = waiting[start : start + _TOGETHER]
            self._count(part, self._order[last:], relation)
            yield len(part)

    def _from(self, node: Node, last: int) -> Iterator[Node]:
        """A node and all nodes that raise its attributes from the `last` raised on."""
        yield node
        for place in range(last, len(self._order)):
            number = self._order[place]
            if node[number] < self.lattice.top[number]:
                yield from self._from((*node[:number], node[number] + 1, *node[number + 1 :]), place)

    def _keys(self, node: Node, numbers: Sequence[int]) -> list[str]:
        """The columns of some attributes that a class is the sum of; the only label of a top level has none."""
        return [
            self._attributes[number].key(node[number]) for number in numbers if node[number] < self._attributes[number].height
        ]

    def _keys_from(self, number: int, level: int) -> list[str]:
        """The columns of an attribute from a level on."""
        attribute = self._attributes[number]
        return [attribute.key(each) for each in range(level, min(attribute.max_level + 1, attribute.height))]

    def _levels(self) -> list[dict[str, Any]]:
        """The terms of a class number: for each level below the top, the factor of a label's code and the leaves lost under it."""
        levels = []
        for number, (attribute, marginal) in enumerate(zip(self._attributes, self._marginals, strict=True)):
            gains = attribute_gains(marginal)
            for level in range(attribute.min_level, min(attribute.max_level + 1, attribute.height)):
                leaves = gains[level * marginal.codes : (level + 1) * marginal.codes]
                levels.append(
                    {
                        "key": attribute.key(level),
                        "code": 2 ** self._fields.codes[number]["shift"],
                        "unit": 2 ** self._fields.leaves[number]["shift"],
                        "leaves": leaves,
                    }
                )
        return levels

    @cached_property
    def _gains_of_tops(self) -> list[int]:
        return [
            attribute_gains(marginal)[-marginal.codes] << field["shift"]
            for marginal, field in zip(self._marginals, self._fields.leaves, strict=True)
        ]

    def _of_tops(self, node: Node) -> int:
        """What the attributes at their top add to a class."""
        return sum(
            gain
            for gain, level, marginal in zip(self._gains_of_tops, node, self._marginals, strict=True)
            if level == marginal.height
        )

    def _count(self, nodes: Sequence[Node], numbers: Sequence[int], relation: str) -> None:
        """Count those of the nodes that are not counted yet."""
        fresh = [node for node in nodes if node not in self._counted]
        if not fresh:
            return
        numbered = [(self._numbers[node], self._keys(node, numbers), self._of_tops(node)) for node in fresh]
        statement = render("lattice/sweep", nodes=numbered, relation=relation, fields=self._fields.leaves)
        if self._counted:
            self._engine.append(statement)
        else:
            self._engine.create_table(statement)
        self._counted.update(fresh)
        # the texts of these statements are long, and would fill the memory
        self._engine.steps.clear()

    def at(self, k: int, nodes: Sequence[Node] | None = None) -> list[Swept]:
        """Some nodes, by default all that are counted, at a k of `K`, in the order of `nodes`; counts them first if needed."""
        if nodes is not None:
            if not nodes:
                return []
            self.prepare()
            self._count(nodes, self._order, "packed_levels")
        numbers = None if nodes is None else [self._numbers[node] for node in nodes]
        read = self._engine.query(render("lattice/sweep_at", k=k, columns=len(self._attributes), nodes=numbers))
        return [self._swept(k, *row) for row in read]

    def _swept(self, k: int, number: int, *counts: int) -> Swept:
        node, lost, suppressed = self.nodes[number], counts[8:], counts[5]
        # no class joins masked records, and what a node suppresses, every node below it does
        figures = Figures.counted(self._rows, k, (*counts[:8], 0, 0, suppressed))
        excess = [marginal.excess[level] + leaves for marginal, level, leaves in zip(self._marginals, node, lost, strict=True)]
        return Swept(node, figures, tuple(excess))

    def read_classes(self, node: Node) -> None:
        """Build `swept_classes`, the classes of a node."""
        self.prepare()
        self._engine.create_table(render("lattice/swept_classes", keys=self._keys(node, self._order)))

    def failing_labels(self, k: int) -> list[dict[int, int]]:
        """By quasi-identifier, the rows of classes below k under each label code, of the node that was read last."""
        labels: list[dict[int, int]] = [{} for _ in self._attributes]
        for attribute, code, rows in self._engine.query(render("lattice/swept_labels", fields=self._fields.codes, k=k)):
            labels[attribute][code] = rows
        return labels

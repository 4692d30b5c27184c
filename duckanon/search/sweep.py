"""The figures of every node of a lattice at many values of k, counted in one sweep, so that any k is then read in milliseconds.

The classes of a node are the union of classes of the nodes below it, so the sweep walks the lattice upwards and counts a node from
the classes of one below it where these are notably fewer than the combinations (roll-up, as in Incognito, LeFevre et al. 2005).
Classes are not stored; for each node the sweep keeps how many classes, rows and leaves are lost between one k and the next.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import lattice_of
from duckanon.lattice import Lattice, Node
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
_LARGEST_KEY = 2**63 - 1


@dataclass(frozen=True)
class Swept:
    """A node at one k: its classes, and what suppression of those with fewer rows costs."""

    node: Node
    classes: int
    failing_classes: int
    suppressed: int
    released_smallest: int
    smallest: int
    excess: tuple[int, ...]
    """By quasi-identifier, the leaves lost beyond the first, summed over all rows."""


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
        and prod(marginal.codes for marginal in counted.marginals) <= _LARGEST_KEY
        and lattice_of(counted.attributes).size <= _MOST_NODES
    )


class Sweep:
    """The sweep of one lattice; `run` counts it, and `at` reads it for a value of k."""

    def __init__(self, engine: Engine, counted: Counted) -> None:
        """Raises nothing; `fits` says whether the lattice can be swept."""
        self._engine = engine
        self._attributes = counted.attributes
        self._marginals = counted.marginals
        self.lattice: Lattice = lattice_of(counted.attributes)
        self._places = [
            prod(marginal.codes for marginal in counted.marginals[:number]) for number in range(len(counted.marginals))
        ]
        # many labels first: raising these leaves the fewest classes for the nodes above
        self._order = sorted(range(len(self._attributes)), key=lambda number: -self._marginals[number].codes)
        self._is_begun = False
        self.is_complete = False

    def run(self) -> Iterator[float]:
        """Count all nodes; yields the share that is done after each statement or two, so that the caller can do other work between."""
        engine, names = self._engine, range(1, len(self._attributes) + 1)
        places = {
            attribute.key(level): place
            for attribute, place in zip(self._attributes, self._places, strict=True)
            for level in range(attribute.min_level, min(attribute.max_level + 1, attribute.height))
        }
        rows = engine.create_table(render("lattice/packed_levels", places=places))
        stops = [{"_rows": rows, "_k": K[bisect_right(K, rows)]} for rows in range(1, K[-1])]
        engine.load("sweep_stops", stops, {"_rows": int, "_k": int})
        nodes = [
            {"_node": number, **{f"level_{name}": level for name, level in zip(names, node, strict=True)}}
            for number, node in enumerate(self.nodes)
        ]
        engine.load("sweep_nodes", nodes, {"_node": int, **{f"level_{name}": int for name in names}})
        # a sweep that failed is begun again
        self._is_begun, done = False, 0
        for counted in self._visit(self.lattice.bottom, 0, "packed_levels", rows):
            done += counted
            # the texts of these statements are long, and would fill the memory
            engine.steps.clear()
            yield done / self.lattice.size
        self.is_complete = True

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
            kept = [
                attribute.key(level)
                for attribute, low, high in zip(self._attributes, above, self.lattice.top, strict=True)
                for level in range(low, min(high + 1, attribute.height))
            ]
            rows = self._engine.create_table(
                render("lattice/rolled_up", rolled_up, relation=relation, kept=kept, keys=self._keys(above))
            )
            yield 0
            yield from self._visit(above, place, rolled_up, rows)
            self._engine.drop(rolled_up)
        for start in range(0, len(waiting), _TOGETHER):
            part = waiting[start : start + _TOGETHER]
            self._count(part, relation)
            yield len(part)

    def _from(self, node: Node, last: int) -> Iterator[Node]:
        """A node and all nodes that raise its attributes from the `last` raised on."""
        yield node
        for place in range(last, len(self._order)):
            number = self._order[place]
            if node[number] < self.lattice.top[number]:
                yield from self._from((*node[:number], node[number] + 1, *node[number + 1 :]), place)

    def _keys(self, node: Node) -> list[str]:
        """The columns whose sum identifies a class; the only label of a top level has code 0."""
        return [
            attribute.key(level) for attribute, level in zip(self._attributes, node, strict=True) if level < attribute.height
        ]

    @cached_property
    def _digits(self) -> list[dict[str, Any]]:
        return [
            {"place": place, "radix": marginal.codes, "gains": attribute_gains(marginal)}
            for marginal, place in zip(self._marginals, self._places, strict=True)
        ]

    def _count(self, nodes: Sequence[Node], relation: str) -> None:
        numbered = [(self._numbers[node], self._keys(node)) for node in nodes]
        statement = render("lattice/sweep", nodes=numbered, relation=relation, attributes=self._digits)
        if self._is_begun:
            self._engine.append(statement)
        else:
            self._engine.create_table(statement)
        self._is_begun = True

    def at(self, k: int) -> list[Swept]:
        """Every node at a k of `K`, in the order of `nodes`."""
        read = self._engine.query(render("lattice/sweep_at", k=k, columns=len(self._attributes)))
        excess = [marginal.excess for marginal in self._marginals]
        swept = []
        for number, classes, failing, suppressed, released_smallest, smallest, *lost in read:
            node = self.nodes[number]
            kept = [own[level] + leaves for own, level, leaves in zip(excess, node, lost, strict=True)]
            swept.append(Swept(node, classes, failing, suppressed, released_smallest, smallest, tuple(kept)))
        return swept

    def read_classes(self, node: Node) -> None:
        """Build `swept_classes`, the classes of a node."""
        self._engine.create_table(render("lattice/swept_classes", keys=self._keys(node)))

    def failing_labels(self, k: int) -> list[dict[int, int]]:
        """By quasi-identifier, the rows of classes below k under each label code, of the node that was read last."""
        labels: list[dict[int, int]] = [{} for _ in self._attributes]
        digits = [{"place": digit["place"], "radix": digit["radix"]} for digit in self._digits]
        for attribute, code, rows in self._engine.query(render("lattice/swept_labels", attributes=digits, k=k)):
            labels[attribute][code] = rows
        return labels

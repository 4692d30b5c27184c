"""The figures of nodes of a lattice at many values of k: a node is counted once, and then read for any of them.

The classes of a node are the union of classes of the nodes below it, so the sweep of all nodes walks the lattice upwards and counts a node from
the classes of one below it where these are notably fewer than the combinations (roll-up, as in Incognito, LeFevre et al. 2005).
Classes are not stored; for each node the sweep keeps how many classes, rows and leaves are lost between one k and the next.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import lattice_of
from duckanon.lattice import Lattice, Node
from duckanon.metrics.figures import Figures, Lost
from duckanon.metrics.loss import attribute_gains
from duckanon.privacy.evaluation import Relations, evaluation
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.search.count import Counted
from duckanon.search.nodes import Nodes, Packing, failing_labels, keys_of

K = (*range(2, 51), 60, 70, 80, 90, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000)
"""The values of k at which the figures can be read."""

_PACKED = "packed_levels"
_MOST_NODES = 50_000
_MOST_LABELS = 20_000
"""The most labels of all levels together, which are written into each statement."""
_TOGETHER = 64
"""Nodes counted in one statement."""
_WORTHWHILE = 300_000
"""Combinations times nodes from which classes are stored once more: less work than the statements that store them cost."""


def fits(counted: Counted) -> bool:
    """Whether a sweep knows all that the requirement judges: rows of classes of nested hierarchies, in a lattice of at most 50,000 nodes."""
    requirement, job = counted.plan.requirement, counted.job
    k = requirement.k
    judges_more = requirement.others or requirement.adversaries or requirement.average_risk or requirement.needs_population
    is_by_rows = k.entity is None and k.k_column is None and not (judges_more or job.keep_suppressed_rows or counted.protection)
    is_simple = all(attribute.is_nested and attribute.max_loss is None for attribute in counted.attributes)
    labels = sum(marginal.codes * (marginal.height + 1) for marginal in counted.marginals)
    return (
        is_by_rows
        and is_simple
        and labels <= _MOST_LABELS
        and lattice_of(counted.attributes).size <= _MOST_NODES
        and _packing(counted).fits
    )


def _packing(counted: Counted) -> Packing:
    marginals = counted.marginals
    return Packing(
        keys_of(counted.attributes),
        [marginal.codes for marginal in marginals],
        leaves=[attribute_gains(marginal) for marginal in marginals],
        nodes=lattice_of(counted.attributes).size,
    )


class Sweep:
    """The nodes of one lattice, counted when they are read, or all of them by `run`."""

    def __init__(self, engine: Engine, counted: Counted) -> None:
        """Raises nothing; `fits` says whether the lattice can be swept."""
        self._engine = engine
        self._attributes = counted.attributes
        self._marginals = counted.marginals
        self._rows = counted.rows
        self.lattice: Lattice = lattice_of(counted.attributes)
        self._packing = _packing(counted)
        # many labels first: raising these leaves the fewest classes for the nodes above
        self._order = sorted(range(len(self._attributes)), key=lambda number: -self._marginals[number].codes)
        self.counted: set[Node] = set()
        """The nodes that are counted."""
        self._combinations: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all nodes are counted."""
        return len(self.counted) == self.lattice.size

    def run(self) -> Iterator[float]:
        """Count all nodes; yields the share that is done after each statement or two, so that the caller can do other work between."""
        done = 0
        for visited in self._visit(self.lattice.bottom, 0, _PACKED, self.prepare()):
            done += visited
            yield done / self.lattice.size

    def prepare(self) -> int:
        """Build `packed_levels`, from which nodes are counted, once; returns its rows."""
        if self._combinations is None:
            stops = [{"_rows": rows, "_k": K[bisect_right(K, rows)]} for rows in range(1, K[-1])]
            self._engine.load("sweep_stops", stops, {"_rows": int, "_k": int})
            statement = self._packing.packed("combinations", ["_rows"], _PACKED)
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
                type=self._packing.type,
                fixed=self._terms(above, self._order[last:place], relation),
                kept=self._packing.columns_from(above, self._order[place:]),
                keys=self._terms(above, self._order[last:], relation),
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

    def _count(self, nodes: Sequence[Node], numbers: Sequence[int], relation: str) -> None:
        """Count those of the nodes that are not counted yet."""
        fresh = [node for node in nodes if node not in self.counted]
        if not fresh:
            return
        packing = self._packing
        placed = [(packing.start(node, self._numbers[node]), self._terms(node, numbers, relation)) for node in fresh]
        fields = {"type": packing.type, "node_field": packing.node, "fields": packing.leaves}
        statement = render("lattice/sweep", nodes=placed, relation=relation, **fields)
        if self.counted:
            self._engine.append(statement)
        else:
            self._engine.create_table(statement)
        self.counted.update(fresh)
        # the texts of these statements are long, and would fill the memory
        self._engine.steps.clear()

    def _terms(self, node: Node, numbers: Sequence[int], relation: str) -> list[str]:
        """The columns that a class is the sum of: what earlier attributes add in a relation of classes, and those of some attributes."""
        return [*(["_fixed"] if relation != _PACKED else []), *self._packing.columns(node, numbers)]

    def at(self, k: int, nodes: Sequence[Node] | None = None) -> dict[Node, Figures]:
        """The figures of some nodes, by default of all that are counted, at a k of `K`; counts them first if needed."""
        if nodes is not None:
            if not nodes:
                return {}
            self.prepare()
            self._count(nodes, self._order, _PACKED)
        numbers = None if nodes is None else [self._numbers[node] for node in nodes]
        read = self._engine.query(render("lattice/sweep_at", k=k, columns=len(self._attributes), nodes=numbers))
        return {self.nodes[number]: self._figures(k, self.nodes[number], counts) for number, *counts in read}

    def _figures(self, k: int, node: Node, counts: Sequence[int]) -> Figures:
        lost, suppressed = counts[8:], counts[5]
        excess = [marginal.excess[level] + leaves for marginal, level, leaves in zip(self._marginals, node, lost, strict=True)]
        # no class joins masked records, and what a node suppresses, every node below it does
        return Figures.counted(self._rows, k, (*counts[:8], 0, 0, suppressed), tuple(excess))

    def read_classes(self, node: Node) -> None:
        """Build `swept_classes`, the classes of a node."""
        self.prepare()
        placed = [(self._packing.start(node), self._packing.columns(node))]
        self._engine.create_table(render("lattice/swept_classes", nodes=placed, relation=_PACKED, type=self._packing.type))

    def failing_labels(self, k: int) -> Lost:
        """By quasi-identifier, the rows of classes below k under each label code, of the node that was read last."""
        relations = Relations("swept_classes")
        evaluated = evaluation(Requirement(KAnonymity(k=k)), ["_key"], keep_suppressed_rows=False, relations=relations)
        [lost] = failing_labels(self._engine, self._packing.label_codes, evaluated)
        return lost


class SweptNodes(Nodes):
    """Counts nodes at one k by a sweep, which counts those that are new for all others too."""

    def __init__(self, engine: Engine, counted: Counted, sweep: Sweep, likely: Sequence[Node] | None = ()) -> None:
        """`likely`: counted nodes that will probably be asked for, read in one statement; None for all of them."""
        super().__init__(engine, counted.attributes, counted.marginals, counted.rows)
        self._sweep, self._k = sweep, counted.plan.requirement.k.k
        self._read = sweep.at(self._k, likely)
        self.has_counted = False

    def counted(self, nodes: Sequence[Node], requirement: Requirement) -> list[tuple[Figures, bool]]:  # noqa: ARG002
        fresh = [node for node in nodes if node not in self._read]
        self.has_counted |= bool(fresh)
        self._read |= self._sweep.at(self._k, fresh)
        return [(self._read[node], False) for node in nodes]

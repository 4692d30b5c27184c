"""Iterative local recoding: passes of full-domain generalization, each over the rows that earlier passes could not release.

Each node is used once, by increasing sum of the squared average losses of its columns: nodes with a small loss come first, and
among equal losses those that spread the loss over the columns. A pass releases the classes that satisfy the requirement. If only
rows count, a node cannot release more in a later pass, because the remaining rows only decrease. (Iterative recoding: ARX;
Prasser, Kohlmayer, Kuhn 2016.)

A pass may release rows that other rows need to satisfy the requirement. So a fallback can be given: a node at which every class
satisfies the requirement. A pass then releases only rows that the classes of the fallback do not need, so every remaining row
can be released at the fallback.

If a class needs only enough rows, a second sweep improves the result.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, cast

from duckanon.engine.owner import step
from duckanon.engine.protocol import Engine, row_count
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute, lattice_of
from duckanon.lattice import Lattice, Node, NodeSets
from duckanon.metrics.figures import Marginals
from duckanon.metrics.loss import rounded
from duckanon.observers import staged
from duckanon.privacy.evaluation import Evaluation
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.search.budget import Budget, BudgetSpent
from duckanon.search.combinations import create_cells
from duckanon.search.listed_cells import ListedCells
from duckanon.search.nodes import Packing, evaluated_at
from duckanon.search.outcome import steps_down
from duckanon.search.reassign import reassign
from duckanon.search.unsuppressed import UnsuppressedCombinations

Following = Callable[[Callable[[Node], Evaluation], int], Node]
"""Return the node of the next pass, from the template parameters of a node and the rows that are left."""

_PLACED_AT_ONCE = 1_000_000
"""Pairs of a set of values and a node that are looked at together."""
_LISTED_AT_ONCE = 2 * _PLACED_AT_ONCE
"""The same for sets of values that are listed: a statement looks at the highest nodes only."""
_MOST_LISTED = 50_000
"""The most sets of values that are passed without a statement for each node."""
_LOOKED_AFTER = 8
"""Nodes without a look at whether those that follow have a class of enough rows left."""
_LARGEST_LATTICE = 10_000_000
"""The most nodes of which sets are held as bits."""


@dataclass(frozen=True)
class Passes:
    """The result of the passes; the relation `passed` holds the pass of each cell, as its index in `order`."""

    order: tuple[Node, ...]
    used: tuple[int, ...]
    """The indexes in `order` of the passes that released rows before the second sweep."""
    visited: int
    stopped: str | None
    """The limit that ended the search, if any."""
    fallback: Node | None = None


def prepare(
    engine: Engine, attributes: Sequence[Attribute], marginals: Sequence[Marginals], requirement: Requirement
) -> tuple[dict[str, Any], ...]:
    """Build `cells` and their sensitive values and persons; return the template parameters of each attribute."""
    parameters = tuple(
        _parameters(number, a, m) for number, (a, m) in enumerate(zip(attributes, marginals, strict=True), start=1)
    )
    keys = [key for attribute in parameters for key in attribute["keys_of"].values()]
    create_cells(engine, parameters, requirement, keys)
    return parameters


def ordered(marginals: Sequence[Marginals], lattice: Lattice, rows: int) -> list[Node]:
    """The nodes in the order of the passes: by the sum of the squared average losses of the columns."""
    squares = [
        [(float(marginal.weight) * excess / (rows * marginal.span)) ** 2 for excess in marginal.excess[low : high + 1]]
        for marginal, low, high in zip(marginals, lattice.bottom, lattice.top, strict=True)
    ]
    spreads = map(rounded, map(sum, product(*squares)))
    return [node for _, node in sorted(zip(spreads, lattice.nodes(), strict=True))]


def search(
    engine: Engine,
    attributes: Sequence[Attribute],
    parameters: Sequence[dict[str, Any]],
    requirement: Requirement,
    order: Sequence[Node],
    budget: Budget,
    fallback: Node | None = None,
    following: Following | None = None,
) -> Passes:
    """Build `passed` by a pass at each node in order; rows that no pass releases stay at the fallback, or else at the last node.

    `following` gives the node of each pass instead of an order.

    A class of the fallback that satisfies the requirement continues to satisfy it, whichever of its rows the passes release.
    The fallback is one of the nodes.
    """
    run = _Passes(engine, attributes, parameters, requirement, list(order), budget, fallback, following)
    with staged(engine.observer, "running the passes", len(order)):
        run.run()
    return Passes(tuple(run.order), tuple(run.used), run.visited, run.stopped, fallback)


def load_nodes(engine: Engine, nodes: Mapping[int, Node]) -> None:
    """Store the levels of nodes, by their number, as the relation `nodes`."""
    width = max(map(len, nodes.values()))
    levels = [f"_level_{number}" for number in range(1, width + 1)]
    rows = [{"_visit": visit, **dict(zip(levels, node, strict=True))} for visit, node in nodes.items()]
    engine.load("nodes", rows, dict.fromkeys(["_visit", *levels], int))


def _counts_only_rows(requirement: Requirement) -> bool:
    """Whether a class satisfies if it has enough rows, independent of other classes."""
    is_size = all(model.template == KAnonymity().template for model in requirement.models)
    return is_size and not requirement.adversaries and not requirement.measures and requirement.average_risk is None


def _parameters(number: int, attribute: Attribute, marginal: Marginals) -> dict[str, Any]:
    return {
        "name": attribute.name,
        "number": number,
        "key": attribute.key(attribute.min_level),
        "keys_of": {level: attribute.key(level) for level in range(attribute.min_level, attribute.max_level + 1)},
        "least": attribute.min_level,
        "most": attribute.max_level,
        "height": attribute.height,
        "is_ordered": False,
        "weight": float(marginal.weight),
        "steps": [level / max(1, attribute.height) for level in range(attribute.height + 1)],
        "declared_losses": [float(loss) for loss in marginal.losses or ()],
        "codes": marginal.codes,
    }


@dataclass
class _Passes:
    _engine: Engine
    _declared: Sequence[Attribute]
    _attributes: Sequence[dict[str, Any]]
    _requirement: Requirement
    order: list[Node]
    _budget: Budget
    _fallback: Node | None
    _following: Following | None
    used: list[int] = field(default_factory=list)
    visited: int = 0
    stopped: str | None = None
    _listed: ListedCells | None = None

    def __post_init__(self) -> None:
        self._counts_rows = _counts_only_rows(self._requirement)
        self._requirement = self._requirement.by_class
        lattice = lattice_of(self._declared)
        # passes of a job may be few nodes of a lattice of any size
        self._sets = NodeSets(lattice) if lattice.size <= _LARGEST_LATTICE else None

    def run(self) -> None:
        self._prepare()
        try:
            if self._following is not None:
                self._pass_following(self._following)
            else:
                self._pass_all()
        except BudgetSpent:
            self.stopped = self._budget.spent
            self._release(self._last)
        self._engine.append(render("local_recoding/passed", relation="remaining", visit=self._last, passing=None))
        self._load(sorted({*self.used, self._last}))
        if self._counts_rows:
            least = self._requirement.least_rows
            places = [(visit, self.order[visit], self._keys(self.order[visit])) for visit in self.used]
            reassign(self._engine, self._attributes, least, places, self._cells)

    @property
    def _last(self) -> int:
        """The index of the node where rows stay that no pass releases."""
        return len(self.order) - 1 if self._fallback is None else self.order.index(self._fallback)

    def _prepare(self) -> None:
        engine = self._engine
        packing = Packing([a["keys_of"] for a in self._attributes], [a["codes"] for a in self._attributes])
        # then the classes of several nodes can be listed by one statement
        self._is_packed = self._counts_rows and self._fallback is None and packing.fits
        relation = "cells"
        if self._is_packed:
            relation = "packed_cells"
            engine.create_table(packing.packed("cells", ["_cell", "_rows"]))
        self._left = self._cells = engine.create_table(render("local_recoding/remaining", relation=relation, without=None))
        engine.load("passed", [], {"_cell": int, "_pass": int})
        if self._fallback is not None:
            engine.create_table(render("privacy/class_results", "failing", fails=True, **self._evaluated(self._fallback)))

    def _evaluated(self, node: Node, sets: str = "remaining") -> Evaluation:
        """The terms that judge the classes of a node, of the remaining rows or of those of another relation."""
        return evaluated_at(self._requirement, self._declared, node, sets=sets)

    def _pass_all(self) -> None:
        """Visit the nodes in order, as many together as the remaining rows allow."""
        visit, last = 0, len(self.order) - 1
        while self._left and visit <= last:
            self._budget.check(self.visited)
            is_listed = self._is_packed and self._left <= _MOST_LISTED
            together = max(1, (_LISTED_AT_ONCE if is_listed else _PLACED_AT_ONCE) // self._left)
            end = min(last, visit + min(together, self._budget.room(self.visited) or together) - 1)
            if is_listed:
                self._release_listed(visit, end)
            else:
                self._release_in_order([visit] if end == visit else self._promising(visit, end))
            self.visited += end - visit + 1
            self._engine.observer.advance(end + 1)
            visit = end + 1

    def _release_in_order(self, visits: list[int]) -> None:
        """Release at promising nodes; what is left after some of them may no longer fill a class of the others."""
        tried, left = 0, self._left
        while visits and self._left:
            if tried == _LOOKED_AFTER and self._left < left:
                visits = sorted(self._looked(visits))
                tried, left = 0, self._left
                continue
            self._release(visits[0])
            visits, tried = visits[1:], min(tried + 1, _LOOKED_AFTER)

    def _pass_following(self, following: Following) -> None:
        """Pass at the nodes that follow from the remaining rows, until one releases none."""
        while self._left and self.used == list(range(len(self.order))):
            self._budget.check(self.visited)
            rows = row_count(self._engine, "remaining", has_rows=True)
            self.order.append(following(self._evaluated, rows))
            self._release(self._last)
            self.visited += 1

    def _promising(self, first: int, last: int) -> list[int]:
        """The nodes of a range with a class of enough remaining rows.

        If no class of a node has enough rows, none has below the node, and none will have later. So the highest nodes are looked at
        first, unless most nodes have such a class.
        """
        sets = self._sets
        if sets is None:
            return sorted(self._looked(range(first, last + 1)))
        visits: dict[int, list[int]] = {}  # a job may name a node twice
        for visit in range(first, last + 1):
            visits.setdefault(sets.bit(self.order[visit]), []).append(visit)
        promising, unknown, is_dense = list[int](), list(visits), False
        while unknown:
            looked = unknown if is_dense else sets.members(unknown, sets.maximal(sets.of(unknown)))
            passing = self._looked(sorted(visit for bit in looked for visit in visits[bit]))
            promising += passing
            if len(looked) == len(unknown):
                break
            is_dense = 2 * len(passing) > len(looked)
            failing = sets.closed(sets.of(bit for bit in looked if passing.isdisjoint(visits[bit])))
            unknown = list(set(unknown).difference(looked, sets.members(unknown, failing)))
        return sorted(promising)

    def _looked(self, visits: Sequence[int]) -> set[int]:
        """The given nodes that have a class with enough remaining rows."""
        return {visit for (visit,) in self._large_classes(visits, is_listed=False)}

    def _large_classes(self, visits: Sequence[int], *, is_listed: bool) -> list[tuple[Any, ...]]:
        """The classes with enough remaining rows at some nodes: the index of the node, and perhaps the sets of values of the class."""
        self._load(visits)
        keys = [f"_key_{attribute['number']}" for attribute in self._attributes]
        # the codes of packed sets of values add up to one number
        about = {"attributes": self._attributes, "keys": keys[-1:] if is_listed else keys, "is_listed": is_listed}
        return self._engine.query(render("local_recoding/large_classes", least_rows=self._requirement.least_rows, **about))

    def _load(self, visits: Iterable[int]) -> None:
        load_nodes(self._engine, {visit: self.order[visit] for visit in visits})

    def _release_listed(self, first: int, last: int) -> None:
        """Release the large classes at a range of nodes in order, each without the sets of values that an earlier class has released."""
        if self._listed is None:
            self._listed = ListedCells(self._engine, self._attributes, self._requirement.least_rows)
        nodes = {visit: self.order[visit] for visit in range(first, last + 1)}
        released: list[dict[str, object]] = []
        for visit, cells in self._listed.large_classes(nodes, partial(self._large_classes, is_listed=True)):
            if taken := self._listed.take(cells):
                released += [{"_cell": cell, "_pass": visit} for cell in taken]
                if self.used[-1:] != [visit]:
                    self.used.append(visit)
        if released:
            self._engine.load("released", released, {"_cell": int, "_pass": int})
            self._engine.append(render("local_recoding/passed", relation="released", visit="_pass", passing=None))
            self._leave("released", ["_cell"])

    def _leave(self, without: str, keys: Sequence[str]) -> None:
        """Remove the released sets of values from `remaining`, by a relation with their keys."""
        about = {"relation": "remaining", "without": without, "keys": keys}
        self._left = self._engine.create_table(render("local_recoding/remaining", **about))

    def _release(self, visit: int) -> None:
        """Release the satisfying classes of the remaining rows at the node."""
        engine, keys = self._engine, self._keys(self.order[visit])
        evaluated = self._evaluated(self.order[visit])
        # a class with rows of the population only is judged as if it had one row
        evaluated = replace(evaluated, is_whole=evaluated.population)
        passing = engine.create_table(render("privacy/class_results", "passing", fails=False, **evaluated))
        if self._fallback not in (None, self.order[visit]):
            passing = self._without_needed(keys, passing)
        if passing:
            about = {"relation": "remaining", "visit": visit, "passing": "passing", "class_keys": keys}
            engine.append(render("local_recoding/passed", **about))
            self._leave("passing", keys)
            self.used.append(visit)

    def _without_needed(self, keys: list[str], passing: int) -> int:
        """Remove from `passing` what classes of the fallback need to satisfy the requirement: first half of it, then all.

        An adversary who does not know all columns sees several classes as one, so a class may need the rows of another.

        Returns the number of classes that stay in `passing`.
        """
        engine, fallback = self._engine, self._keys(cast("Node", self._fallback))
        evaluated = self._evaluated(cast("Node", self._fallback), "rest")
        seen = [adversary.known for adversary in evaluated.adversaries] or [fallback]
        halves = True
        while passing:
            if not engine.create_table(render("local_recoding/failing_fallback_classes", pass_keys=keys, **evaluated)):
                break
            about = {"class_keys": keys, "fallback_keys": fallback, "seen": seen, "halves": halves}
            left = engine.create_table(render("local_recoding/not_needed", "passing", **about))
            if left == passing:
                # a class can fail although it has all its rows, if the requirement judges classes together
                return 0
            passing, halves = left, False
        return passing

    def _keys(self, node: Node) -> list[str]:
        return [attribute["keys_of"][level] for attribute, level in zip(self._attributes, node, strict=True)]


_LATER = 1.3
"""How many times as much as without a push the rows of later passes are expected to lose."""
_MOST_PUSHED = 0.9
"""The largest share of the rows that a pass leaves to later passes."""


@step
def next_node(
    engine: Engine,
    lattice: Lattice,
    marginals: Sequence[Marginals],
    evaluated: Callable[[Node], Evaluation],
    rows: int,
    all_rows: int,
) -> Node:
    """The node of the next pass if every set of a few columns is judged, so that a lattice of all nodes would be too large.

    It is the last node of a path over the relation `remaining`, with `rows` of all rows; `evaluated` gives the terms of a
    node. The path starts at the top and lowers one column at a time, in the order of `descent`. A step may push rows to later passes.
    They are expected to lose somewhat more than at the last node that pushed none, so the path takes only steps that lower the loss of
    all rows together.
    """
    unsuppressed = UnsuppressedCombinations(engine, rows, "remaining")
    node, expected, later, failed = lattice.top, 1.0, 1.0, set[int]()
    while steps := [step for step in steps_down(lattice, marginals, node) if step[1] not in failed]:
        _, position, below = max(steps, key=lambda step: (step[0], -step[1]))
        pushed = unsuppressed.below(evaluated(below), position + 1, int(_MOST_PUSHED * rows))
        if pushed is None:
            failed.add(position)
            continue
        own = _loss(marginals, below, all_rows)
        if not pushed:
            later = min(1.0, _LATER * own)
        together = ((rows - pushed) * own + pushed * later) / rows
        if together > expected:
            failed.add(position)
        else:
            unsuppressed.descend()
            node, expected = below, together
    return node


def _loss(marginals: Sequence[Marginals], node: Node, rows: int) -> float:
    """The mean loss of the columns at a node, over all rows of the table."""
    losses = [
        float(marginal.weight) * marginal.excess[level] / (marginal.span * rows)
        for marginal, level in zip(marginals, node, strict=True)
    ]
    return sum(losses) / float(sum(marginal.weight for marginal in marginals))

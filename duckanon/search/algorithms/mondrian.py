"""Mondrian: cut partitions while all sides satisfy, all of a round at once (LeFevre, DeWitt, Ramakrishnan, ICDE 2006).

Strict: the sides of a cut share no set of quasi-identifier values.

By gain, each attribute offers the cut that saves most of the loss of its own labels for each bit of the side of a row: after a value,
between placed and missing values, into the branches below the lowest common label, or one branch against the others. Of the
attributes that save most, the cut is made that saves most by the labels of all attributes, as the sides are narrower in others too
(cf. Xu et al., KDD 2006).

By median, a partition is cut by its widest attribute; ties are broken by declared order. The width of a range is its share of the
whole range of the attribute; the width of a set of categories is the loss of their lowest common label; both count times the weight
of the attribute. An ordered attribute is cut after its lower
median or, if a side would then fail the requirement, before it. Values that cannot be ordered (missing values, NaN, infinity)
form a side of their own if all sides then satisfy the requirement; otherwise they count as larger than all others. A categorical
attribute is cut into the labels below the lowest common label. If no such cut is possible, the next widest attribute is tried; if
none is left, the partition is final.
"""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute, Ordering
from duckanon.job.model import RecodingPlan
from duckanon.metrics.figures import Marginals
from duckanon.observers import staged
from duckanon.privacy.entropies import Doubts
from duckanon.privacy.evaluation import Evaluation, Relations, evaluation
from duckanon.privacy.requirement import Requirement
from duckanon.search.combinations import create_cells

_WAYS = {
    "le-else-lt": ({"variant": 0, "cut": "is not missing"}, {"variant": 1, "cut": "<="}, {"variant": 2, "cut": "<"}),
    "le": ({"variant": 0, "cut": "is not missing"}, {"variant": 1, "cut": "<="}),
}
"""The possible cuts of an ordered attribute; the first that satisfies is used."""

NUMBERS = "NUMBERS"
"""The type name in a saved recoding for text that holds numbers."""

_TIMES = ("DATE", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE")
"""Types of dates; each type can hold the values of the types before it."""

_SIDE = ("_partition", "_rank", "_variant", "_side")
_CELLS_AT_ONCE = 100_000
"""The pairs of a cell and an attribute that are tried together although a wider attribute may do: fewer cost less than a statement."""
_COMPARED = 8
"""The attributes whose best cuts are compared by the loss of both sides in all attributes."""
_DOUBLINGS = 4
"""Where sides with enough rows may fail, each attribute also offers cuts into sides of at least 2, 4, 8 and 16 times these rows."""
_CELLS_COMPARED = 4_000_000
"""The pairs of a cell and an attribute that are compared at once; with more cells, fewer attributes are."""


@dataclass(frozen=True)
class PartitionTree:
    """The result of the rounds; `cells` holds the partition of each cell, and `partitions` the cuts."""

    attributes: tuple[dict[str, Any], ...]
    """The template parameters of each attribute."""
    rounds: int
    partitions: int
    stopped: str | None = None
    """The limit that ended the rounds, if any."""


@step
def search(
    engine: Engine,
    attributes: tuple[dict[str, Any], ...],
    requirement: Requirement,
    recoding: RecodingPlan,
    deadline: float | None = None,
) -> PartitionTree:
    """Build `partitions` of the cells by cuts whose sides all satisfy the requirement; no round starts after the deadline."""
    engine.create_table(render("mondrian/root", "partitions"))
    engine.create_table(render("mondrian/places", attributes=attributes))
    cutter = _Cutter(engine, attributes, requirement.by_class.for_all, recoding, deadline)
    with staged(engine.observer, "cutting partitions"):
        rounds = cutter.run()
    return PartitionTree(attributes, rounds, cutter.partitions, cutter.stopped)


def route(engine: Engine, attributes: tuple[dict[str, Any], ...]) -> PartitionTree:
    """Build `partitions` from `saved_partitions` and assign the cells by its cuts; a cell outside all sides is left out."""
    engine.create_table(render("mondrian/routed_partitions", "partitions", attributes=attributes))
    [(rounds, partitions)] = engine.query(render("mondrian/depth"))
    for number in range(1, rounds + 1):
        engine.create_table(render("local_recoding/moved_cells", "cells", attributes=attributes, round=number))
    return PartitionTree(attributes, rounds, partitions)


def prepare(
    engine: Engine, attributes: Sequence[Attribute], marginals: Sequence[Marginals], requirement: Requirement
) -> tuple[dict[str, Any], ...]:
    """Build `ordered_codes_<column>`, and `cells` in one partition with their sensitive values and persons; return the template parameters."""
    parameters = [
        _placed(engine, number, attribute, marginal)
        for number, (attribute, marginal) in enumerate(zip(attributes, marginals, strict=True), start=1)
    ]
    create_cells(engine, parameters, requirement)
    return tuple(parameters)


def _placed(engine: Engine, number: int, attribute: Attribute, marginal: Marginals) -> dict[str, Any]:
    name, ordering = attribute.name, attribute.ordering
    parameters: dict[str, Any] = {
        "name": name,
        "number": number,
        "key": attribute.key(attribute.min_level),
        "least": attribute.min_level,
        "height": attribute.height,
        "is_ordered": ordering is not None,
        "leaves_span": float(marginal.span),
        "weight": float(marginal.weight),
        "placed": None,
        "span": None,
        "steps": [],
        "declared_losses": [],
    }
    if ordering is None:
        engine.create_table(render("mondrian/branching_positions", f"ordered_codes_{name}", attribute=parameters))
        engine.create_table(render("mondrian/tree_nodes", f"tree_nodes_{name}", attribute=parameters))
        return parameters
    parameters |= {
        "measure": ordering.measure,
        "order": list(ordering.values),
        "lists_leaves": attribute.lists_leaves,
        **_comparison(attribute.column, ordering),
    }
    engine.create_table(render("mondrian/ordered_positions", f"ordered_codes_{name}", attribute=parameters))
    [(positions, placed, span)] = engine.query(render("mondrian/order", column=name))
    return parameters | {"positions": int(positions), "placed": int(placed), "span": float(span) or 1.0}


def order_type(column: Column) -> str:
    """The type of a column in a saved recoding."""
    return NUMBERS if column.holds_numbers else column.type


def ordering_by(type: str) -> Ordering:
    """The order of a column that an earlier release cut with this type."""
    column = Column("", type)
    if type == NUMBERS or column.is_number:
        return Ordering("number", type=type)
    return Ordering("time" if column.is_date else "rank", type=type)


def untyped_ordering(column: Column, ordering: Ordering) -> Ordering:
    """The order of a column whose cuts have no type, as version 0.1 saved them.

    Numbers are compared as numbers and dates as timestamps, because the cuts can be finer than the type that the column has now.
    """
    if ordering.values or not (ordering.measure == "number" or column.type in _TIMES):
        return ordering
    return ordering_by(NUMBERS if ordering.measure == "number" else "TIMESTAMP")


def _comparison(column: Column, ordering: Ordering) -> dict[str, Any]:
    """How the values of a column are compared with each other, and with the ends of the ranges of an earlier release.

    If that release had another type, both are compared as numbers or in a type that holds both, because a cast of `25.5` to INTEGER gives 26.
    """
    own = order_type(column)
    of_cuts = ordering.type or own
    differs = own != of_cuts and not ordering.values
    is_number = ordering.measure == "number" if differs else own == NUMBERS and not ordering.values
    type = _wider(own, of_cuts) if differs and not is_number else column.type
    exact = None if differs else _exact_type(column)
    compared = Column("", type)
    return {
        "type": type,
        "order_type": of_cuts,
        "is_exact": exact is not None,
        "exact_type": exact,
        "holds_numbers": is_number,
        "is_spelled": is_number and not differs,
        "by_text": bool(ordering.values) or is_number or differs,
        "is_unbounded": not is_number and (compared.is_floating or compared.is_date),
    }


def _wider(own: str, of_cuts: str) -> str:
    """The type that holds the values of both types of dates; for other pairs, the type of the cuts."""
    is_date = own in _TIMES and of_cuts in _TIMES
    return max(own, of_cuts, key=_TIMES.index) if is_date else of_cuts


def _exact_type(column: Column) -> str | None:
    """The type for exact distances between numbers of a column; None if it is floating-point or could overflow."""
    if column.is_whole and "HUGEINT" not in column.type:
        return "hugeint"
    width = re.fullmatch(r"DECIMAL\((\d+),\d+\)", column.type)
    return column.type if width and int(width[1]) < 38 else None


@dataclass
class _Cutter:
    """One search, from a single partition to partitions that cannot be cut."""

    _engine: Engine
    _attributes: Sequence[dict[str, Any]]
    _requirement: Requirement
    _recoding: RecodingPlan
    _deadline: float | None
    stopped: str | None = None
    partitions: int = 1
    """The number of partitions that are not cut."""
    _last: int = 1

    def __post_init__(self) -> None:
        self._doubts, self._measures = Doubts(), self._requirement.measures
        self._about = {"attributes": self._attributes, "show_extremes": self._recoding.show_extremes}
        requirement = self._requirement
        self._judges_more = bool(requirement.others) or requirement.counts_persons or requirement.k.k_column is not None
        """Whether sides with enough rows may fail."""

    def run(self) -> int:
        """Cut until no partition can be cut; return the number of rounds with a cut."""
        done = 0
        while self._round(done):
            done += 1
            if self._deadline is not None and time.monotonic() >= self._deadline:
                self.stopped = "time-limit"
                break
        return done

    def _round(self, number: int) -> bool:
        """Cut the partitions of the previous round; return False if none could be cut."""
        # each round:
        # 1. compute the span of each attribute in the partitions of the previous round
        least = 2 * self._requirement.least_rows
        self._engine.create_table(render("mondrian/spans", attributes=self._attributes, round=number, least_rows=least))
        [(opened, cells, share)] = self._engine.query(render("mondrian/open"))
        self._engine.observer.advance(1 - float(share))
        # 2. sort the attributes of each partition by width, or by what their best cuts save
        if not opened or not self._engine.create_table(render("mondrian/candidates", **self._about)):
            return False
        if by_gain := self._recoding.cut == "gain":
            gains = render(
                "mondrian/gains",
                least_rows=self._requirement.least_rows,
                doublings=_DOUBLINGS if self._judges_more else 0,
                **self._about,
            )
            if not self._engine.create_table(gains):
                return False
        # 3. try the first attributes, then the next if no cut is possible
        last = self._last
        for first, end in self._attempts_by_gain(cells) if by_gain else self._attempts(cells):
            ranks = {"first": first, "last": end}
            if by_gain:
                cuts = render("mondrian/tried_gains", "cuts", **ranks)
            else:
                cuts = render("mondrian/cuts", ways=_WAYS[self._recoding.median], attributes=self._attributes, **ranks)
            if not self._engine.create_table(cuts):
                break
            self._cut(number)
        # 4. assign the cells to the new partitions
        if self._last > last:
            self._engine.create_table(
                render("local_recoding/moved_cells", "cells", attributes=self._attributes, round=number + 1)
            )
        return self._last > last

    def _attempts(self, cells: int) -> Iterator[tuple[int, int]]:
        """The first and the last rank of the candidates that are tried together: the widest one alone, then ever more."""
        count = len(self._attributes)
        first, width = 1, max(1, _CELLS_AT_ONCE // cells)
        while first <= count:
            yield first, min(first + width - 1, count)
            first, width = first + width, 2 * width

    def _attempts_by_gain(self, cells: int) -> Iterator[tuple[int, int]]:
        """The ranks whose cuts are compared by the loss of their sides; further ones only where none of them is possible."""
        count, width = len(self._attributes), min(_COMPARED, max(2, _CELLS_COMPARED // cells))
        yield 1, width
        if self._judges_more and width < count:
            yield width + 1, count

    def _cut(self, number: int) -> None:
        """Make the best of `cuts` whose sides all satisfy."""
        engine = self._engine
        engine.create_table(render("mondrian/sides", measures=self._measures, attributes=self._attributes))
        classes = {"sets": "sides", "class_keys": _SIDE, "persons": self._requirement.persons}
        for column in self._requirement.sensitive:
            engine.create_table(render("privacy/class_values", f"side_values_{column}", column=column, **classes))
        if self._requirement.entropies:
            self._requirement = self._doubts.resolve_exactly(engine, self._requirement, _SIDE, "side_values")
        if by_gain := self._recoding.cut == "gain":
            engine.create_table(render("mondrian/side_losses", **self._about))
        made = engine.append(
            render(
                "mondrian/children",
                "partitions",
                round=number + 1,
                last_partition=self._last,
                attributes=self._attributes,
                by_gain=by_gain,
                **self._evaluated(),
            )
        )
        self._last += made
        if made:
            [(_, self.partitions)] = engine.query(render("mondrian/depth"))

    def _evaluated(self) -> Evaluation:
        relations = Relations(histogram="side_values", sets="sides")
        return evaluation(self._requirement, _SIDE, keep_suppressed_rows=False, relations=relations)

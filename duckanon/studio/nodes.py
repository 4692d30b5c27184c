"""The counted input of a job, documents of decisions and nodes, and the nodes of a lattice that no sweep counts: those that the search
visited, then the others.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute, lattice_of, levels_of
from duckanon.job.model import ROWS, Job
from duckanon.job.prepare import Prepared
from duckanon.job.requirements import requirement_of
from duckanon.lattice import Lattice, Node
from duckanon.metrics.figures import Figures
from duckanon.metrics.objective import MeanLoss
from duckanon.observers import Observer
from duckanon.privacy.requirement import Requirement
from duckanon.risks.attackers import figures, named, required_risk
from duckanon.risks.sizes import Size, read_sizes
from duckanon.search.budget import Budget
from duckanon.search.count import Counted, count
from duckanon.search.distributions import with_distributions
from duckanon.search.evaluate import Evaluator
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.full_domain import search as search_lattice
from duckanon.search.sweep import Sweep, fits
from duckanon.search.variants import variant

_DECIDING = (
    "privacy",
    "adversaries",
    "any",
    "policy",
    "suppression",
    "recoding",
    "decide_on",
    "output",
    "about",
    "linkable",
    "accept",
)
"""The parts of a job that judge and search what was counted, and change no count."""


class Counts:
    """What one job counts, and the sweep of its lattice; for other requirements the same counts serve."""

    def __init__(self, engine: Engine, counted: Counted, key: object) -> None:
        self._engine = engine
        self._key = key
        self.counted = counted
        self.sweep = Sweep(engine, counted) if _is_swept(counted) else None

    @classmethod
    def of(cls, engine: Engine, prepared: Prepared, columns: Sequence[Column], observer: Observer) -> "Counts":
        """Count the input as its job says; `columns` if the engine has opened it. Raises the errors of `anonymize`."""
        counted = count(engine, replace(prepared, opened=columns), observer)
        return cls(engine, counted, _counted_parts(prepared.job, counted.columns))

    def under(self, job: Job) -> Counted | None:
        """What was counted, under the requirements of another job; None if that job counts something else."""
        if _counted_parts(job, self.counted.columns) != self._key:
            return None
        own = self.counted
        changed = own.job.model_copy(update={name: getattr(job, name) for name in _DECIDING})
        requirement = with_distributions(requirement_of(changed, own.columns), own.distributions)
        return replace(own, job=changed, plan=replace(own.plan, requirement=requirement))

    def swept(self) -> Iterator[float]:
        """Count the nodes of the lattice, if it can be swept; yields the share that is done."""
        if self.sweep is not None:
            yield from self.sweep.run()

    def sweep_for(self, counted: Counted) -> Sweep | None:
        """The sweep, if it knows all that these requirements judge."""
        return self.sweep if fits(counted) and counted.job.recoding.objective == "loss" else None

    @property
    def is_swept(self) -> bool:
        """Whether all nodes of the lattice are counted."""
        return self.sweep is not None and self.sweep.is_complete

    @property
    def lattice(self) -> Lattice:
        """The lattice of the quasi-identifiers."""
        return lattice_of(self.counted.attributes)

    @cached_property
    def _sizes(self) -> list[Size]:
        return read_sizes(self._engine, "combinations")

    def before(self, k: int) -> dict[str, Any]:
        """The risk of the input at the least levels of the job."""
        return figures(self._sizes, required=required_risk(k))

    @cached_property
    def mean_loss(self) -> MeanLoss:
        """The information loss that is shown, as in the manifest, whatever is minimized."""
        return MeanLoss(self.counted.marginals, self.counted.rows)


def _is_swept(counted: Counted) -> bool:
    """Whether the lattice can be swept under k-anonymity alone, which the requirement may exceed."""
    job = counted.job.model_copy(update={"suppression": counted.job.suppression.model_copy(update={"style": "drop"})})
    plain = replace(counted.plan.requirement, others=(), adversaries=(), average_risk=None)
    return fits(replace(counted, job=job, plan=replace(counted.plan, requirement=plain)))


def _counted_parts(job: Job, columns: Sequence[Column]) -> object:
    """All that decides what is counted: two jobs with the same parts have the same `combinations`."""
    parts = job.model_dump(exclude=set(_DECIDING))
    job = job.model_copy(update={"entity": None if job.entity == ROWS else job.entity})
    requirement = requirement_of(job, columns)
    return parts, requirement.sensitive, requirement.k.entities, requirement.k.k_column, job.recoding.weights


_MOST_GROUPS = 20
_SECONDS = 2.0
"""How long the nodes that the search visited are counted before a request is answered."""
_SECONDS_AHEAD, _MOST_SECONDS = 0.3, 60.0
"""How long others are counted at a time, and in all."""
_MOST_NODES = 5_000
"""Lattices with more nodes are not counted whole."""

Document = dict[str, Any]


def decision(
    counted: Counted, figures: Figures, levels: Mapping[str, int], losses: Mapping[str, float], masked: int = 0, **others: Any
) -> Document:
    """What every decision has, besides others: the lattice, the levels, the loss of each column, and the classes; masked records form one."""
    heights = {attribute.name: attribute.height for attribute in counted.attributes}
    classes = figures.released_classes + bool(masked)
    return {
        "algorithm": counted.job.recoding.algorithm,
        "lattice": lattice_of(counted.attributes).size,
        "heights": heights,
        "rows": counted.rows,
        "limit": max(0, counted.limit),
        "levels": levels,
        "loss_by_column": [
            {"column": name, "loss": loss, "level": levels.get(name), "height": heights[name]} for name, loss in losses.items()
        ],
        "suppressed": figures.suppressed,
        "classes": classes,
        "smallest": min(filter(None, (figures.released_smallest, masked)), default=0),
        "average": (figures.released + masked) / max(1, classes),
        **others,
    }


def node_document(
    engine: Engine, evaluator: Evaluator, loss: MeanLoss, attributes: Sequence[Attribute], node: Node
) -> Document:
    """A node, with the figures that a run at its levels has; the smallest class is in what the job counts, rows or persons."""
    figures = evaluator.figures(node)
    smallest = figures.released_smallest
    if evaluator.requirement.counts_persons or evaluator.keep_suppressed_rows:
        [(smallest,)] = engine.query(render("lattice/smallest_released", **evaluator.parameters(node)))
    return {
        "value": evaluator.objective.published(evaluator.value(node)),
        "loss": loss.published(loss.value(node, figures, lambda: evaluator.lost(node))),
        "risk": 1 / int(smallest) if smallest else None,
        "suppressed": figures.suppressed,
        "classes": evaluator.shown_classes(node),
        "satisfies": evaluator.satisfies(node),
        "levels": levels_of(attributes, node),
    }


def risks(before: Mapping[str, Any], after: Mapping[str, Any] | None, requirement: Requirement) -> Document:
    """The prosecutor's risk, with the share of rows above the risk that k allows; without a k for all quasi-identifiers there is no threshold."""
    threshold = None if requirement.adversaries or requirement.k.k_column else required_risk(requirement.k.k)
    return {
        "threshold": None if threshold is None else float(threshold),
        "before": _risk_figures(before, threshold),
        "after": None if after is None else _risk_figures(after, threshold),
    }


def _risk_figures(risk: Mapping[str, Any], threshold: Fraction | None) -> Document:
    prosecutor = risk["prosecutor"]
    return {
        "highest": prosecutor["highest"],
        "average": prosecutor["average"],
        "at_risk": None if threshold is None else prosecutor["at_risk"][named(threshold)],
        "uniques": risk["uniques"],
    }


def group(column: str, value: str, rows: int, suppressed: int) -> Document:
    """A subgroup: the rows with a value or label, and those of them that are suppressed."""
    return {"column": column, "value": value, "rows": rows, "suppressed": suppressed, "share": suppressed / rows}


def largest(groups: Sequence[Document]) -> list[Document]:
    """The groups that lose the largest share of their rows."""
    return sorted(groups, key=lambda group: (-group["share"], -group["suppressed"]))[:_MOST_GROUPS]


class SearchedNodes:
    """Counts the nodes of one job at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._job: Job | None = None
        self._documents: dict[Node, Document] = {}
        self._rest: Iterator[Node] | None = None
        self._seconds = 0.0
        self.lattice = 0
        """The nodes of the lattice of the job."""

    def remember(self, counted: Counted, searched: FullDomainResult | None) -> None:
        """Keep the search of a job, whose nodes need not be visited again; one that left columns out has another lattice."""
        if searched is None or counted.job.recoding.levels or len(searched.counted.attributes) < len(counted.attributes):
            return
        if _judging(counted) != self._job:
            self._documents, self._rest, self._seconds = {}, None, 0.0
        self._job, self._searched = _judging(counted), searched
        self.lattice = lattice_of(counted.attributes).size
        self._loss = MeanLoss(counted.marginals, counted.rows)

    def nodes(self, counted: Counted) -> list[Document]:
        """The nodes that are counted, and those that were visited but only bounded, which have no `value`."""
        if _judging(counted) != self._job:
            searched = search_lattice(self._engine, variant(counted, algorithm="optimal"), all_nodes=False, budget=Budget(1.0))
            self.remember(counted, searched)
        visited = [node for node in self._searched.evaluator.visited if node in self._searched.lattice]
        self._count(visited, _SECONDS)
        self._rest = self._rest or self._searched.lattice.nodes()
        return [*self._documents.values(), *(self._bounded(node) for node in visited if node not in self._documents)]

    def ahead(self) -> float | None:
        """Count some more nodes of a lattice that was asked for; returns the share that is counted, or None if nothing is left."""
        if self._rest is None or self.is_complete or self.lattice > _MOST_NODES or self._seconds > _MOST_SECONDS:
            return None
        start = time.monotonic()
        self._count(self._rest, _SECONDS_AHEAD)
        self._seconds += time.monotonic() - start
        return len(self._documents) / self.lattice

    @property
    def is_complete(self) -> bool:
        """Whether all nodes of the job are counted."""
        return len(self._documents) == self.lattice

    def _count(self, nodes: Sequence[Node] | Iterator[Node], seconds: float) -> None:
        evaluator, end = self._searched.evaluator, time.monotonic() + seconds
        waiting = (node for node in nodes if node not in self._documents)
        while time.monotonic() < end and (batch := list(islice(waiting, evaluator.width))):
            evaluator.count(batch)
            attributes = self._searched.counted.attributes
            self._documents.update(
                (node, node_document(self._engine, evaluator, self._loss, attributes, node)) for node in batch
            )

    def _bounded(self, node: Node) -> Document:
        evaluator = self._searched.evaluator
        suppressed = evaluator.least_suppressed(node)
        return {
            "value": None,
            "loss": self._loss.published(self._loss.floor(node, suppressed)),
            "risk": None,
            "suppressed": suppressed,
            "classes": None,
            "satisfies": evaluator.known_verdict(node),
            "levels": levels_of(self._searched.counted.attributes, node),
        }


def _judging(counted: Counted) -> Job:
    """The job without what decides only how long is searched, and which of its nodes is released."""
    recoding = counted.job.recoding.model_copy(update={"levels": None, "time_limit": None, "max_nodes": None})
    return counted.job.model_copy(update={"recoding": recoding})

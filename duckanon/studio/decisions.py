"""What a job would release: the chosen levels, their information loss, suppressed rows by subgroup, and the risk before and after.

Where the sweep knows all that is judged, a decision is read from it. Otherwise the job's algorithm searches within a few seconds,
and the best so far is shown until a longer search has ended.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy.attributes import levels_of
from duckanon.job.resolve import chosen_node
from duckanon.lattice import Node
from duckanon.metrics.base import Value
from duckanon.release.recoding.build import recoding_of
from duckanon.release.risk_summary import risk_summary
from duckanon.release.suppressed_values import of_quasi_identifiers
from duckanon.risks.attackers import THRESHOLDS, figures, named
from duckanon.risks.sizes import read_sizes
from duckanon.search import full_domain, local_recoding, result
from duckanon.search.count import Counted
from duckanon.search.evaluation.budget import Budget
from duckanon.search.result import SearchResult
from duckanon.search.sweep import K, Sweep, Swept
from duckanon.search.trace import visits_of
from duckanon.search.variants import variant
from duckanon.studio.counts import Counts

_MOST_GROUPS = 20
_MOST_LABELS = 60
"""Columns with more labels have no subgroups."""

Document = dict[str, Any]


class _Interruptible(Budget):
    """A time limit that also ends the search if a newer request replaces this one."""

    def __init__(self, seconds: float | None, is_superseded: Callable[[], bool]) -> None:
        super().__init__(seconds)
        self._is_superseded = is_superseded

    def check(self, visited: int) -> None:
        if self._is_superseded():
            self._end = 0.0
        super().check(visited)


class Decisions:
    """Decides jobs over one set of counts, and remembers what the next decision can use."""

    def __init__(self, engine: Engine, counts: Counts) -> None:
        self._engine = engine
        self.counts = counts
        self._swept: dict[int, list[Swept]] = {}
        self._read: Node | None = None
        """The node whose classes are in `swept_classes`."""
        self._sizes: dict[Node, Any] = {}
        self._labels: dict[tuple[str, int], dict[int, tuple[str, int]]] = {}

    def decided(self, counted: Counted, seconds: float | None, is_superseded: Callable[[], bool]) -> Document:
        """The decision of a job; raises `JobError` if the job does not fit the columns."""
        sweep = self._sweep(counted)
        if sweep is not None and counted.job.recoding.algorithm == "optimal" and not counted.job.recoding.levels:
            best = self._best(sweep, counted)
            if best is not None:
                return self._of_swept(sweep, counted, best, is_feasible=True)
        return self._searched(counted, seconds, is_superseded)

    def at_node(self, counted: Counted, levels: Mapping[str, int]) -> Document:
        """The figures of chosen levels, whether or not they satisfy; raises `JobError` for levels outside the lattice."""
        names = [attribute.name for attribute in counted.attributes]
        for name in levels:
            if name not in names:
                raise JobError(f"{name!r} is not a quasi-identifier of the job{did_you_mean(name, names)}")
        fixed = variant(counted, levels=levels)
        node = chosen_node(fixed.job, counted.attributes)
        sweep = self._sweep(counted)
        if sweep is None or node is None:
            return self._searched(fixed, None, lambda: False)
        own = next(swept for swept in self._at(sweep, counted.plan.requirement.k.k) if swept.node == node)
        return self._of_swept(sweep, counted, own, is_feasible=_satisfies(own, counted))

    def point(self, counted: Counted, algorithm: str, seconds: float) -> Document:
        """The loss and the risk of another algorithm, within some seconds."""
        recoding = counted.job.recoding.model_copy(
            update={"algorithm": algorithm, "levels": None, "time_limit": seconds, "max_nodes": None}
        )
        decision = self._searched(
            replace(counted, job=counted.job.model_copy(update={"recoding": recoding})), seconds, lambda: False
        )
        keys = ("feasible", "complete", "message", "loss", "suppressed")
        after = decision["risk"]["after"]
        return {"algorithm": algorithm, **{key: decision[key] for key in keys}, "risk": after and after["highest"]}

    def lattice(self, counted: Counted) -> Document:
        """The nodes with their loss and risk: all if the lattice was swept, else those that a short search visits."""
        sweep, rows = self._sweep(counted), counted.rows
        loss = self.counts.loss(counted)
        names = [attribute.name for attribute in counted.attributes]
        if sweep is not None:
            best = self._best(sweep, counted)
            nodes = [
                {
                    "loss": loss.published(loss.aggregated(swept.excess)),
                    "risk": 1 / swept.released_smallest if swept.released_smallest else None,
                    "suppressed": swept.suppressed,
                    "classes": swept.classes - swept.failing_classes,
                    "satisfies": _satisfies(swept, counted),
                    "chosen": best is not None and swept.node == best.node,
                    "levels": dict(zip(names, swept.node, strict=True)),
                }
                for swept in self._at(sweep, counted.plan.requirement.k.k)
            ]
        else:
            searched = result.decide(self._engine, _within(counted, 1.0), all_nodes=False).full_domain
            nodes = [
                {
                    "loss": visit.at_least if visit.value is None else visit.value,
                    "risk": 1 / visit.smallest if visit.smallest and not visit.suppressed else None,
                    "suppressed": visit.suppressed,
                    "classes": visit.classes,
                    "satisfies": visit.satisfies,
                    "chosen": visit.is_chosen,
                    "levels": dict(zip(names, visit.node, strict=True)),
                }
                for visit in (visits_of(searched) if searched is not None else ())
            ]
        for number, node in enumerate(nodes):
            node |= {"number": number, "frontier": False}
        _mark_frontier(nodes)
        return {
            "axes": names,
            "size": self.counts.lattice.size,
            "rows": rows,
            "complete": sweep is not None,
            "nodes": nodes,
        }

    def _sweep(self, counted: Counted) -> Sweep | None:
        return self.counts.sweep_for(counted) if counted.plan.requirement.k.k in K else None

    def _at(self, sweep: Sweep, k: int) -> list[Swept]:
        if k not in self._swept:
            self._swept[k] = sweep.at(k)
        return self._swept[k]

    def _best(self, sweep: Sweep, counted: Counted) -> Swept | None:
        """The satisfying node with the least objective, in the order of `Evaluator.rank`."""
        loss = self.counts.loss(counted)

        def rank(swept: Swept) -> tuple[Value, int, Node]:
            return loss.aggregated(swept.excess), sum(swept.node), swept.node

        satisfying = [swept for swept in self._at(sweep, counted.plan.requirement.k.k) if _satisfies(swept, counted)]
        return min(satisfying, key=rank, default=None)

    def _of_swept(self, sweep: Sweep, counted: Counted, swept: Swept, *, is_feasible: bool) -> Document:
        k, loss = counted.plan.requirement.k.k, self.counts.loss(counted)
        if swept.node != self._read:
            sweep.read_classes(swept.node)
            self._read = swept.node
        if swept.node not in self._sizes:
            self._sizes[swept.node] = read_sizes(self._engine, "swept_classes")
        after = figures([size for size in self._sizes[swept.node] if size.size >= k])
        released = counted.rows - swept.suppressed
        message = "" if is_feasible else f"suppresses {swept.suppressed:,} rows, and {max(0, counted.limit):,} are allowed"
        return {
            **self._common(counted, is_feasible=is_feasible, message=message),
            "complete": True,
            "visited": self.counts.lattice.size,
            "levels": levels_of(counted.attributes, swept.node),
            "loss": loss.published(loss.aggregated(swept.excess)),
            "loss_by_column": [
                {
                    "column": attribute.name,
                    "loss": excess / (counted.rows * marginal.span),
                    "level": level,
                    "height": attribute.height,
                }
                for attribute, marginal, excess, level in zip(
                    counted.attributes, counted.marginals, swept.excess, swept.node, strict=True
                )
            ],
            "suppressed": swept.suppressed,
            "classes": swept.classes - swept.failing_classes,
            "smallest": swept.released_smallest,
            "average": released / max(1, swept.classes - swept.failing_classes),
            "risk": _risk(self.counts.before, after, k),
            "models": [{"model": "k-anonymity", "required": k, "achieved": swept.released_smallest, "passed": is_feasible}],
            "subgroups": self._subgroups(sweep, counted, swept.node, k) if swept.suppressed else [],
        }

    def _subgroups(self, sweep: Sweep, counted: Counted, node: Node, k: int) -> list[Document]:
        groups = []
        for attribute, level, failing in zip(counted.attributes, node, sweep.failing_labels(k), strict=True):
            labels = self._labels_at(attribute.name, level)
            if not 1 < len(labels) <= _MOST_LABELS:
                continue
            groups += [
                _group(attribute.name, labels[code][0], labels[code][1], suppressed) for code, suppressed in failing.items()
            ]
        return _largest(groups)

    def _labels_at(self, name: str, level: int) -> dict[int, tuple[str, int]]:
        if (name, level) not in self._labels:
            read = self._engine.query(render("lattice/labels_at", column=name, level=level))
            self._labels[name, level] = {code: ("NULL" if label is None else label, rows) for code, label, rows in read}
        return self._labels[name, level]

    def _searched(self, counted: Counted, seconds: float | None, is_superseded: Callable[[], bool]) -> Document:
        """The decision of the job's algorithm within some seconds."""
        if not local_recoding.is_local(counted.job) and counted.job.recoding.algorithm != "auto":
            budget = _Interruptible(seconds, is_superseded)
            searched: SearchResult = full_domain.search(self._engine, counted, all_nodes=False, budget=budget)
        else:
            searched = result.decide(self._engine, _within(counted, seconds), all_nodes=False)
        document = searched.document()
        counted, k = searched.counted, counted.plan.requirement.largest_k.k
        recoding = recoding_of(searched, counted)
        for statement in recoding.class_statements():
            self._engine.create_table(statement)
        risk = risk_summary(self._engine, counted, searched)
        metrics, figured = searched.metrics(), searched.figures
        levels = searched.full_domain.levels if searched.full_domain is not None else {}
        heights = {attribute.name: attribute.height for attribute in counted.attributes}
        losses = of_quasi_identifiers(self._engine, counted, recoding) if figured.suppressed else []
        is_complete = document.get("stopped") is None
        adversaries = [{"name": name, **about} for name, about in (risk.get("adversaries") or {}).items()]
        return {
            **self._common(
                counted, is_feasible=searched.is_feasible, message="" if searched.is_feasible else searched.advice()
            ),
            "complete": is_complete,
            "visited": document.get("visited", 0),
            "levels": levels,
            "loss": metrics["loss"],
            "loss_by_column": [
                {"column": name, "loss": loss, "level": levels.get(name), "height": heights[name]}
                for name, loss in metrics["loss_by_attribute"].items()
            ],
            "suppressed": figured.suppressed,
            "classes": figured.released_classes,
            "smallest": figured.released_smallest,
            "average": figured.released / max(1, figured.released_classes),
            "risk": _risk(risk["before"], risk["after"], k),
            "models": searched.achieved().checks(holds=searched.is_feasible),
            "adversaries": adversaries,
            "subgroups": _largest(
                [
                    _group(column.column, "NULL" if group.value is None else group.value, group.rows, group.suppressed)
                    for column in losses
                    for group in column.groups
                    if group.suppressed
                ]
            ),
        }

    def _common(self, counted: Counted, *, is_feasible: bool, message: str) -> Document:
        return {
            "feasible": is_feasible,
            "message": message,
            "algorithm": counted.job.recoding.algorithm,
            "lattice": self.counts.lattice.size,
            "heights": {attribute.name: attribute.height for attribute in counted.attributes},
            "rows": counted.rows,
            "limit": max(0, counted.limit),
        }


def _satisfies(swept: Swept, counted: Counted) -> bool:
    return swept.suppressed <= counted.limit and swept.suppressed < counted.rows


def _within(counted: Counted, seconds: float | None) -> Counted:
    """The counted data with the shorter of the job's time limit and some seconds."""
    recoding = counted.job.recoding
    limits = [limit for limit in (recoding.time_limit, seconds) if limit is not None]
    limited = recoding.model_copy(update={"time_limit": min(limits, default=None)})
    return replace(counted, job=counted.job.model_copy(update={"recoding": limited}))


def _risk(before: Mapping[str, Any], after: Mapping[str, Any] | None, k: int) -> Document:
    """The prosecutor's risk, with the share of rows above the lowest usual threshold that k allows."""
    threshold = min((step for step in THRESHOLDS if step * k >= 1), default=THRESHOLDS[-1])
    return {
        "threshold": float(threshold),
        "before": _risk_figures(before, threshold),
        "after": None if after is None else _risk_figures(after, threshold),
    }


def _risk_figures(risk: Mapping[str, Any], threshold: Fraction) -> Document:
    prosecutor = risk["prosecutor"]
    return {
        "highest": prosecutor["highest"],
        "average": prosecutor["average"],
        "at_risk": prosecutor["at_risk"][named(threshold)],
        "uniques": risk["uniques"],
    }


def _group(column: str, value: str, rows: int, suppressed: int) -> Document:
    return {"column": column, "value": value, "rows": rows, "suppressed": suppressed, "share": suppressed / rows}


def _largest(groups: Sequence[Document]) -> list[Document]:
    """The groups that lose the largest share of their rows."""
    return sorted(groups, key=lambda group: (-group["share"], -group["suppressed"]))[:_MOST_GROUPS]


def _mark_frontier(nodes: Sequence[Document]) -> None:
    """Mark the satisfying nodes that no other satisfying node beats in both risk and loss."""
    least = float("inf")
    known = [node for node in nodes if node["satisfies"] and node["risk"] is not None]
    for node in sorted(known, key=lambda node: (node["risk"], node["loss"])):
        if node["loss"] < least:
            node["frontier"], least = True, node["loss"]

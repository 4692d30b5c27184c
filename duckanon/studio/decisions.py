"""What a job would release: the chosen levels, their information loss, suppressed rows by subgroup, and the risk before and after.

Where a sweep knows all that is judged, it decides: each node is counted once for many values of k, so that another k counts only nodes
that are new. After a decision, the same job is decided at the other values of k, nearest first, and then all nodes are counted. A change of
k is then a look-up. Otherwise the job's algorithm searches within a few seconds, and the best so far is shown until a longer search has
ended.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy.attributes import levels_of
from duckanon.job.resolve import chosen_node
from duckanon.lattice import Node
from duckanon.release.recoding import recoding_of
from duckanon.release.risk_summary import risk_summary
from duckanon.release.suppressed_values import of_quasi_identifiers
from duckanon.risks.attackers import figures, required_risk
from duckanon.risks.sizes import read_sizes
from duckanon.search import full_domain, local_recoding, result
from duckanon.search.algorithms import optimal
from duckanon.search.budget import Budget
from duckanon.search.count import Counted
from duckanon.search.evaluate import Evaluator
from duckanon.search.region_result import SearchResult
from duckanon.search.remedies import advice
from duckanon.search.sweep import K, Sweep, SweptNodes
from duckanon.search.variants import variant
from duckanon.studio.nodes import Counts, Document, SearchedNodes, decision, group, largest, node_document, risks

_MOST_LABELS = 60
"""Columns with more labels have no subgroups."""
_SECONDS_AHEAD = 0.3
"""How long another value of k is searched before a request that came meanwhile is answered."""

_Key = tuple[int, int, str]


class SweptDecisions:
    """Decides jobs whose requirement a sweep knows, and remembers what it decided."""

    def __init__(self, engine: Engine, counts: Counts) -> None:
        self._engine = engine
        self._counts = counts
        self._known: dict[_Key, Document | None] = {}
        """Complete decisions by k, limit and aggregate; None if no node satisfies."""
        self._latest: Counted | None = None
        """The job that a page asked for last."""
        self._seconds: dict[_Key, float] = {}
        """For how long a value of k is searched ahead."""
        self._everything = counts.swept()
        self._visited: dict[Node, None] = {}
        """The nodes that searches visited, which others will probably visit too."""
        self._read: Node | None = None
        """The node whose classes are in `swept_classes`."""
        self._sizes: dict[Node, Any] = {}
        self._labels: dict[tuple[str, int], dict[int, tuple[str, int]]] = {}

    def prepare(self, counted: Counted) -> None:
        """Build what nodes are counted from, which is no part of the time of a search."""
        if (sweep := self._sweep(counted)) is not None:
            sweep.prepare()

    def decided(self, counted: Counted, budget: Budget) -> Document | None:
        """The optimum, or the best so far; None if no node satisfies, or the sweep does not know all that is judged."""
        recoding = counted.job.recoding
        is_limited = recoding.time_limit is not None or recoding.max_nodes is not None
        if recoding.algorithm != "optimal" or recoding.levels or is_limited or self._sweep(counted) is None:
            self._latest = None
            return None
        self._latest = counted
        return self._optimum(counted, budget)

    def at_node(self, counted: Counted, node: Node) -> Document | None:
        """The figures of one node, whether or not it satisfies; None if the sweep does not know all that is judged."""
        sweep = self._sweep(counted)
        if sweep is None:
            return None
        return self._document(sweep, counted, self._evaluator(counted, sweep, [node]), node)

    def nodes(self, counted: Counted) -> list[Document] | None:
        """The nodes that are counted so far, as `SearchedNodes` gives them; None if the sweep does not know all that is judged."""
        sweep = self._sweep(counted)
        if sweep is None:
            return None
        if not sweep.counted:
            return []
        evaluator, loss = self._evaluator(counted, sweep, None), self._counts.mean_loss
        return [node_document(self._engine, evaluator, loss, counted.attributes, node) for node in sorted(sweep.counted)]

    def ahead(self) -> tuple[str, float] | None:
        """Do some of the work that later requests need: decide the latest job at another k, or count some nodes.

        Returns what was done and which share of it is done, or None if nothing is left.
        """
        waiting = self._waiting()
        if waiting:
            key = _key(waiting[0])
            self._seconds[key] = 2 * self._seconds.get(key, _SECONDS_AHEAD / 2)
            self._optimum(waiting[0], Budget(self._seconds[key]))
            return "deciding at other values of k", 1 - len(waiting) / len(K)
        if self._counts.is_swept:
            return None
        share = next(self._everything, None)
        if share is None:
            # a statement failed, which ended the generator
            self._everything = self._counts.swept()
            share = next(self._everything, None)
        return None if share is None else ("counting all combinations of levels", share)

    def _waiting(self) -> list[Counted]:
        """The latest job at the values of k at which it is not decided, nearest first."""
        if self._latest is None:
            return []
        job, place = self._latest, K.index(self._latest.plan.requirement.k.k)
        near = sorted(range(len(K)), key=lambda number: abs(number - place))
        return [variant(job, k=K[number]) for number in near if (K[number], *_key(job)[1:]) not in self._known]

    def _sweep(self, counted: Counted) -> Sweep | None:
        return self._counts.sweep_for(counted) if counted.plan.requirement.k.k in K else None

    def _optimum(self, counted: Counted, budget: Budget) -> Document | None:
        key, sweep = _key(counted), self._sweep(counted)
        if key in self._known or sweep is None:
            return self._known.get(key)
        evaluator = self._evaluator(counted, sweep, list(self._visited), budget)
        outcome = optimal.search(evaluator, sweep.lattice)
        self._visited.update(dict.fromkeys(evaluator.visited))
        satisfying = filter(evaluator.satisfies, evaluator.visited)
        node = outcome.node if outcome.proven else min(satisfying, key=evaluator.rank, default=None)
        document = None
        if node is not None:
            document = self._document(sweep, counted, evaluator, node)
            document |= {"complete": outcome.proven, "proven": outcome.proven, "visited": len(evaluator.visited)}
        if outcome.proven:
            self._known[key] = document
        return document

    def _evaluator(
        self, counted: Counted, sweep: Sweep, likely: Sequence[Node] | None, budget: Budget | None = None
    ) -> Evaluator:
        nodes = SweptNodes(self._engine, counted, sweep, likely)
        return Evaluator.of(self._engine, counted, budget=budget, nodes=nodes)

    def _document(self, sweep: Sweep, counted: Counted, evaluator: Evaluator, node: Node) -> Document:
        k, loss, figured = counted.plan.requirement.k.k, self._counts.mean_loss, evaluator.figures(node)
        if node != self._read:
            sweep.read_classes(node)
            self._read = node
        if node not in self._sizes:
            self._sizes[node] = read_sizes(self._engine, "swept_classes")
        after = figures([size for size in self._sizes[node] if size.size >= k], required=required_risk(k))
        is_feasible, lost = evaluator.satisfies(node), figured.excess or ()
        suppressed = f"suppresses {figured.suppressed:,} rows, and {max(0, counted.limit):,} are allowed"
        losses = {
            marginal.name: excess / (counted.rows * marginal.span)
            for marginal, excess in zip(counted.marginals, lost, strict=True)
        }
        return decision(
            counted,
            figured,
            levels_of(counted.attributes, node),
            losses,
            feasible=is_feasible,
            message="" if is_feasible else suppressed,
            complete=True,
            proven=False,
            visited=1,
            loss=loss.published(loss.aggregated(lost)),
            risk=risks(self._counts.before(k), after, counted.plan.requirement),
            models=[{"model": "k-anonymity", "required": k, "achieved": figured.released_smallest, "passed": is_feasible}],
            subgroups=self._subgroups(sweep, counted, node, k) if figured.suppressed else [],
        )

    def _subgroups(self, sweep: Sweep, counted: Counted, node: Node, k: int) -> list[Document]:
        groups = []
        for attribute, level, failing in zip(counted.attributes, node, sweep.failing_labels(k), strict=True):
            labels = self._labels_at(attribute.name, level)
            if not 1 < len(labels) <= _MOST_LABELS:
                continue
            groups += [
                group(attribute.name, labels[code][0], labels[code][1], suppressed) for code, suppressed in failing.items()
            ]
        return largest(groups)

    def _labels_at(self, name: str, level: int) -> dict[int, tuple[str, int]]:
        if (name, level) not in self._labels:
            read = self._engine.query(render("lattice/labels_at", column=name, level=level, chosen={}))
            self._labels[name, level] = {code: ("NULL" if label is None else label, rows) for code, label, rows in read if rows}
        return self._labels[name, level]


def _key(counted: Counted) -> _Key:
    """All that a decision of a sweep depends on besides the counts."""
    return counted.plan.requirement.k.k, counted.limit, counted.job.recoding.aggregate


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
        self._swept = SweptDecisions(engine, counts)
        self._nodes = SearchedNodes(engine)
        self._decided: dict[str, Document] = {}
        """The last decision by its job."""

    def decided(self, counted: Counted, seconds: float | None, is_superseded: Callable[[], bool]) -> Document:
        """The decision of a job; raises `JobError` if the job does not fit the columns."""
        self._swept.prepare(counted)
        decision = self._swept.decided(counted, _Interruptible(seconds, is_superseded))
        if decision is None:
            decision = self._searched(counted, seconds, is_superseded)
        self._decided = {_text(counted): decision}
        return decision

    def ahead(self) -> tuple[str, float] | None:
        """Do some of the work that later requests need; returns what was done and its share, or None if nothing is left."""
        if (step := self._swept.ahead()) is not None:
            return step
        share = self._nodes.ahead()
        return None if share is None else ("counting all combinations of levels", share)

    def at_node(self, counted: Counted, levels: Mapping[str, int]) -> Document:
        """The figures of chosen levels, whether or not they satisfy; raises `JobError` for levels outside the lattice."""
        names = [attribute.name for attribute in counted.attributes]
        for name in levels:
            if name not in names:
                raise JobError(f"{name!r} is not a quasi-identifier of the job{did_you_mean(name, names)}")
        # a local recoding would ignore them
        fixed = variant(counted, levels=levels, algorithm="optimal")
        node = chosen_node(fixed.job, counted.attributes)
        known = None if node is None else self._swept.at_node(counted, node)
        return self._searched(fixed, None, lambda: False) if known is None else known

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
        """The nodes that are counted, with their loss and risk, and which of them the decision of the job chose.

        `proven` says that no node of the lattice that satisfies has a lower objective than the chosen one.
        """
        decision = self._decided.get(_text(counted)) or self.decided(counted, 1.0, lambda: False)
        nodes = self._swept.nodes(counted)
        if nodes is None:
            nodes = self._nodes.nodes(counted)
        size = self.counts.lattice.size
        is_complete = len(nodes) == size and all(node["value"] is not None for node in nodes)
        satisfying = [node for node in nodes if node["satisfies"] and node["value"] is not None]
        chosen = next((node for node in satisfying if node["levels"] == decision.get("levels")), None)
        best = min(satisfying, key=_rank, default=None)
        if is_complete and chosen is None:
            # the job's algorithm gives each region levels of its own
            chosen = best
        for number, node in enumerate(nodes):
            node |= {"number": number, "frontier": False, "chosen": node is chosen}
        _mark_frontier(nodes)
        is_best = is_complete and chosen is not None and best is not None and chosen["value"] == best["value"]
        return {
            "axes": [attribute.name for attribute in counted.attributes],
            "size": size,
            "rows": counted.rows,
            "complete": is_complete,
            "proven": is_best or bool(chosen and decision.get("proven")),
            "nodes": nodes,
        }

    @property
    def is_complete(self) -> bool:
        """Whether all nodes of the lattice are counted that was asked for last."""
        return self.counts.is_swept or self._nodes.is_complete

    def _searched(self, counted: Counted, seconds: float | None, is_superseded: Callable[[], bool]) -> Document:
        """The decision of the job's algorithm within some seconds."""
        if not local_recoding.is_local(counted.job) and counted.job.recoding.algorithm != "auto":
            budget = _Interruptible(seconds, is_superseded)
            searched: SearchResult = full_domain.search(self._engine, counted, all_nodes=False, budget=budget)
        else:
            searched = result.decide(self._engine, _within(counted, seconds), all_nodes=False)
        try:
            return self._document(counted, searched)
        finally:
            searched.drop_relations()

    def _document(self, counted: Counted, searched: SearchResult) -> Document:
        document = searched.document()
        self._nodes.remember(counted, searched.full_domain)
        counted = searched.counted
        recoding = recoding_of(searched, counted)
        for statement in recoding.class_statements():
            self._engine.create_table(statement)
        risk = risk_summary(self._engine, counted, searched)
        metrics, figured = searched.metrics(), searched.figures
        losses = of_quasi_identifiers(self._engine, counted, recoding) if figured.suppressed else []
        groups = [
            group(column.column, "NULL" if values.value is None else values.value, values.rows, values.suppressed)
            for column in losses
            for values in column.groups
            if values.suppressed
        ]
        return decision(
            counted,
            figured,
            searched.full_domain.levels if searched.full_domain is not None else {},
            metrics["loss_by_attribute"],
            figured.suppressed if counted.job.keep_suppressed_rows else 0,
            feasible=searched.is_feasible,
            message="" if searched.is_feasible else advice(searched),
            complete=document.get("stopped") is None,
            proven=bool(document.get("objective", {}).get("proven")),
            visited=document.get("visited", 0),
            loss=metrics["loss"],
            risk=risks(risk["before"], risk["after"], counted.plan.requirement),
            models=searched.achieved().checks(holds=searched.is_feasible),
            adversaries=[{"name": name, **about} for name, about in (risk.get("adversaries") or {}).items()],
            subgroups=largest(groups),
        )


def _within(counted: Counted, seconds: float | None) -> Counted:
    """The counted data with the shorter of the job's time limit and some seconds."""
    recoding = counted.job.recoding
    limits = [limit for limit in (recoding.time_limit, seconds) if limit is not None]
    limited = recoding.model_copy(update={"time_limit": min(limits, default=None)})
    return replace(counted, job=counted.job.model_copy(update={"recoding": limited}))


def _text(counted: Counted) -> str:
    return counted.job.model_dump_json()


def _rank(node: Document) -> tuple[Any, int, tuple[int, ...]]:
    """As `Evaluator.rank`."""
    levels = tuple(node["levels"].values())
    return node["value"], sum(levels), levels


def _mark_frontier(nodes: Sequence[Document]) -> None:
    """Mark the satisfying nodes that no other satisfying node beats in both risk and loss."""
    least = float("inf")
    known = [node for node in nodes if node["satisfies"] and node["risk"] is not None]
    for node in sorted(known, key=lambda node: (node["risk"], node["loss"])):
        if node["loss"] < least:
            node["frontier"], least = True, node["loss"]

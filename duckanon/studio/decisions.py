"""What a job would release: the chosen levels, their information loss, suppressed rows by subgroup, and the risk before and after.

Where a sweep knows all that is judged, it decides. Otherwise the job's algorithm searches within a few seconds, and the best so far is
shown until a longer search has ended.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.errors import JobError, did_you_mean
from duckanon.job.resolve import chosen_node
from duckanon.release.recoding import recoding_of
from duckanon.release.risk_summary import risk_summary
from duckanon.release.suppressed_values import of_quasi_identifiers
from duckanon.search import full_domain, local_recoding, result
from duckanon.search.advice import advice
from duckanon.search.count import Counted
from duckanon.search.evaluate import Budget
from duckanon.search.region_result import SearchResult
from duckanon.search.variants import variant
from duckanon.studio.counts import Counts
from duckanon.studio.nodes import Document, SearchedNodes, decision, group, largest, risks
from duckanon.studio.swept_decisions import SweptDecisions


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

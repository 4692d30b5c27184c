"""Decisions from nodes that are counted for many values of k: each node once, so that another k counts only nodes that are new.

After a decision, the same job is decided at the other values of k, nearest first, and then all nodes are counted. A change of k is then
a look-up.
"""

from collections.abc import Sequence
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import levels_of
from duckanon.lattice import Node
from duckanon.risks.attackers import figures, required_risk
from duckanon.risks.sizes import read_sizes
from duckanon.search.algorithms import optimal
from duckanon.search.count import Counted
from duckanon.search.evaluate import Budget, Evaluator
from duckanon.search.sweep import K, Sweep, SweptNodes
from duckanon.search.variants import variant
from duckanon.studio.counts import Counts
from duckanon.studio.nodes import Document, decision, group, largest, node_document, risks

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

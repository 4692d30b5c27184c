"""Decisions from nodes that are counted for many values of k: each node once, so that another k counts only nodes that are new.

After a decision, the same job is decided at the other values of k, nearest first, and then all nodes are counted. A change of k is then
a look-up.
"""

from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import levels_of
from duckanon.lattice import Node
from duckanon.risks.attackers import figures, required_risk
from duckanon.risks.sizes import read_sizes
from duckanon.search.algorithms import optimal
from duckanon.search.count import Counted
from duckanon.search.evaluation.budget import Budget
from duckanon.search.sweep import K, Sweep, Swept
from duckanon.search.swept_evaluator import SweptEvaluator
from duckanon.search.variants import variant
from duckanon.studio.counts import Counts
from duckanon.studio.decision_document import Document, common, group, largest, risks

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
        [swept] = sweep.at(counted.plan.requirement.k.k, [node])
        return self._document(sweep, counted, swept, is_feasible=_satisfies(swept, counted))

    def nodes(self, counted: Counted) -> list[Document] | None:
        """The nodes that are counted so far, as `SearchedNodes` gives them; None if the sweep does not know all that is judged."""
        sweep = self._sweep(counted)
        if sweep is None:
            return None
        loss = self._counts.loss(counted)
        return [
            {
                "value": loss.published(loss.aggregated(swept.excess)),
                "loss": self._counts.mean_loss.published(self._counts.mean_loss.aggregated(swept.excess)),
                "risk": 1 / swept.figures.released_smallest if swept.figures.released_smallest else None,
                "suppressed": swept.figures.suppressed,
                "classes": swept.figures.released_classes,
                "satisfies": _satisfies(swept, counted),
                "levels": levels_of(counted.attributes, swept.node),
            }
            for swept in (sweep.at(counted.plan.requirement.k.k) if sweep.has_counted else ())
        ]

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
        evaluator = SweptEvaluator(self._engine, counted, self._counts.loss(counted), sweep, budget, list(self._visited))
        outcome = optimal.search(evaluator, sweep.lattice)
        self._visited.update(dict.fromkeys(evaluator.visited))
        node = outcome.node if outcome.proven else evaluator.best()
        document = None
        if node is not None:
            document = self._document(sweep, counted, evaluator.swept(node), is_feasible=True)
            document |= {"complete": outcome.proven, "proven": outcome.proven, "visited": len(evaluator.visited)}
        if outcome.proven:
            self._known[key] = document
        return document

    def _document(self, sweep: Sweep, counted: Counted, swept: Swept, *, is_feasible: bool) -> Document:
        k, loss = counted.plan.requirement.k.k, self._counts.mean_loss
        if swept.node != self._read:
            sweep.read_classes(swept.node)
            self._read = swept.node
        if swept.node not in self._sizes:
            self._sizes[swept.node] = read_sizes(self._engine, "swept_classes")
        after = figures([size for size in self._sizes[swept.node] if size.size >= k], required=required_risk(k))
        message = (
            "" if is_feasible else f"suppresses {swept.figures.suppressed:,} rows, and {max(0, counted.limit):,} are allowed"
        )
        return {
            **common(counted, is_feasible=is_feasible, message=message),
            "complete": True,
            "proven": False,
            "visited": 1,
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
            "suppressed": swept.figures.suppressed,
            "classes": swept.figures.released_classes,
            "smallest": swept.figures.released_smallest,
            "average": swept.figures.released / max(1, swept.figures.released_classes),
            "risk": risks(self._counts.before(k), after, counted.plan.requirement),
            "models": [
                {"model": "k-anonymity", "required": k, "achieved": swept.figures.released_smallest, "passed": is_feasible}
            ],
            "subgroups": self._subgroups(sweep, counted, swept.node, k) if swept.figures.suppressed else [],
        }

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


def _satisfies(swept: Swept, counted: Counted) -> bool:
    return swept.figures.suppressed <= counted.limit and swept.figures.released > 0

"""Full-domain search: find the node of the release from `combinations`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Self

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import Attribute, lattice_of, levels_of
from duckanon.job.resolve import chosen_node
from duckanon.lattice import Lattice, Node
from duckanon.metrics.document import document as metrics_document
from duckanon.metrics.figures import Figures
from duckanon.observers import staged
from duckanon.privacy.achieved import Achieved
from duckanon.privacy.evaluation import Evaluation
from duckanon.privacy.requirement import Requirement
from duckanon.search.algorithms import descent, lattice_algorithm, optimal
from duckanon.search.attribute_inference import Hidden, finer_labels, masked
from duckanon.search.budget import Budget, BudgetSpent
from duckanon.search.count import Counted
from duckanon.search.distributions import impossible
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import Search, SearchOutcome, least, refine
from duckanon.search.possible_values import PossibleValues, statement_of_node
from duckanon.search.protected_values import Loss

_MOST_NODES = 100_000


@dataclass(frozen=True)
class FullDomainResult:
    """The result of a lattice search; `node` is the solution, or the closest node if none satisfies."""

    counted: Counted
    evaluator: Evaluator
    lattice: Lattice
    outcome: SearchOutcome
    node: Node

    @property
    def full_domain(self) -> Self:
        """The result of a lattice search, in which every row has the levels of one node; None for local recoding."""
        return self

    @property
    def regions(self) -> None:
        """The template parameters of each quasi-identifier for local recoding; None for a lattice search."""
        return None

    @property
    def requirement(self) -> Requirement:
        """The requirement that judged the classes."""
        return self.evaluator.requirement

    @property
    def is_feasible(self) -> bool:
        """Whether the recoding satisfies the requirement."""
        return self.outcome.node is not None

    @property
    def figures(self) -> Figures:
        """The counts of classes and of suppressed rows."""
        return self.evaluator.figures(self.node)

    @property
    def limit(self) -> int:
        """The rows that may be suppressed."""
        return self.evaluator.limit

    @property
    def unplaced(self) -> int:
        """Rows without labels, which are suppressed."""
        return 0

    @property
    def protected_loss(self) -> Loss | None:
        """The value of a protected column that loses the largest share of its rows."""
        return self.evaluator.protected_loss(self.node)

    @property
    def levels(self) -> dict[str, int]:
        return levels_of(self.counted.attributes, self.node)

    def evaluated(self) -> Evaluation:
        """The terms that judge the classes of `class_results`."""
        return self.evaluator.parameters(self.node)

    def possible(self) -> PossibleValues | None:
        """The sensitive values that remain possible for persons in several classes; None if no column is judged."""
        return self.evaluator.possible(self.node)

    def possible_statement(self) -> Statement:
        """The statement whose rows are these persons."""
        return statement_of_node(self.counted.intersected, self.evaluated())

    def achieved(self) -> Achieved:
        """What the classes achieve under each model."""
        return self.evaluator.achieved(self.node)

    def metrics(self) -> dict[str, Any]:
        """All metrics, with the names of the manifest."""
        return metrics_document(self.counted.marginals, self.node, self.figures, self.evaluator.lost(self.node))

    @property
    def value(self) -> float:
        """The value of the objective, as the manifest has it."""
        return self.evaluator.objective.published(self.evaluator.value(self.node))

    def document(self) -> dict[str, Any]:
        """The `recoding` of the manifest."""
        evaluator, outcome, recoding = self.evaluator, self.outcome, self.counted.job.recoding
        attributes, objective = self.counted.attributes, evaluator.objective
        value, bound = self.value, objective.published(outcome.bound)
        return {
            "algorithm": "levels" if recoding.levels else recoding.algorithm,
            "levels": self.levels,
            "lattice": self.lattice.size,
            "visited": len(evaluator.visited),
            "objective": {
                "name": objective.name,
                "aggregate": objective.aggregate,
                "value": value,
                "bound": bound,
                "gap": _gap(value, bound),
                "proven": outcome.proven,
            },
            "ties": [levels_of(attributes, tie) for tie in outcome.ties],
            **({"decided_on": "quasi-identifiers"} if self.counted.job.decide_on == "qi" else {}),
            **({"stopped": evaluator.stopped} if evaluator.stopped else {}),
            **({"refined_from": levels_of(attributes, outcome.refined_from)} if outcome.refined_from else {}),
            **({"minimal": [levels_of(attributes, node) for node in outcome.minimal]} if outcome.minimal else {}),
            **({"compared": dict(self.counted.compared)} if self.counted.compared else {}),
        }

    def hidden(self) -> list[Hidden]:
        """The labels that other columns must not disclose."""
        attributes, masks = self.counted.attributes, self.counted.job.keep_suppressed_rows and self.figures.suppressed > 0
        tops = [attribute.height for attribute in attributes] if masks else self.node
        return [*finer_labels(attributes, tops), *(masked(attributes, self.node) if masks else [])]

    def shows_values(self, name: str) -> bool:
        """Whether every row shows its own value of a quasi-identifier."""
        return self.levels[name] == 0

    def drop_relations(self) -> None:
        """Drop the relations that only this result has; a node has none."""

    def content(self, folder: Path) -> dict[str, Any]:
        """The entries of a job's `recoding` that fix it; writes the files that they name into `folder`."""
        del folder
        return {"levels": self.levels}


def _gap(value: float, bound: float) -> float:
    """The difference between the value and the bound, as a share of the value."""
    return (value - bound) / value if value > 0 else 0.0


def search(engine: Engine, counted: Counted, *, all_nodes: bool, budget: Budget | None = None) -> FullDomainResult:
    """Judge the node of the job's `levels`, or run the job's algorithm within `budget`, by default the job's own."""
    job, recoding = counted.job, counted.job.recoding
    requirement = counted.plan.requirement
    chosen = chosen_node(job, counted.attributes)
    if chosen is None:
        budget = budget or Budget(recoding.time_limit, recoding.max_nodes, counted.deadline)
    evaluator = Evaluator.of(engine, counted, counted.decisive, budget=budget)
    lattice = _usable(lattice_of(counted.attributes), counted)
    _check_losses(recoding.objective, counted.attributes)
    if all_nodes and (recoding.time_limit is not None or recoding.max_nodes is not None):
        raise JobError(
            "recoding.all-nodes decides every node, which --time-limit and recoding.max-nodes may prevent; leave one of them out"
        )
    if all_nodes and lattice.size > _MOST_NODES:
        raise JobError(
            f"recoding.all-nodes would decide {lattice.size:,} nodes, more than {_MOST_NODES:,}; leave it out, or narrow the lattice with max-level"
        )
    with staged(engine.observer, "searching the lattice", lattice.size):
        if all_nodes:
            for node in lattice.nodes():
                evaluator.figures(node)
        if impossible(requirement, counted.distributions) is not None:
            evaluator.figures(lattice.top)
            outcome = SearchOutcome(None, evaluator.objective.floor(lattice.bottom), proven=False)
        elif chosen is None:
            outcome = _outcome(counted, evaluator, lattice)
        else:
            outcome = SearchOutcome(
                chosen if evaluator.satisfies(chosen) else None, evaluator.objective.floor(lattice.bottom), proven=False
            )
        if outcome.node is not None and counted.decisive != requirement:
            chosen = outcome.node
            # the quasi-identifiers decided; no other node is tried under the whole requirement
            evaluator.require(requirement)
            outcome = SearchOutcome(chosen if evaluator.satisfies(chosen) else None, outcome.bound, proven=False)
    return FullDomainResult(counted, evaluator, lattice, outcome, outcome.node or chosen or _closest(evaluator))


def _closest(evaluator: Evaluator) -> Node:
    """The visited node that suppresses the fewest rows; ties are broken by height, then lexicographically."""

    def suppressed(node: Node) -> int:
        rows = evaluator.figures(node).suppressed
        possible = evaluator.possible(node) if rows <= evaluator.limit else None
        return rows if possible is None else max(rows, min(evaluator.limit, rows) + possible.failing_rows)

    return min(evaluator.visited, key=lambda node: (suppressed(node), sum(node), node))


def _outcome(counted: Counted, evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """The outcome of the job's algorithm, or the best node when the budget ends."""
    recoding = counted.job.recoding
    algorithm = lattice_algorithm(recoding.algorithm)
    if algorithm.IS_WALK:
        return _walked(evaluator, lattice, algorithm.search, refines=recoding.refine)
    loose = [position for position, attribute in enumerate(counted.attributes) if not attribute.is_nested]
    parts = list(lattice.slices(loose))
    if recoding.algorithm != "optimal" or not evaluator.is_limited:
        return least([_bounded(evaluator, part, algorithm.search) for part in parts], evaluator)
    # a limit may end the search before it reaches a node as good as that of the short path downwards
    starts = [_bounded(evaluator, part, descent.search).node for part in parts]
    searches = [partial(optimal.search, start=start) for start in starts]
    return least([_bounded(evaluator, part, search) for part, search in zip(parts, searches, strict=True)], evaluator)


def _walked(evaluator: Evaluator, lattice: Lattice, search: Search, *, refines: bool) -> SearchOutcome:
    outcome = _bounded(evaluator, lattice, search)
    if outcome.node is None or not refines:
        return outcome
    try:
        node = refine(evaluator, lattice, outcome.node)
    except BudgetSpent:
        return outcome
    return replace(outcome, node=node, refined_from=outcome.node if node != outcome.node else None)


def _bounded(evaluator: Evaluator, lattice: Lattice, search: Search) -> SearchOutcome:
    """The outcome of a search; if the budget ends it, the best visited node."""
    try:
        return search(evaluator, lattice)
    except BudgetSpent:
        satisfying = [node for node in evaluator.visited if node in lattice and evaluator.satisfies(node)]
        return SearchOutcome(
            min(satisfying, key=evaluator.rank, default=None), evaluator.objective.floor(lattice.bottom), proven=False
        )


def _usable(lattice: Lattice, counted: Counted) -> Lattice:
    """The lattice without levels that exceed the max-loss of a column even if no row is suppressed.

    Raises `JobError` if no level is left.
    """
    top = []
    for attribute, marginal, low, high in zip(counted.attributes, counted.marginals, lattice.bottom, lattice.top, strict=True):
        most = attribute.max_loss
        span = counted.rows * marginal.span
        levels = [level for level in range(low, high + 1) if most is None or Fraction(marginal.excess[level], span) <= most]
        if not levels:
            raise JobError(
                f"the loss of column {attribute.name!r} exceeds its max-loss {float(most or 0):g} on every level from {low} up; raise its max-loss"
            )
        top.append(levels[-1])
    return Lattice(lattice.bottom, tuple(top))


def _check_losses(objective: str, attributes: Sequence[Attribute]) -> None:
    for attribute in attributes:
        if objective == "distortion" and attribute.losses is None:
            raise JobError(
                f"the objective distortion needs a loss for each level, but the hierarchy of {attribute.name!r} declares none; "
                f"give it `loss: [0, ..., 1]`, a number for each of its {attribute.height + 1} levels"
            )

"""Evaluate the nodes of a lattice within a budget, each once: every search, report and page asks here."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Self, TypeVar

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.loss import attribute_losses
from duckanon.metrics.objective import Objective, Value, objective
from duckanon.privacy.achieved import Achieved, read_achieved
from duckanon.privacy.entropies import Doubts
from duckanon.privacy.evaluation import Evaluation
from duckanon.privacy.requirement import Requirement
from duckanon.search.budget import Budget
from duckanon.search.count import Counted
from duckanon.search.nodes import Nodes
from duckanon.search.possible_values import ConstantColumn, PossibleValues, read, statement_of_node
from duckanon.search.protected_values import Loss, Protection
from duckanon.search.unsuppressed import UnsuppressedCombinations

T = TypeVar("T")


class Evaluator:
    """Evaluates nodes by SQL over `combinations`, and caches the results."""

    def __init__(
        self,
        engine: Engine,
        attributes: Sequence[Attribute],
        requirement: Requirement,
        objective: Objective,
        rows: int,
        limit: int,
        *,
        marginals: Sequence[Marginals],
        keep_suppressed_rows: bool = False,
        budget: Budget | None = None,
        protection: Protection | None = None,
        constant: Sequence[ConstantColumn] = (),
        nodes: Nodes | None = None,
    ) -> None:
        """`nodes`: what counts the nodes, by default `combinations` under this requirement alone."""
        self.objective = objective
        self.requirement = requirement
        self.keep_suppressed_rows = keep_suppressed_rows
        self._engine = engine
        self._attributes = attributes
        self._nodes = nodes or Nodes(engine, attributes, marginals, rows, keep_suppressed_rows=keep_suppressed_rows)
        self.rows = rows
        self.limit = limit
        self.marginals = marginals
        self.protection = protection
        self._constant = constant
        """The sensitive columns of which several values must remain possible for each person."""
        self._budget = budget or Budget()
        self._figures: dict[Node, Figures] = {}
        self._parts: set[Node] = set()
        self._latest: list[Node] = []
        """The nodes that were judged last, of which several may need their losses."""
        self._latest_parts: list[Node] = []
        """The nodes that were visited last without their sensitive values; some may have been judged since."""
        first = requirement.of_quasi_identifiers
        self._first = first if requirement.sensitive and not first.is_trivial else None
        self._doubts = Doubts()
        self._lost: dict[Node, Lost] = {}
        self._results: dict[tuple[Hashable, ...], Any] = {}
        """What was computed of visited nodes, by what it is and the node."""
        self._unsuppressed: UnsuppressedCombinations | None = None
        self._steps: dict[Node, int] = {}
        """The suppressed rows at the nodes of a path downwards."""

    @classmethod
    def of(
        cls,
        engine: Engine,
        counted: Counted,
        requirement: Requirement | None = None,
        *,
        budget: Budget | None = None,
        nodes: Nodes | None = None,
    ) -> Self:
        """The evaluator of what was counted, with the limits and the objective of its job; `requirement` is by default that of the job."""
        recoding, whole = counted.job.recoding, counted.plan.requirement
        return cls(
            engine,
            counted.attributes,
            requirement or whole,
            objective(recoding.objective, recoding.aggregate, counted.marginals, counted.rows, whole.least_rows),
            counted.rows,
            counted.limit,
            marginals=counted.marginals,
            keep_suppressed_rows=counted.job.keep_suppressed_rows,
            budget=budget,
            protection=counted.protection,
            constant=counted.intersected,
            nodes=nodes,
        )

    @property
    def visited(self) -> dict[Node, Figures]:
        """The figures of the visited nodes, in the order of the visits.

        If a node suppresses too many rows by the models on quasi-identifiers only, the other models are not judged: then the
        suppressed rows are a lower bound, and the passing classes an upper bound.
        """
        return self._figures

    @property
    def width(self) -> int:
        """How many nodes should be visited in one statement."""
        return self._nodes.width(self._least)

    def visit(self, nodes: Iterable[Node]) -> None:
        """Judge nodes without their sensitive values, several in one statement if that is faster.

        If most of the nodes that were visited last were then judged, these are judged at once.
        Raises `BudgetSpent` if no further node may be visited.
        """
        fresh = [node for node in dict.fromkeys(nodes) if node not in self._figures]
        while fresh:
            is_partial = self._first is not None and not self._mostly_evaluated()
            requirement = self._least if is_partial else self.requirement
            width = self._nodes.width(requirement)
            count = min(width, self._budget.room(len(self._figures)) or width)
            batch, fresh = fresh[:count], fresh[count:]
            self._enter(len(batch))
            self._figures.update(zip(batch, self._counted(batch, requirement), strict=True))
            if is_partial:
                self._parts.update(batch)
                self._latest_parts = batch
            else:
                self._latest = batch

    def _mostly_evaluated(self) -> bool:
        evaluated = sum(node not in self._parts for node in self._latest_parts)
        return 2 * evaluated > len(self._latest_parts) > 1

    def judge(self, nodes: Iterable[Node]) -> None:
        """Judge visited nodes under the whole requirement, several in one statement if that is faster."""
        waiting = [node for node in dict.fromkeys(nodes) if node in self._parts]
        width = self._nodes.width(self.requirement)
        for batch in (waiting[place : place + width] for place in range(0, len(waiting), width)):
            if len(batch) > 1:
                self._latest = batch
                for node, (figures, is_doubtful) in zip(batch, self._nodes.counted(batch, self.requirement), strict=True):
                    if not is_doubtful:
                        self._figures[node] = figures
                        self._parts.discard(node)

    def count(self, nodes: Sequence[Node]) -> None:
        """Count nodes under the whole requirement, with their suppressed rows by label, whatever the search has left of its budget."""
        self._budget = Budget()
        self.visit(nodes)
        self.judge(nodes)
        waiting = [node for node in nodes if node not in self._lost and self.figures(node).suppressed]
        width = self._nodes.width(self.requirement)
        for place in range(0, len(waiting), width):
            self._lost.update(self._nodes.lost(waiting[place : place + width], self.requirement))

    def _enter(self, count: int) -> None:
        """Start to visit `count` more nodes, if the budget allows it."""
        self._budget.check(len(self._figures) if self._nodes.has_counted else 0)
        self._engine.observer.advance(len(self._figures) + count)

    @property
    def _least(self) -> Requirement:
        """The requirement that is judged first: without models on sensitive columns."""
        return self._first or self.requirement

    def figures(self, node: Node) -> Figures:
        """The counts of the node under the whole requirement."""
        if node in self._parts or (node not in self._figures and self._first is not None):
            if node not in self._figures:
                self._enter(1)
            [self._figures[node]] = self._counted([node], self.requirement)
            self._parts.discard(node)
        return self._known(node)

    def require(self, requirement: Requirement) -> None:
        """Extend the requirement; the known figures of visited nodes belong to a part of it."""
        self._first, self.requirement = self.requirement, requirement
        self._parts.update(self._figures)
        self._latest_parts = []
        self._lost.clear()
        self._results.clear()

    def _known(self, node: Node) -> Figures:
        """The counts of the node under the requirement that is judged first."""
        if node not in self._figures:
            self.visit([node])
        return self._figures[node]

    def _counted(self, nodes: Sequence[Node], requirement: Requirement) -> list[Figures]:
        """The counts of nodes under the requirement, or under the part of it that is judged first."""
        counted = zip(nodes, self._nodes.counted(nodes, requirement), strict=True)
        return [self._resolved(node) if is_doubtful else figures for node, (figures, is_doubtful) in counted]

    def _resolved(self, node: Node) -> Figures:
        """The counts of a node whose entropies are compared exactly."""
        self.requirement = self._doubts.resolve_exactly(self._engine, self.requirement, self._nodes.keys(node))
        [(figures, _)] = self._nodes.counted([node], self.requirement)
        return figures

    def satisfies(self, node: Node) -> bool:
        """Whether the node keeps the suppression limit, releases a row, and keeps the limits of columns and protected values."""
        if self.rules_out(node):
            return False
        figures = self.figures(node)
        if figures.suppressed > self.limit or not figures.released or not self._keeps_losses(node):
            return False
        if self.requirement.bounds_presence and self.absent(node):
            return False
        if self.protection is not None and not self.protection.allows(self.protected_loss(node)):
            return False
        # the rows of persons with too few possible values are suppressed later, if the limit allows it
        possible = self.possible(node)
        return possible is None or figures.suppressed + possible.failing_rows <= self.limit

    def possible(self, node: Node) -> PossibleValues | None:
        """The sensitive values that remain possible for the persons in several classes; None if no column is judged."""
        columns = [column for column in self._constant if column.name in self.requirement.sensitive]
        if not columns:
            return None
        return self._once(
            "possible", node, lambda: read(self._engine, columns, statement_of_node(columns, self.parameters(node)))
        )

    def _once(self, what: str, node: Node, compute: Callable[[], T], *, part: bool = False) -> T:
        """What is computed of a node; `part`: under the requirement that is judged first."""
        key = what, node, part
        if key not in self._results:
            self._results[key] = compute()
        result: T = self._results[key]
        return result

    def absent(self, node: Node) -> int:
        """The classes of the population at the node that have no row of the table."""
        return len(self._engine.query(render("lattice/absent_classes", keys=self._nodes.keys(node))))

    def descends(self, node: Node, below: Node, position: int) -> bool:
        """Whether a node one step below a satisfying node satisfies too, and its objective is not greater.

        Steps of a path downwards from the top must be asked for in its order.
        """
        if not self._follows_records:
            return self.satisfies(below) and self.value(below) <= self.value(node)
        self._budget.check(len(self._figures) + len(self._steps))
        if self._unsuppressed is None:
            self._unsuppressed = UnsuppressedCombinations(self._engine, self.rows)
        suppressed = self._unsuppressed.below(self.parameters(below), position + 1, self.limit)
        if suppressed is None or self.objective.floor(below, suppressed) > self.objective.floor(node, self._steps.get(node, 0)):
            return False
        self._unsuppressed.descend()
        self._steps[below] = suppressed
        return True

    @property
    def _follows_records(self) -> bool:
        """Whether the records that are left on a path downwards can be followed: if sets of few columns are judged, and nothing else."""
        is_bounded = any(attribute.max_loss is not None for attribute in self._attributes)
        is_nested = all(attribute.is_nested for attribute in self._attributes)
        return self.requirement.judges_sets and is_nested and not (self.keep_suppressed_rows or is_bounded or self.protection)

    def known_verdict(self, node: Node) -> bool | None:
        """Whether a visited node satisfies; None if its sensitive values were not judged yet."""
        if self.rules_out(node):
            return False
        return None if node in self._parts else self.satisfies(node)

    def is_counted(self, node: Node) -> bool:
        """Whether a visited node was judged under the whole requirement."""
        return node not in self._parts

    def shown_classes(self, node: Node) -> int:
        """The classes of the release at the node; masked records form one."""
        figures = self.figures(node)
        return figures.released_classes + bool(self.keep_suppressed_rows and figures.suppressed)

    def least_suppressed(self, node: Node) -> int:
        """A lower bound of the rows that the node suppresses, if possible without its sensitive values."""
        return self._known(node).failing_rows

    def rules_out(self, node: Node) -> bool:
        """Whether the node and every node below it suppress too many rows, whichever classes join the masked records."""
        figures = self._known(node)
        if figures.least_below > self.limit or figures.least_below == figures.rows:
            return True
        if self.protection is None or self.keep_suppressed_rows or not figures.suppressed or not self._least.is_monotone:
            return False
        # classes that fail here fail at every node below, so no value loses fewer rows there
        return not self.protection.allows(self._protected_loss(node, is_first=self._first is not None))

    def protected_loss(self, node: Node) -> Loss | None:
        """The largest loss of a protected value at the node; None if no row with a protected value is suppressed."""
        return self._protected_loss(node, is_first=False) if self.figures(node).suppressed else None

    def _protected_loss(self, node: Node, *, is_first: bool) -> Loss | None:
        """The same under the whole requirement, or under the one that is judged first."""
        if self.protection is None:
            return None
        protection, requirement = self.protection, self._least if is_first else self.requirement
        return self._once(
            "protected loss",
            node,
            lambda: protection.at_node(self._engine, self._nodes.evaluated(node, requirement)),
            part=is_first,
        )

    @property
    def is_monotone(self) -> bool:
        """Whether a satisfying node implies a satisfying node on the next height."""
        is_bounded = any(attribute.max_loss is not None for attribute in self._attributes)
        follows = self.requirement.is_monotone or (self.limit == 0 and self.requirement.is_monotone_without_suppression)
        return not self.keep_suppressed_rows and not is_bounded and follows

    def _keeps_losses(self, node: Node) -> bool:
        """Whether every column keeps its max-loss, including suppressed rows."""
        bounds = [attribute.max_loss for attribute in self._attributes]
        if all(bound is None for bound in bounds):
            return True
        losses = attribute_losses(self.marginals, node, self.figures(node), self.lost(node))
        return all(bound is None or loss <= bound for bound, loss in zip(bounds, losses, strict=True))

    def achieved(self, node: Node) -> Achieved:
        """What the released classes of the node achieve under each model."""
        return self._once("achieved", node, lambda: read_achieved(self._engine, self.requirement, self.parameters(node)))

    @property
    def is_limited(self) -> bool:
        """Whether a limit of seconds or nodes may end the search."""
        return self._budget.is_limited

    @property
    def stopped(self) -> str | None:
        """The limit that ended the search, if any."""
        return self._budget.spent

    def lost(self, node: Node) -> Lost:
        """For each attribute, the suppressed rows under each label of the node."""
        if node not in self._lost:
            if not self.figures(node).suppressed:
                self._lost[node] = tuple({} for _ in node)
            else:
                nodes = dict.fromkeys([node, *filter(self._needs_losses, self._latest)])
                width = self._nodes.width(self.requirement)
                self._lost.update(self._nodes.lost(list(nodes)[:width], self.requirement))
        return self._lost[node]

    def _needs_losses(self, node: Node) -> bool:
        return node not in self._lost and node not in self._parts and 0 < self._figures[node].suppressed <= self.limit

    def value(self, node: Node) -> Value:
        """The value of the objective at the node."""
        return self._once("value", node, lambda: self.objective.value(node, self.figures(node), lambda: self.lost(node)))

    def known_value(self, node: Node) -> Value | None:
        """The value of the objective if it was computed before, else None."""
        return self._results.get(("value", node, False))

    def rank(self, node: Node) -> tuple[Value, int, Node]:
        """The canonical order of satisfying nodes: least value, least height, lexicographically least."""
        return self.value(node), sum(node), node

    def parameters(self, node: Node) -> Evaluation:
        """The terms of one node."""
        return self._nodes.evaluated(node, self.requirement)

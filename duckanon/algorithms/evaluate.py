"""One node to its verdict: the only place where a node meets the engine."""

from collections.abc import Sequence
from typing import Any

from duckanon.algorithms.budget import Budget
from duckanon.combinations import Attribute
from duckanon.engine.protocol import Engine
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.loss import attribute_losses
from duckanon.metrics.objective import Objective, Value
from duckanon.privacy.judgement import judgement
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.templates import render


class Evaluator:
    """Decides nodes by SQL over `combinations`, and remembers what it decided."""

    def __init__(
        self,
        engine: Engine,
        attributes: Sequence[Attribute],
        requirement: KAnonymity,
        objective: Objective,
        rows: int,
        limit: int,
        *,
        marginals: Sequence[Marginals] = (),
        stars: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.objective = objective
        self.requirement = requirement
        self.stars = stars
        self._engine = engine
        self._attributes = attributes
        self.rows = rows
        self.limit = limit
        self.marginals = marginals
        self._budget = budget or Budget()
        self._figures: dict[Node, Figures] = {}
        self._lost: dict[Node, Lost] = {}
        self._values: dict[Node, Value] = {}

    @property
    def visited(self) -> dict[Node, Figures]:
        """The nodes decided so far, in the order of the visits."""
        return self._figures

    def figures(self, node: Node) -> Figures:
        """The node's counts."""
        if node not in self._figures:
            self._budget.check(len(self._figures))
            [row] = self._engine.query(render("lattice/node", **self.parameters(node)))
            counts = [int(count) for count in row]
            classes, smallest, released_smallest, released_largest, failing_classes = counts[:5]
            suppressed, squares, released_squares = counts[5:8]
            joining_rows, joining_classes = counts[8:] or (0, 0)
            self._figures[node] = Figures(
                rows=self.rows,
                classes=classes,
                smallest=smallest,
                released_smallest=released_smallest,
                released_largest=released_largest,
                failing_classes=failing_classes,
                suppressed=suppressed,
                squares=squares,
                released_squares=released_squares,
                failing_rows=suppressed - joining_rows,
                passing_classes=classes - failing_classes + joining_classes,
                rescuable=min(failing_classes - joining_classes, (suppressed - joining_rows) // self.requirement.least_rows),
                # where records ask for different k, a failing class has one row below that fails, and perhaps no more
                least_below=suppressed - joining_rows if self.requirement.is_monotone else failing_classes - joining_classes,
            )
            self._engine.observer.advance(len(self._figures))
        return self._figures[node]

    def satisfies(self, node: Node) -> bool:
        """Whether the suppressed rows keep within the limit and some row is left."""
        figures = self.figures(node)
        return figures.suppressed <= self.limit and figures.released > 0 and self._keeps_losses(node)

    def rules_out(self, node: Node) -> bool:
        """Whether the node, and with it every node below, suppresses too much, whatever joins the starred rows."""
        figures = self.figures(node)
        return figures.least_below > self.limit or figures.least_below == figures.rows

    @property
    def is_monotone(self) -> bool:
        """Whether whatever satisfies has something that satisfies on the next height."""
        is_bounded = any(attribute.max_loss is not None for attribute in self._attributes)
        return not self.stars and not is_bounded and (self.requirement.is_monotone or self.limit == 0)

    def _keeps_losses(self, node: Node) -> bool:
        """Whether no column loses more than it may, suppressed rows counted."""
        bounds = [attribute.max_loss for attribute in self._attributes]
        if all(bound is None for bound in bounds):
            return True
        losses = attribute_losses(self.marginals, node, self.figures(node), self.lost(node))
        return all(bound is None or loss <= bound for bound, loss in zip(bounds, losses, strict=True))

    def achieved(self, node: Node) -> tuple[int, int]:
        """Of the node's classes that pass: the least rows (or persons), and the most that a record asks for, 0 where none does."""
        [(achieved, asked)] = self._engine.query(render("lattice/achieved", **self.parameters(node)))
        return int(achieved), int(asked)

    @property
    def stopped(self) -> str | None:
        """Which limit ended the search, if one did."""
        return self._budget.spent

    def lost(self, node: Node) -> Lost:
        """The suppressed rows under each label of the node, an attribute."""
        if node not in self._lost:
            labels: tuple[dict[int, int], ...] = tuple({} for _ in node)
            if self.figures(node).suppressed:
                for attribute, code, rows in self._engine.query(render("lattice/failing_labels", **self.parameters(node))):
                    labels[attribute][code] = rows
            self._lost[node] = labels
        return self._lost[node]

    def value(self, node: Node) -> Value:
        """The objective's value at the node."""
        if node not in self._values:
            self._values[node] = self.objective.value(node, self.figures(node), lambda: self.lost(node))
        return self._values[node]

    def rank(self, node: Node) -> tuple[Value, int, Node]:
        """The canonical order of satisfying nodes: least value, least height, lexicographically least."""
        return self.value(node), sum(node), node

    def parameters(self, node: Node) -> dict[str, Any]:
        """What the templates of one node need."""
        keys = [attribute.key(level) for attribute, level in zip(self._attributes, node, strict=True)]
        return {"keys": keys, **judgement(self.requirement, keys, stars=self.stars)}

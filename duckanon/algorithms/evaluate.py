"""One node to its verdict: the only place where a node meets the engine."""

from collections.abc import Sequence
from typing import Any

from duckanon.combinations import Attribute
from duckanon.engine.protocol import Engine
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost
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
        stars: bool = False,
    ) -> None:
        self.objective = objective
        self.requirement = requirement
        self.stars = stars
        self._engine = engine
        self._attributes = attributes
        self._rows = rows
        self.limit = limit
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
            [row] = self._engine.query(render("lattice/node", **self.parameters(node)))
            counts = [int(count) for count in row]
            classes, smallest, released_smallest, released_largest, failing_classes = counts[:5]
            suppressed, squares, released_squares = counts[5:8]
            joining_rows, joining_classes = counts[8:] or (0, 0)
            self._figures[node] = Figures(
                rows=self._rows,
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
            )
            self._engine.observer.advance(len(self._figures))
        return self._figures[node]

    def satisfies(self, node: Node) -> bool:
        """Whether the suppressed rows keep within the limit and some row is left."""
        figures = self.figures(node)
        return figures.suppressed <= self.limit and figures.released > 0

    def rules_out(self, node: Node) -> bool:
        """Whether the node, and with it every node below, suppresses too much, whatever joins the starred rows."""
        figures = self.figures(node)
        return figures.failing_rows > self.limit or figures.failing_rows == figures.rows

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

"""Evaluates nodes that are counted for many values of k at once, so that a search at another k counts only what is new."""

from collections.abc import Sequence

from duckanon.engine.protocol import Engine
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures
from duckanon.metrics.loss import InformationLoss
from duckanon.metrics.objective import Value
from duckanon.privacy.requirement import Requirement
from duckanon.search.count import Counted
from duckanon.search.evaluation.budget import Budget
from duckanon.search.evaluation.evaluator import Evaluator
from duckanon.search.sweep import Sweep, Swept


class SweptEvaluator(Evaluator):
    """Evaluates nodes by what a sweep counted of them, and lets it count those that are new."""

    def __init__(
        self,
        engine: Engine,
        counted: Counted,
        loss: InformationLoss,
        sweep: Sweep,
        budget: Budget,
        likely: Sequence[Node] = (),
    ) -> None:
        """`likely` are counted nodes that the search will probably visit; they are read in one statement."""
        requirement = counted.plan.requirement
        super().__init__(
            engine,
            counted.attributes,
            requirement,
            loss,
            counted.rows,
            counted.limit,
            marginals=counted.marginals,
            budget=budget,
        )
        self._sweep = sweep
        self._loss = loss
        self._swept: dict[Node, Swept] = {}
        self._has_counted = False
        self._read(likely, requirement)

    def swept(self, node: Node) -> Swept:
        """What the sweep counted of a visited node."""
        return self._swept[node]

    def best(self) -> Node | None:
        """The best visited node that satisfies, in the order of `rank`."""
        return min(filter(self.satisfies, self.visited), key=self.rank, default=None)

    def _enter(self, count: int) -> None:
        # each search counts a node that is new, so that searches with little time end together
        if self._has_counted:
            super()._enter(count)

    def _counted(self, nodes: Sequence[Node], requirement: Requirement) -> list[Figures]:
        fresh = [node for node in nodes if node not in self._swept]
        self._has_counted |= bool(fresh)
        self._read(fresh, requirement)
        return [self._swept[node].figures for node in nodes]

    def _read(self, nodes: Sequence[Node], requirement: Requirement) -> None:
        self._swept.update((swept.node, swept) for swept in self._sweep.at(requirement.k.k, nodes))

    def value(self, node: Node) -> Value:
        if node not in self._swept:
            self.visit([node])
        return self._loss.aggregated(self._swept[node].excess)

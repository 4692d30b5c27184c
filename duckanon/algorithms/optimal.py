"""The least objective among all satisfying nodes, proven by bounds instead of by visiting them all.

Nodes are taken in the order of their lower bounds, so that the search ends when the next bound
exceeds the best value found. A node below one that fails, fails (predictive tagging, as in Flash,
Kohlmayer et al. 2012); a chain upwards is halved to find high failing nodes, which decide many.
A satisfying node says nothing of the nodes above it: with suppressed rows counted as lost, the
optimum need not be minimal, so only bounds rule those out.
"""

from heapq import heappop, heappush

from duckanon.algorithms.base import Outcome
from duckanon.algorithms.evaluate import Evaluator
from duckanon.lattice import DownSet, Lattice, Node
from duckanon.metrics.objective import Value


def search(evaluator: Evaluator, lattice: Lattice) -> Outcome:
    """The canonical optimum, with the nodes that share its value."""
    if evaluator.rules_out(lattice.top):
        return Outcome(None, evaluator.objective.floor(lattice.bottom), proven=True)
    return _Search(evaluator, lattice).run()


class _Search:
    def __init__(self, evaluator: Evaluator, lattice: Lattice) -> None:
        self._evaluator = evaluator
        self._objective = evaluator.objective
        self._lattice = lattice
        self._beaten = DownSet(lattice)
        """Nodes that fail, or suppress so many rows that they cannot match the best value."""
        self._best: list[Node] = []

    def run(self) -> Outcome:
        self._stands(self._lattice.top)
        bottom = self._lattice.bottom
        queue = [(self._objective.floor(bottom), sum(bottom), bottom)]
        while queue and not self._exceeds_best(queue[0][0]):
            floor, height, node = heappop(queue)
            if not self._is_beaten(node):
                self._decide(node)
            if node in self._evaluator.visited:
                floor = max(floor, self._objective.floor_above(self._evaluator.figures(node)))
            for child in self._lattice.children(node):
                heappush(queue, (max(floor, self._objective.floor(child)), height + 1, child))
        if not self._best:
            return Outcome(None, self._objective.floor(bottom), proven=True)
        best, *ties = sorted(self._best, key=self._evaluator.rank)
        return Outcome(best, self._evaluator.value(best), proven=True, ties=tuple(ties))

    def _decide(self, node: Node) -> None:
        """Visits the node, or finds by halving a chain above it that a node there beats it."""
        chain = self._chain(node)
        low, high = 0, len(chain) - 1
        while low <= high:
            middle = (low + high) // 2
            if self._stands(chain[middle]):
                high = middle - 1
            else:
                low = middle + 1

    def _chain(self, node: Node) -> list[Node]:
        """A way up from the node, each time to the least floor, as long as nobody has been there."""
        chain = [node]
        while steps := [step for step in self._lattice.above(chain[-1]) if step not in self._evaluator.visited]:
            chain.append(min(steps, key=lambda step: (self._objective.floor(step), step)))
        return chain

    def _is_beaten(self, node: Node) -> bool:
        """Whether what is known of the nodes above rules this one out."""
        if node in self._beaten:
            return True
        visited = self._evaluator.visited
        suppressed = max((visited[step].failing_rows for step in self._lattice.above(node) if step in visited), default=0)
        return self._exceeds_best(self._objective.floor(node, suppressed))

    def _stands(self, node: Node) -> bool:
        """Visits a node; False where it and all below it are out."""
        if self._evaluator.rules_out(node):
            self._beaten.add(node)
            return False
        if self._evaluator.satisfies(node):
            self._consider(node)
        failing = self._evaluator.figures(node).failing_rows
        if self._exceeds_best(self._objective.floor(self._lattice.bottom, failing)):
            self._beaten.add(node)
            return False
        return True

    def _consider(self, node: Node) -> None:
        """Makes a satisfying node the best, or one of the best, where its value says so."""
        suppressed = self._evaluator.figures(node).suppressed
        if node in self._best or self._exceeds_best(self._objective.floor(node, suppressed)):
            return
        value = self._evaluator.value(node)
        if not self._exceeds_best(value):
            if self._best and value < self._evaluator.value(self._best[0]):
                self._best.clear()
            self._best.append(node)

    def _exceeds_best(self, value: Value) -> bool:
        return bool(self._best) and value > self._evaluator.value(self._best[0])

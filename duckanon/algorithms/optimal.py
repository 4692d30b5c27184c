"""The least objective among all satisfying nodes, proven by bounds instead of by visiting them all.

The lattice is cut into boxes, all nodes between a low and a high corner, and the box with the least
lower bound is taken first, so that the search ends when the next bound exceeds the best value found
(best-first branch and bound, Land and Doig 1960). Where the low corner lies below a node that fails,
everything up to that node fails too (predictive tagging, as in Flash, Kohlmayer et al. 2012), and
what is left of the box are boxes that exceed the failing node in one attribute each. A chain upwards
is halved to find high failing nodes, which cut off most.
A satisfying node says nothing of the nodes above it: with suppressed rows counted as lost, the
optimum need not be minimal, so only bounds rule those out.
"""

from dataclasses import dataclass, field
from heapq import heappop, heappush

from duckanon.algorithms.base import Outcome
from duckanon.algorithms.budget import BudgetSpent
from duckanon.algorithms.evaluate import Evaluator
from duckanon.lattice import DownSet, Lattice, Node
from duckanon.metrics.objective import Value


@dataclass(frozen=True, order=True)
class _Box:
    """All nodes between two corners, and a lower bound of the objective over them."""

    floor: Value
    height: int
    low: Node
    high: Node = field(compare=False)


def search(evaluator: Evaluator, lattice: Lattice) -> Outcome:
    """The canonical optimum, with the nodes that share its value; where the budget ends first, the best found and a bound."""
    return _Search(evaluator, lattice).run()


class _Search:
    def __init__(self, evaluator: Evaluator, lattice: Lattice) -> None:
        self._evaluator = evaluator
        self._objective = evaluator.objective
        self._lattice = lattice
        self._beaten = DownSet(lattice)
        """Nodes that fail, or suppress so many rows that they cannot match the best value."""
        self._best: list[Node] = []
        floor = self._objective.floor(lattice.bottom)
        self._boxes = [_Box(floor, sum(lattice.bottom), lattice.bottom, lattice.top)]

    def run(self) -> Outcome:
        bound, proven = self._boxes[0].floor, True
        try:
            self._stands(self._lattice.top)
            while self._boxes and not self._exceeds_best(self._boxes[0].floor):
                box = heappop(self._boxes)
                bound = box.floor
                self._open(box)
        except BudgetSpent:
            proven = False
        if not self._best:
            return Outcome(None, bound, proven)
        best, *ties = sorted(self._best, key=self._evaluator.rank)
        value = self._evaluator.value(best)
        return Outcome(best, value if proven else min(bound, value), proven, ties=tuple(ties) if proven else ())

    def _open(self, box: _Box) -> None:
        """Decides the low corner, and parts the rest of the box into boxes that share no node."""
        failing = self._beaten.covering(box.low)
        if failing is None and not self._is_beaten(box.low):
            self._decide(box.low)
            failing = self._beaten.covering(box.low)
        floor = box.floor
        if box.low in self._evaluator.visited:
            floor = max(floor, self._objective.floor_above(self._evaluator.visited[box.low]))
        decided, high = failing or box.low, list(box.high)
        for position, level in enumerate(decided):
            if level < box.high[position]:
                low = (*box.low[:position], max(box.low[position], level + 1), *box.low[position + 1 :])
                self._push(low, tuple(high), floor)
                high[position] = level

    def _push(self, low: Node, high: Node, floor: Value) -> None:
        """Keeps a box where it may hold something as good as the best."""
        visited = self._evaluator.visited
        suppressed = visited[high].least_below if high in visited else 0
        floor = max(floor, self._objective.floor(low, suppressed))
        if not self._exceeds_best(floor):
            heappush(self._boxes, _Box(floor, sum(low), low, high))

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
        visited = self._evaluator.visited
        suppressed = max((visited[step].least_below for step in self._lattice.above(node) if step in visited), default=0)
        return self._exceeds_best(self._objective.floor(node, suppressed))

    def _stands(self, node: Node) -> bool:
        """Visits a node; False where it and all below it are out."""
        if not self._evaluator.rules_out(node):
            floor = self._objective.floor(node, self._evaluator.least_suppressed(node))
            if not self._exceeds_best(floor) and self._evaluator.satisfies(node):
                self._consider(node)
        failing = self._evaluator.visited[node].least_below
        if self._evaluator.rules_out(node) or self._exceeds_best(self._objective.floor(self._lattice.bottom, failing)):
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

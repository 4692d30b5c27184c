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

from duckanon.lattice import DownSet, Lattice, Node
from duckanon.metrics.objective import Value
from duckanon.search.evaluation.budget import BudgetSpent
from duckanon.search.evaluation.evaluator import Evaluator
from duckanon.search.evaluation.outcome import SearchOutcome

IS_WALK = False


@dataclass(frozen=True, order=True)
class _Box:
    """All nodes between two corners, and a lower bound of the objective over them."""

    floor: Value
    height: int
    low: Node
    high: Node = field(compare=False)


def search(evaluator: Evaluator, lattice: Lattice) -> SearchOutcome:
    """The canonical optimum, with the nodes that share its value; where the budget ends first, the best found and a bound."""
    return _Search(evaluator, lattice).run()


@dataclass
class _Chain:
    """A way up from the low corner of a box, of which the nodes between those decided so far are left."""

    box: _Box
    nodes: list[Node]
    beaten: Node | None = None
    """The highest node found so far that is out, with all of the box below it."""

    @property
    def middle(self) -> Node:
        return self.nodes[(len(self.nodes) - 1) // 2]

    def halve(self, *, is_out: bool) -> None:
        """Goes on above the middle where that is out, else below."""
        half = (len(self.nodes) - 1) // 2
        if is_out:
            self.beaten = self.nodes[half]
        self.nodes = self.nodes[half + 1 :] if is_out else self.nodes[:half]


class _Search:
    def __init__(self, evaluator: Evaluator, lattice: Lattice) -> None:
        self._evaluator = evaluator
        self._objective = evaluator.objective
        self._lattice = lattice
        self._beaten = DownSet(lattice)
        """Nodes that suppress too many rows, so that all below do."""
        self._best: list[Node] = []
        floor = self._objective.floor(lattice.bottom)
        self._boxes = [_Box(floor, sum(lattice.bottom), lattice.bottom, lattice.top)]
        self._chains: list[_Chain] = []
        """Of the boxes that are being opened, as many as are worth it together."""

    def run(self) -> SearchOutcome:
        proven = True
        try:
            self._consider(self._lattice.top)
            while self._open():
                middles = [chain.middle for chain in self._chains]
                self._evaluator.visit(middles)
                self._evaluator.judge(
                    [node for node in middles if not self._evaluator.rules_out(node) and self._may_be_best(node)]
                )
                for chain in self._chains:
                    self._halve(chain)
        except BudgetSpent:
            proven = False
        if not self._best:
            return SearchOutcome(None, self._bound(), proven)
        best, *ties = sorted(self._best, key=self._evaluator.rank)
        value = self._evaluator.value(best)
        return SearchOutcome(best, value if proven else min(self._bound(), value), proven, ties=tuple(ties) if proven else ())

    def _bound(self) -> Value:
        """No node is better that is not decided."""
        boxes = [chain.box for chain in self._chains] + self._boxes[:1]
        return min((box.floor for box in boxes), default=self._objective.floor(self._lattice.bottom))

    def _open(self) -> bool:
        """Parts the boxes whose chains have come to an end, and opens those of the least bounds; False where none is left."""
        for chain in self._chains:
            if not chain.nodes:
                self._part(chain.box, chain.beaten or chain.box.low)
        self._chains = [chain for chain in self._chains if chain.nodes and not self._exceeds_best(chain.box.floor)]
        while self._boxes and len(self._chains) < self._evaluator.width and not self._exceeds_best(self._boxes[0].floor):
            box = heappop(self._boxes)
            failing = self._beaten.covering(box.low)
            if failing is not None or self._is_beaten(box.low):
                self._part(box, failing or box.low)
            else:
                self._chains.append(_Chain(box, self._chain(box.low)))
        return bool(self._chains)

    def _part(self, box: _Box, decided: Node) -> None:
        """Parts what a box has beside the nodes up to the decided one into boxes that share no node."""
        floor, high = box.floor, list(box.high)
        if box.low in self._evaluator.visited:
            floor = max(floor, self._objective.floor_above(self._evaluator.visited[box.low]))
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

    def _chain(self, node: Node) -> list[Node]:
        """A way up from the node, each time to the least floor, as long as nobody has been there or is on the way."""
        chain, taken = [node], {node for chain in self._chains for node in chain.nodes}
        visited = self._evaluator.visited
        while steps := [step for step in self._lattice.above(chain[-1]) if step not in visited and step not in taken]:
            chain.append(min(steps, key=lambda step: (self._objective.floor(step), step)))
        return chain

    def _halve(self, chain: _Chain) -> None:
        """Considers the middle of a chain; where no node of the box up to there can be good enough, it is out."""
        node = chain.middle
        self._consider(node)
        failing = self._evaluator.visited[node].least_below
        is_out = node in self._beaten or self._exceeds_best(self._objective.floor(chain.box.low, failing))
        chain.halve(is_out=is_out)

    def _is_beaten(self, node: Node) -> bool:
        """Whether what is known of the nodes above rules this one out."""
        visited = self._evaluator.visited
        suppressed = max((visited[step].least_below for step in self._lattice.above(node) if step in visited), default=0)
        return self._exceeds_best(self._objective.floor(node, suppressed))

    def _consider(self, node: Node) -> None:
        """Makes a node the best, or one of the best, where it satisfies and its value says so; or marks it as out with all below."""
        satisfies = not self._evaluator.rules_out(node) and self._may_be_best(node) and self._evaluator.satisfies(node)
        # last: `satisfies` may have counted the sensitive values
        if self._evaluator.rules_out(node):
            self._beaten.add(node)
        if not satisfies:
            return
        suppressed = self._evaluator.figures(node).suppressed
        if node in self._best or self._exceeds_best(self._objective.floor(node, suppressed)):
            return
        value = self._evaluator.value(node)
        if not self._exceeds_best(value):
            if self._best and value < self._evaluator.value(self._best[0]):
                self._best.clear()
            self._best.append(node)

    def _may_be_best(self, node: Node) -> bool:
        """Whether what a visited node is known to suppress leaves it a chance."""
        return not self._exceeds_best(self._objective.floor(node, self._evaluator.least_suppressed(node)))

    def _exceeds_best(self, value: Value) -> bool:
        return bool(self._best) and value > self._evaluator.value(self._best[0])

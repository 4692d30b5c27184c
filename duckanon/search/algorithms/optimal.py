"""The satisfying node with the least objective, proven by bounds instead of by visiting all nodes.

The search divides the lattice into boxes (all nodes between a low and a high corner) and opens the box with the least lower
bound first. It ends when the next bound exceeds the best value (best-first branch and bound, Land and Doig 1960). If the low
corner is below a failing node, all nodes between them fail too (predictive tagging, as in Flash, Kohlmayer et al. 2012); the
rest of the box is divided into boxes that exceed the failing node in one attribute each. Binary search on a chain of nodes
upwards finds high failing nodes, which exclude the most nodes.
A satisfying node does not exclude the nodes above it: suppressed rows count as lost, so the optimum need not be minimal. Only
bounds exclude those nodes.
If no row may be suppressed, the bound of a node is its loss, before it is counted. Then chains contain only nodes that would be as
good as the best, and the highest is counted first: where it fails, all of them are excluded at once.
"""

from dataclasses import dataclass, field
from heapq import heappop, heappush

from duckanon.lattice import DownSet, Lattice, Node
from duckanon.metrics.objective import Value
from duckanon.search.budget import BudgetSpent
from duckanon.search.evaluate import Evaluator
from duckanon.search.outcome import SearchOutcome

IS_WALK = False


@dataclass(frozen=True, order=True)
class _Box:
    """All nodes between two corners, with a lower bound of their objective."""

    floor: Value
    height: int
    low: Node
    high: Node = field(compare=False)


def search(evaluator: Evaluator, lattice: Lattice, start: Node | None = None) -> SearchOutcome:
    """Return the canonical optimum and the nodes with the same value; if the budget ends first, the best node so far and a bound.

    `start` is a satisfying node that another search has visited.
    """
    return _Search(evaluator, lattice).run(start)


@dataclass
class _Chain:
    """A chain of nodes upwards from the low corner of a box; `nodes` are those that are still undecided."""

    box: _Box
    nodes: list[Node]
    starts_high: bool = False
    """Whether the highest node comes before the middle."""
    excluded: Node | None = None
    """The highest node so far that is excluded, together with all nodes of the box below it."""

    @property
    def next(self) -> Node:
        return self.nodes[self._place]

    @property
    def _place(self) -> int:
        return len(self.nodes) - 1 if self.starts_high else (len(self.nodes) - 1) // 2

    def divide(self, *, is_excluded: bool) -> None:
        """Continue above the next node if it is excluded, else below."""
        place, self.starts_high = self._place, False
        if is_excluded:
            self.excluded = self.nodes[place]
        self.nodes = self.nodes[place + 1 :] if is_excluded else self.nodes[:place]


class _Search:
    def __init__(self, evaluator: Evaluator, lattice: Lattice) -> None:
        self._evaluator = evaluator
        self._objective = evaluator.objective
        self._lattice = lattice
        self._failing = DownSet(lattice)
        """Nodes that suppress too many rows, so that all nodes below them do too."""
        self._best: list[Node] = []
        floor = self._objective.floor(lattice.bottom)
        self._boxes = [_Box(floor, sum(lattice.bottom), lattice.bottom, lattice.top)]
        self._chains: list[_Chain] = []
        """The chains of the open boxes; as many boxes are open as are worth a visit together."""
        self._floors: dict[Node, Value] = {}
        self._is_known = evaluator.limit == 0
        """Whether the loss of a satisfying node is known before the node is counted; of another objective, a good bound."""

    def run(self, start: Node | None) -> SearchOutcome:
        proven = True
        try:
            for node in dict.fromkeys([start or self._lattice.top, self._lattice.top]):
                self._consider(node)
            while self._open():
                nodes = [chain.next for chain in self._chains]
                self._evaluator.visit(nodes)
                self._evaluator.judge(
                    [node for node in nodes if not self._evaluator.rules_out(node) and self._may_be_best(node)]
                )
                for chain in self._chains:
                    self._decide(chain)
        except BudgetSpent:
            proven = False
        if not self._best:
            return SearchOutcome(None, self._bound(), proven)
        best, *ties = sorted(self._best, key=self._evaluator.rank)
        value = self._evaluator.value(best)
        return SearchOutcome(best, value if proven else min(self._bound(), value), proven, ties=tuple(ties) if proven else ())

    def _bound(self) -> Value:
        """A lower bound of the objective over all undecided nodes."""
        boxes = [chain.box for chain in self._chains] + self._boxes[:1]
        return min((box.floor for box in boxes), default=self._objective.floor(self._lattice.bottom))

    def _open(self) -> bool:
        """Divide the boxes whose chains are decided, and open the boxes with the least bounds; return False if none is left."""
        for chain in self._chains:
            if self._is_known:
                chain.nodes = [node for node in chain.nodes if not self._exceeds_best(self._floor(node))]
            if not chain.nodes:
                self._divide(chain.box, chain.excluded or chain.box.low)
        self._chains = [chain for chain in self._chains if chain.nodes and not self._exceeds_best(chain.box.floor)]
        visited = self._evaluator.visited
        fresh = {chain.next for chain in self._chains if chain.next not in visited}
        while self._boxes and len(fresh) < self._evaluator.width and not self._exceeds_best(self._boxes[0].floor):
            box = heappop(self._boxes)
            failing = self._failing.covering(box.low)
            if failing is not None or self._is_excluded(box.low):
                self._divide(box, failing or box.low)
            else:
                # the chain from the bottom is halved, for a first good node
                starts_high = self._is_known and box.low != self._lattice.bottom
                chain = _Chain(box, self._chain(box.low), starts_high)
                self._chains.append(chain)
                if chain.next not in visited:
                    fresh.add(chain.next)
        return bool(self._chains)

    def _divide(self, box: _Box, decided: Node) -> None:
        """Divide the part of a box that is not below the decided node into disjoint boxes."""
        floor, high = box.floor, list(box.high)
        if box.low in self._evaluator.visited:
            floor = max(floor, self._objective.floor_above(self._evaluator.visited[box.low]))
        for position, level in enumerate(decided):
            if level < box.high[position]:
                low = (*box.low[:position], max(box.low[position], level + 1), *box.low[position + 1 :])
                self._push(low, tuple(high), floor)
                high[position] = level

    def _push(self, low: Node, high: Node, floor: Value) -> None:
        """Keep a box if it may hold a node as good as the best."""
        visited = self._evaluator.visited
        suppressed = visited[high].least_below if high in visited else 0
        floor = max(floor, self._objective.floor(low, suppressed))
        if not self._exceeds_best(floor):
            heappush(self._boxes, _Box(floor, sum(low), low, high))

    def _chain(self, node: Node) -> list[Node]:
        """A chain upwards from the node through nodes that are neither visited nor in another chain.

        Each step is to the least floor; or, if the floor is the loss, to the greatest that does not exceed the best.
        """
        chain, taken = [node], {node for chain in self._chains for node in chain.nodes}
        visited = self._evaluator.visited
        while steps := [
            (self._floor(step), step) for step in self._lattice.above(chain[-1]) if step not in visited and step not in taken
        ]:
            if self._is_known:
                steps = [(floor, step) for floor, step in steps if not self._exceeds_best(floor)]
            if not steps:
                break
            _, step = max(steps) if self._is_known else min(steps)
            chain.append(step)
        return chain

    def _floor(self, node: Node) -> Value:
        """A lower bound of the objective at the node before it is counted."""
        if node not in self._floors:
            self._floors[node] = self._objective.floor(node)
        return self._floors[node]

    def _decide(self, chain: _Chain) -> None:
        """Consider the next node of a chain; it is excluded if no node of the box up to it can be good enough."""
        node = chain.next
        self._consider(node)
        failing = self._evaluator.visited[node].least_below
        is_excluded = node in self._failing or self._exceeds_best(self._objective.floor(chain.box.low, failing))
        chain.divide(is_excluded=is_excluded)

    def _is_excluded(self, node: Node) -> bool:
        """Whether the visited nodes directly above exclude this node."""
        visited = self._evaluator.visited
        suppressed = max((visited[step].least_below for step in self._lattice.above(node) if step in visited), default=0)
        return self._exceeds_best(self._objective.floor(node, suppressed))

    def _consider(self, node: Node) -> None:
        """Record a satisfying node if its value is as good as the best or better, or exclude a failing node and all nodes below it."""
        satisfies = not self._evaluator.rules_out(node) and self._may_be_best(node) and self._evaluator.satisfies(node)
        # last: `satisfies` may have counted the sensitive values
        if self._evaluator.rules_out(node):
            self._failing.add(node)
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
        """Whether a visited node may still be as good as the best, given the rows that it is known to suppress."""
        return not self._exceeds_best(self._objective.floor(node, self._evaluator.least_suppressed(node)))

    def _exceeds_best(self, value: Value) -> bool:
        return bool(self._best) and value > self._evaluator.value(self._best[0])

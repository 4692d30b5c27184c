"""The generalization lattice: pure, without a database.

A node is a tuple of levels in the declared order of the quasi-identifiers; its height is their sum;
u is above v when every level of u is at least v's (Samarati 2001).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

Node = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All nodes between a bottom and a top node, both included."""

    bottom: Node
    top: Node

    @property
    def size(self) -> int:
        """The number of nodes, which may be beyond what `len` can give."""
        return prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))

    def __contains__(self, node: Node) -> bool:
        return len(node) == len(self.top) and is_above(node, self.bottom) and is_above(self.top, node)

    def nodes(self) -> Iterator[Node]:
        """Every node once, lexicographically."""
        return product(*(range(low, high + 1) for low, high in zip(self.bottom, self.top, strict=True)))

    def slices(self, positions: Sequence[int]) -> "Iterator[Lattice]":
        """The lattices in which the levels at these positions are fixed, for each choice of them; itself for none."""
        fixed = [range(self.bottom[position], self.top[position] + 1) for position in positions]
        for levels in product(*fixed):
            bottom, top = list(self.bottom), list(self.top)
            for position, level in zip(positions, levels, strict=True):
                bottom[position] = top[position] = level
            yield Lattice(tuple(bottom), tuple(top))

    def at_height(self, height: int) -> Iterator[Node]:
        """Every node whose levels sum to `height`, lexicographically."""
        return self._completions((), height)

    def _completions(self, prefix: Node, height: int) -> Iterator[Node]:
        position = len(prefix)
        if position == len(self.top):
            if height == 0:
                yield prefix
            return
        least_after, most_after = sum(self.bottom[position + 1 :]), sum(self.top[position + 1 :])
        low = max(self.bottom[position], height - most_after)
        high = min(self.top[position], height - least_after)
        for level in range(low, high + 1):
            yield from self._completions((*prefix, level), height - level)

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes one step above, in the order of the attributes."""
        for position, level in enumerate(node):
            if level < self.top[position]:
                yield (*node[:position], level + 1, *node[position + 1 :])

    def children(self, node: Node) -> Iterator[Node]:
        """The steps above that a walk from the bottom takes so that it meets every node exactly once.

        A node is reached by raising its attributes in declared order, so only the last raised
        attribute and those behind it may be raised further.
        """
        last = max((i for i, level in enumerate(node) if level > self.bottom[i]), default=0)
        for position in range(last, len(node)):
            if node[position] < self.top[position]:
                yield (*node[:position], node[position] + 1, *node[position + 1 :])


def is_above(upper: Node, lower: Node) -> bool:
    """Whether every level of `upper` is at least that of `lower` (a node is above itself)."""
    return all(u >= v for u, v in zip(upper, lower, strict=True))


class DownSet:
    """A set of nodes closed downwards: whoever lies below a member is one.

    Nodes are packed into one integer, a field with a guard bit an attribute, so that "is below"
    is one subtraction: no guard bit of `(upper | guards) - lower` is borrowed from.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._widths = [level.bit_length() + 1 for level in lattice.top]
        self._guards = self._packed(tuple(1 << (width - 1) for width in self._widths))
        self._maximal: list[int] = []

    def add(self, node: Node) -> None:
        """Puts in a node and all below it."""
        packed = self._packed(node)
        guards = self._guards
        lifted = packed | guards
        self._maximal = [member for member in self._maximal if (lifted - member) & guards != guards]
        self._maximal.append(packed)

    def __contains__(self, node: Node) -> bool:
        return self.covering(node) is not None

    def covering(self, node: Node) -> Node | None:
        """A maximal member from the node on upwards; None where the node is no member."""
        packed = self._packed(node)
        guards = self._guards
        bound = next((member for member in self._maximal if ((member | guards) - packed) & guards == guards), None)
        return None if bound is None else self._unpacked(bound)

    def _unpacked(self, packed: int) -> Node:
        levels = []
        for width in reversed(self._widths):
            levels.append(packed & ((1 << width) - 1))
            packed >>= width
        return tuple(reversed(levels))

    def _packed(self, node: Iterable[int]) -> int:
        packed = 0
        for level, width in zip(node, self._widths, strict=True):
            packed = packed << width | level
        return packed

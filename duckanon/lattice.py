"""The generalization lattice, without a database.

A node is a tuple of levels in the declared order of the quasi-identifiers. Its height is the sum of the levels.
Node u is above node v if every level of u is at least that of v (Samarati 2001).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

Node = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All nodes from a bottom node to a top node, both included."""

    bottom: Node
    top: Node

    @property
    def size(self) -> int:
        """The number of nodes, which may exceed the maximum of `len`."""
        return prod(high - low + 1 for low, high in zip(self.bottom, self.top, strict=True))

    def __contains__(self, node: Node) -> bool:
        return len(node) == len(self.top) and is_above(node, self.bottom) and is_above(self.top, node)

    def nodes(self) -> Iterator[Node]:
        """Yield every node once, in lexicographic order."""
        return product(*(range(low, high + 1) for low, high in zip(self.bottom, self.top, strict=True)))

    def slices(self, positions: Sequence[int]) -> "Iterator[Lattice]":
        """Yield a lattice for each choice of levels at these positions, with these levels fixed; for no positions the lattice itself."""
        fixed = [range(self.bottom[position], self.top[position] + 1) for position in positions]
        for levels in product(*fixed):
            bottom, top = list(self.bottom), list(self.top)
            for position, level in zip(positions, levels, strict=True):
                bottom[position] = top[position] = level
            yield Lattice(tuple(bottom), tuple(top))

    def at_height(self, height: int) -> Iterator[Node]:
        """Yield every node whose levels sum to `height`, in lexicographic order."""
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
        """Yield the nodes one step above, in the order of the attributes."""
        for position, level in enumerate(node):
            if level < self.top[position]:
                yield (*node[:position], level + 1, *node[position + 1 :])

    def children(self, node: Node) -> Iterator[Node]:
        """Yield the nodes one step above such that a walk from the bottom visits every node exactly once.

        The walk raises the attributes in declared order: it may raise the attribute that it raised last and later ones.
        """
        last = max((i for i, level in enumerate(node) if level > self.bottom[i]), default=0)
        for position in range(last, len(node)):
            if node[position] < self.top[position]:
                yield (*node[:position], node[position] + 1, *node[position + 1 :])


def is_above(upper: Node, lower: Node) -> bool:
    """Whether every level of `upper` is at least that of `lower`. A node is above itself."""
    return all(u >= v for u, v in zip(upper, lower, strict=True))


class DownSet:
    """A set of nodes that is closed downwards: every node below a member is a member.

    Each node is packed into one integer with a field and a guard bit for each attribute. The test for "below" is then
    one subtraction: `(upper | guards) - lower` borrows from no guard bit.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._widths = [level.bit_length() + 1 for level in lattice.top]
        self._guards = self._packed(tuple(1 << (width - 1) for width in self._widths))
        self._maximal: list[int] = []

    def add(self, node: Node) -> None:
        """Add a node and all nodes below it."""
        packed = self._packed(node)
        guards = self._guards
        lifted = packed | guards
        self._maximal = [member for member in self._maximal if (lifted - member) & guards != guards]
        self._maximal.append(packed)

    def __contains__(self, node: Node) -> bool:
        return self.covering(node) is not None

    def covering(self, node: Node) -> Node | None:
        """A maximal member that is above the node; None if the node is not a member."""
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


class NodeSets:
    """Sets of nodes as integers with one bit for each node of a lattice: a closure takes a few shifts of the whole set."""

    def __init__(self, lattice: Lattice) -> None:
        self._bottom = lattice.bottom
        self._heights = [high - low + 1 for low, high in zip(lattice.bottom, lattice.top, strict=True)]
        self._places = [prod(self._heights[position + 1 :]) for position in range(len(self._heights))]
        self._bytes = lattice.size // 8 + 1
        everything = (1 << lattice.size) - 1
        self._raised = [
            ((1 << place * height) - (1 << place)) * (everything // ((1 << place * height) - 1))
            for place, height in zip(self._places, self._heights, strict=True)
        ]
        """For each attribute the nodes whose level is above the bottom."""

    def bit(self, node: Node) -> int:
        """The number of a node's bit."""
        return sum((level - low) * place for level, low, place in zip(node, self._bottom, self._places, strict=True))

    def of(self, bits: Iterable[int]) -> int:
        """The set of the nodes with these bits."""
        packed = bytearray(self._bytes)
        for bit in bits:
            packed[bit >> 3] |= 1 << (bit & 7)
        return int.from_bytes(packed, "little")

    def members(self, bits: Iterable[int], nodes: int) -> list[int]:
        """The given bits whose nodes are in the set."""
        packed = nodes.to_bytes(self._bytes, "little")
        return [bit for bit in bits if packed[bit >> 3] >> (bit & 7) & 1]

    def closed(self, nodes: int) -> int:
        """The nodes of a set and all nodes below them."""
        for raised, place, height in zip(self._raised, self._places, self._heights, strict=True):
            for _ in range(height - 1):
                nodes |= (nodes & raised) >> place
        return nodes

    def maximal(self, nodes: int) -> int:
        """The nodes of a set that are below no other node of it."""
        below = 0
        for raised, place in zip(self._raised, self._places, strict=True):
            below |= (nodes & raised) >> place
        return nodes & ~self.closed(below)

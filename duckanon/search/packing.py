"""Label codes packed into one number: a class of a node is a sum of columns, one per quasi-identifier.

The number has a field of bits for the label code of each quasi-identifier. Other fields may hold the number of a node, so that one
statement groups the classes of several nodes, and the leaves that a row loses in each quasi-identifier if it is suppressed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node

_TYPES = {63: "bigint", 127: "hugeint"}
"""The types of a packed number, by the bits that they have room for."""


@dataclass(frozen=True)
class Field:
    """Bits of a packed number: `(number >> shift) & mask`."""

    shift: int
    mask: int


def keys_of(attributes: Sequence[Attribute]) -> list[dict[int, str]]:
    """By quasi-identifier, the column of `combinations` for each level below the top, whose only label has code 0."""
    return [
        {level: attribute.key(level) for level in range(attribute.min_level, min(attribute.max_level + 1, attribute.height))}
        for attribute in attributes
    ]


class Packing:
    """The fields of the number of a class."""

    def __init__(
        self, keys: Sequence[Mapping[int, str]], codes: Sequence[int], *, leaves: Sequence[Sequence[int]] = (), nodes: int = 1
    ) -> None:
        """`keys`: the columns of the label codes by level; `codes`: how many codes each quasi-identifier has.

        `leaves`: by quasi-identifier, the leaves that a suppressed row loses by level and label code; `nodes`: how many nodes have
        a number.
        """
        sizes = [(most - 1).bit_length() for most in (nodes, *codes)] + [max(lost).bit_length() for lost in leaves]
        *shifts, self.bits = accumulate(sizes, initial=0)
        fields = [Field(shift, (1 << size) - 1) for shift, size in zip(shifts, sizes, strict=True)]
        self.node, self.codes, self.leaves = fields[0], fields[1 : len(codes) + 1], fields[len(codes) + 1 :]
        self._keys, self._counts, self._lost = keys, codes, leaves

    @property
    def fits(self) -> bool:
        """Whether some type has room for all fields."""
        return self.bits <= max(_TYPES)

    @property
    def is_short(self) -> bool:
        """Whether the shortest type has room for all fields."""
        return self.bits <= min(_TYPES)

    @property
    def type(self) -> str:
        """The shortest type that has room for all fields."""
        return next(type for bits, type in _TYPES.items() if self.bits <= bits)

    def packed(self, source: str, measures: Sequence[str], relation: str | None = None) -> Statement:
        """Build `packed_<source>`: what each label of a row adds to the number of a class, and the measures of the row."""
        levels = [level for number, keys in enumerate(self._keys) for level in self._levels(number, keys)]
        about = {"type": self.type, "source": source, "levels": levels, "measures": measures}
        return render("lattice/packed", relation or f"packed_{source}", **about)

    def _levels(self, number: int, keys: Mapping[int, str]) -> Iterable[dict[str, Any]]:
        codes = self._counts[number]
        for level, key in keys.items():
            lost = self._lost[number][level * codes : (level + 1) * codes] if self.leaves else ()
            leaves_unit = 1 << self.leaves[number].shift if self.leaves else 0
            yield {"key": key, "unit": 1 << self.codes[number].shift, "leaves": lost, "leaves_unit": leaves_unit}

    def columns(self, node: Node, numbers: Iterable[int] | None = None) -> list[str]:
        """The columns of some quasi-identifiers, by default all, that a class of the node is the sum of."""
        chosen = range(len(node)) if numbers is None else numbers
        return [self._keys[number][node[number]] for number in chosen if node[number] in self._keys[number]]

    def columns_from(self, node: Node, numbers: Iterable[int]) -> list[str]:
        """The columns of some quasi-identifiers at the levels of the node and above."""
        return [key for number in numbers for level, key in self._keys[number].items() if level >= node[number]]

    def start(self, node: Node, number: int = 0) -> int:
        """What the sum begins with: the number of the node, and what the labels of levels without a column add."""
        tops = [position for position, level in enumerate(node) if self.leaves and level not in self._keys[position]]
        return number + sum(
            self._lost[position][node[position] * self._counts[position]] << self.leaves[position].shift for position in tops
        )

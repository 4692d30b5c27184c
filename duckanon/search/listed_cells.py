"""The sets of values that remain for later passes of local recoding, listed in memory once they are few enough."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from operator import mul
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.lattice import Node

Looking = Callable[[list[int]], Iterable[tuple[int, list[int]]]]
"""The large classes at some nodes, by a statement: the index of the node, and the sets of values of the class."""


class ListedCells:
    """The rows and codes of each set of values that remains, by its number, once they are few enough to be listed.

    A class at a node is a part of a class at the node above, where one attribute has one level more: both differ in the codes of this
    attribute alone. So a statement lists the classes of the highest nodes only, and those of the nodes below are parts of them.
    """

    def __init__(self, engine: Engine, attributes: Sequence[Mapping[str, Any]], least_rows: int) -> None:
        keys = [key for attribute in attributes for key in attribute["keys_of"].values()]
        self._cells: dict[int, tuple[int, ...]] = {
            cell: tuple(codes)
            for cell, *codes in engine.query(render("dataset/copy", relation="remaining", columns=["_cell", "_rows", *keys]))
        }
        self._least_rows = least_rows
        positions = iter(range(1, len(keys) + 1))
        self._positions = [{level: next(positions) for level in attribute["keys_of"]} for attribute in attributes]
        """For each attribute and level the position of its code in the tuple of a set of values, which begins with its rows."""
        radixes = [attribute["most"] + 2 for attribute in attributes]
        self._places = [prod(radixes[:number]) for number in range(len(radixes))]
        """What one level more of each attribute adds to the number of a node."""

    def take(self, cells: Sequence[int]) -> list[int]:
        """Take those sets of values of a class that remain; none if they have too few rows."""
        left = [cell for cell in cells if cell in self._cells]
        if self._rows(left) < self._least_rows:
            return []
        for cell in left:
            del self._cells[cell]
        return left

    def large_classes(self, nodes: dict[int, Node], look: Looking) -> list[tuple[int, list[int]]]:
        """The classes with enough remaining rows at some nodes, which are given by their indexes in increasing order."""
        numbers = {visit: sum(map(mul, node, self._places)) for visit, node in nodes.items()}
        classes: dict[int, list[list[int]]] = {}
        for visit, cells in look(self._highest(numbers)):
            classes.setdefault(numbers[visit], []).append(cells)
        looked, reached = set[int](), set[int]()
        for visit in reversed(nodes):
            number = numbers[visit]
            if number in reached and number not in classes:
                raised = enumerate(map(number.__add__, self._places))
                above = [(attribute, node) for attribute, node in raised if node in looked]
                if all(node in classes for _, node in above):
                    attribute, nearest = min(above, key=lambda pair: sum(map(len, classes[pair[1]])))
                    position = self._positions[attribute][nodes[visit][attribute]]
                    if parts := [part for cells in classes[nearest] for part in self._parts(cells, position)]:
                        classes[number] = parts
            if number in classes:
                reached.update(map(number.__sub__, self._places))
            looked.add(number)
        return [(visit, cells) for visit, number in numbers.items() for cells in classes.get(number, ())]

    def _highest(self, numbers: dict[int, int]) -> list[int]:
        """The nodes without a later node directly above them (one attribute one level higher)."""
        later, highest = set[int](), list[int]()
        for visit in reversed(numbers):
            if later.isdisjoint(map(numbers[visit].__add__, self._places)):
                highest.append(visit)
            later.add(numbers[visit])
        return highest

    def _parts(self, cells: Iterable[int], position: int) -> Iterable[list[int]]:
        """The parts of a class with enough rows, by the codes at a position."""
        parts = defaultdict[int, list[int]](list)
        for cell in cells:
            parts[self._cells[cell][position]].append(cell)
        return (part for part in parts.values() if self._rows(part) >= self._least_rows)

    def _rows(self, cells: Iterable[int]) -> int:
        return sum(self._cells[cell][0] for cell in cells)

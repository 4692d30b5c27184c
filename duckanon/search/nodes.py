"""Count nodes by SQL: one by one, or several in one statement."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from duckanon.engine.protocol import Engine, row_count
from duckanon.engine.templates import Statement, ident, render
from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.privacy.evaluation import Evaluation, Relations, evaluation
from duckanon.privacy.requirement import Requirement

_TYPES = {63: "bigint", 127: "hugeint"}
"""The types of a packed number, by the bits that they have room for."""
_MOST_TOGETHER = 64
_WORTHWHILE = 1_600_000


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
    """Label codes packed into one number: a class of a node is a sum of columns, one per quasi-identifier.

    The number has a field of bits for the label code of each quasi-identifier. Other fields may hold the number of a node, so that one
    statement groups the classes of several nodes, and the leaves that a row loses in each quasi-identifier if it is suppressed.
    """

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

    @property
    def label_codes(self) -> list[str]:
        """The SQL of the label code of each quasi-identifier of a class."""
        return [f"_key // {1 << field.shift} % {field.mask + 1}" for field in self.codes]

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


def evaluated_at(
    requirement: Requirement,
    attributes: Sequence[Attribute],
    node: Node,
    *,
    keep_suppressed_rows: bool = False,
    sets: str = "combinations",
) -> Evaluation:
    """The terms that judge the classes that a node forms of a relation of sets of values; their keys are label codes."""
    levels = list(zip(attributes, node, strict=True))
    keys = [attribute.key(level) for attribute, level in levels]
    return evaluation(
        requirement,
        keys,
        keep_suppressed_rows=keep_suppressed_rows,
        relations=Relations(sets=sets),
        shown={attribute.name: [key] for attribute, key in zip(attributes, keys, strict=True)},
        constant=[attribute.name for attribute, level in levels if level == attribute.height],
        are_codes=True,
    )


class Nodes:
    """Counts the classes of nodes over `combinations`, and the rows of those that fail a requirement.

    The fixed cost of a statement equals that of grouping about ten thousand combinations, and grouping by one number is faster than
    grouping by nine. So if there are few combinations, they or their sensitive values are copied to `packed_combinations` or
    `packed_sensitive_<column>`, and one statement counts up to 64 nodes from these. If there are many combinations, or classes are
    judged by more than their rows and sensitive values, each node is counted separately. Classes are not stored: a node is counted
    again if the losses of its failing classes are needed.
    """

    has_counted = True
    """Whether a node was counted by a statement, rather than read: the first one is counted whatever is left of a budget."""

    def __init__(
        self,
        engine: Engine,
        attributes: Sequence[Attribute],
        marginals: Sequence[Marginals],
        rows: int,
        *,
        keep_suppressed_rows: bool = False,
    ) -> None:
        self._engine = engine
        self._attributes = attributes
        self._packing = Packing(keys_of(attributes), [marginal.codes for marginal in marginals], nodes=_MOST_TOGETHER)
        self._rows = rows
        self._keep_suppressed_rows = keep_suppressed_rows
        self._packed: dict[str, Statement] = {}
        self._sizes: dict[str | None, int] = {}

    def width(self, requirement: Requirement) -> int:
        """How many nodes should be counted in one statement."""
        if not self._is_by_rows(requirement) or not self._packing.fits:
            return 1
        relations = ["combinations", *(f"sensitive_{column}" for column in requirement.sensitive)]
        if any(map(self._engine.is_remote, relations)):
            # a cluster has no type of 127 bits, and does not judge every model
            return 1 if requirement.sensitive or not self._packing.is_short else _MOST_TOGETHER
        size = sum(map(self._size, requirement.sensitive or (None,)))
        return max(1, min(_MOST_TOGETHER, _WORTHWHILE // max(1, size)))

    def _size(self, column: str | None) -> int:
        """The rows from which nodes are counted: those of a sensitive column, or the combinations."""
        if column not in self._sizes:
            self._sizes[column] = row_count(self._engine, "combinations" if column is None else f"sensitive_{column}")
        return self._sizes[column]

    def _is_by_rows(self, requirement: Requirement) -> bool:
        """Whether a class is judged only by its rows and its rows per sensitive value, independent of other classes."""
        k = requirement.k
        others = (
            self._keep_suppressed_rows
            or requirement.average_risk is not None
            or requirement.needs_population
            or requirement.adversaries
        )
        return not others and k.entity is None and k.k_column is None

    def keys(self, node: Node) -> list[str]:
        """The columns of `combinations` that identify the classes of a node."""
        return [attribute.key(level) for attribute, level in zip(self._attributes, node, strict=True)]

    def evaluated(self, node: Node, requirement: Requirement) -> Evaluation:
        """The terms of one node."""
        return evaluated_at(requirement, self._attributes, node, keep_suppressed_rows=self._keep_suppressed_rows)

    def counted(self, nodes: Sequence[Node], requirement: Requirement) -> list[tuple[Figures, bool]]:
        """The counts of at most `width` nodes, and whether floating-point rounding leaves a class undecided."""
        rows = self._engine.query(render("lattice/node", **self._parameters(nodes, requirement)))
        counted = [(list(map(int, row[-12:-1])), row[-1] > 0) for row in rows]
        return [(Figures.counted(self._rows, requirement.least_rows, counts), is_doubtful) for counts, is_doubtful in counted]

    def _parameters(self, nodes: Sequence[Node], requirement: Requirement) -> Evaluation | Mapping[str, Any]:
        return self.evaluated(nodes[0], requirement) if len(nodes) == 1 else self._numbered(nodes, requirement)

    def _numbered(self, nodes: Sequence[Node], requirement: Requirement) -> dict[str, Any]:
        """The parameters for the templates of several nodes."""
        self._pack(requirement.sensitive)
        placed = [(self._packing.start(node, number), self._packing.columns(node)) for number, node in enumerate(nodes)]
        fields = {"node_field": self._packing.node, "type": self._packing.type}
        return {**evaluation(requirement, ["_key"], keep_suppressed_rows=False), "nodes": placed, **fields}

    def _pack(self, columns: Sequence[str]) -> None:
        """Build `packed_sensitive_<column>` for these columns, or without them `packed_combinations`, unless they stand as they were built."""
        for source in [f"sensitive_{column}" for column in columns] or ["combinations"]:
            if source not in self._packed:
                self._packed[source] = self._packing.packed(source, ["_value", "_value_rows"] if columns else ["_rows"])
            if not self._engine.stands(self._packed[source]):
                self._engine.create_table(self._packed[source])

    def lost(self, nodes: Sequence[Node], requirement: Requirement) -> dict[Node, Lost]:
        """For each attribute, the suppressed rows under each label of the nodes, of which there are at most `width`."""
        codes = [*map(ident, self.keys(nodes[0]))] if len(nodes) == 1 else self._packing.label_codes
        lost = failing_labels(self._engine, codes, self._parameters(nodes, requirement), len(nodes))
        return dict(zip(nodes, lost, strict=True))


def failing_labels(
    engine: Engine, codes: Sequence[str], evaluated: Evaluation | Mapping[str, Any], nodes: int = 1
) -> list[Lost]:
    """By node and quasi-identifier, the rows of failing classes under each label code; `codes` is the SQL of the codes of a class."""
    labels = {f"_label_{number}": code for number, code in enumerate(codes, start=1)}
    lost: list[tuple[dict[int, int], ...]] = [tuple({} for _ in codes) for _ in range(nodes)]
    for number, attribute, code, rows in engine.query(render("lattice/failing_labels", labels=labels, **evaluated)):
        lost[number][attribute][code] = rows
    return [*lost]

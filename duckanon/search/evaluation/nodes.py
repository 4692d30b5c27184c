"""Count nodes by SQL: one by one, or several in one statement."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost
from duckanon.privacy.judgement import judgement
from duckanon.privacy.requirement import Requirement

_MOST_TOGETHER = 32
_WORTHWHILE = 800_000
_LARGEST_KEY = 2**63 - 1


@dataclass(frozen=True)
class _Digit:
    """The digit of an attribute's label code in the number that identifies a class: `key // place % radix`."""

    name: str
    columns: tuple[str, ...]
    """The columns of `combinations`, one per level."""
    radix: int
    place: int


class Nodes:
    """Counts the classes of nodes over `combinations`, and the rows of those that fail a requirement.

    This class decides what is materialized. The fixed cost of a statement equals that of grouping about ten thousand combinations,
    and grouping by one number is faster than grouping by nine. So if there are few combinations, they and their sensitive values
    are copied to `packed_combinations` and `packed_sensitive_<column>`, and one statement counts up to 32 nodes from these.
    `node_verdicts` keeps their classes until the next such statement, because the losses of the failing classes are often needed
    next. If there are many combinations, or classes are judged by more than their rows and sensitive values, each node is counted
    separately, nothing is kept, and the node is counted again for its losses.
    """

    def __init__(
        self, engine: Engine, attributes: Sequence[Attribute], codes: Sequence[int], rows: int, *, stars: bool
    ) -> None:
        self._engine = engine
        self._attributes = attributes
        self._codes = codes
        self._rows = rows
        self._stars = stars
        self.kept: tuple[Node, ...] = ()
        """The nodes whose classes are in `node_verdicts`, in the order of their numbers."""
        self._judged_by: Requirement | None = None
        self._packed: set[str] = set()
        self._sizes: dict[str, int] = {}

    def width(self, requirement: Requirement) -> int:
        """How many nodes should be counted in one statement."""
        if not self._is_by_rows(requirement) or _MOST_TOGETHER * prod(self._codes) > _LARGEST_KEY:
            return 1
        relations = ["combinations", *(f"sensitive_{column}" for column in requirement.sensitive)]
        if any(map(self._engine.is_remote, relations)):
            # a cluster does not judge every model
            return 1 if requirement.sensitive else _MOST_TOGETHER
        sizes = [render("lattice/combination_count")]
        sizes += [render("lattice/sensitive_count", column=column) for column in requirement.sensitive]
        return max(1, min(_MOST_TOGETHER, _WORTHWHILE // max(1, sum(map(self._size, sizes)))))

    def _size(self, statement: Statement) -> int:
        if statement.sql not in self._sizes:
            [(size,)] = self._engine.query(statement)
            self._sizes[statement.sql] = int(size)
        return self._sizes[statement.sql]

    def _is_by_rows(self, requirement: Requirement) -> bool:
        """Whether a class is judged only by its rows and its rows per sensitive value, independent of other classes."""
        k = requirement.k
        others = self._stars or requirement.average_risk is not None or requirement.needs_population
        return not others and k.entity is None and k.k_column is None

    def keys(self, node: Node) -> list[str]:
        """The columns of `combinations` that identify the classes of a node."""
        return [attribute.key(level) for attribute, level in zip(self._attributes, node, strict=True)]

    def judged(self, node: Node, requirement: Requirement) -> dict[str, Any]:
        """The parameters for the templates of one node."""
        keys = self.keys(node)
        return {"keys": keys, **judgement(requirement, keys, stars=self._stars)}

    def counted(self, node: Node, requirement: Requirement) -> tuple[Figures, bool]:
        """The counts of one node, and whether floating-point rounding leaves a class undecided."""
        [row] = self._engine.query(render("lattice/node", **self.judged(node, requirement)))
        *counts, doubtful = map(int, row)
        return self._figures(counts, requirement), doubtful > 0

    def together(self, nodes: Sequence[Node], requirement: Requirement) -> list[tuple[Figures, bool]]:
        """The counts of at most `width` nodes, and whether floating-point rounding leaves a class undecided."""
        about = judgement(requirement, ["_key"], stars=False)
        # the only label of a top level has code 0
        tops = {attribute.key(attribute.height) for attribute in self._attributes}
        keys = [[key for key in self.keys(node) if key not in tops] for node in nodes]
        self._pack(requirement.sensitive)
        self._engine.create_table(render("lattice/node_verdicts", nodes=keys, width=_MOST_TOGETHER, **about))
        self.kept, self._judged_by = tuple(nodes), requirement
        counted = self._engine.query(render("lattice/node_figures", **about))
        return [(self._figures(list(map(int, counts)), requirement), doubtful > 0) for _, *counts, doubtful in counted]

    @cached_property
    def _digits(self) -> list[_Digit]:
        """The digits of the attributes' codes; the lowest digit is the number of the node."""
        digits, place = [], _MOST_TOGETHER
        for attribute, codes in zip(self._attributes, self._codes, strict=True):
            levels = range(attribute.min_level, attribute.max_level + 1)
            digits.append(_Digit(attribute.name, tuple(attribute.key(level) for level in levels), codes, place))
            place *= codes
        return digits

    def _pack(self, columns: Iterable[str]) -> None:
        """Build `packed_combinations`, and `packed_sensitive_<column>` for these columns, once."""
        places = {key: digit.place for digit in self._digits for key in digit.columns}
        statements = [render("lattice/packed_combinations", places=places)]
        statements += [
            render("lattice/packed_sensitive", f"packed_sensitive_{column}", places=places, column=column) for column in columns
        ]
        for statement in statements:
            if statement.relation not in self._packed:
                self._engine.create_table(statement)
                self._packed.add(statement.relation)

    def lost(self, node: Node, others: Iterable[Node], requirement: Requirement) -> dict[Node, Lost]:
        """For each attribute, the suppressed rows under each label of the node, and of those `others` that are in `kept`."""
        if node not in self.kept or requirement != self._judged_by:
            rows = self._engine.query(render("lattice/failing_labels", **self.judged(node, requirement)))
            return {node: self._labels(rows)}
        numbers = {self.kept.index(kept): kept for kept in (node, *others)}
        labels: dict[int, list[Sequence[int]]] = {number: [] for number in numbers}
        statement = render("lattice/node_labels", attributes=self._digits, numbers=sorted(numbers))
        for number, *label in self._engine.query(statement):
            labels[number].append(label)
        return {kept: self._labels(labels[number]) for number, kept in numbers.items()}

    def _labels(self, rows: Iterable[Sequence[int]]) -> Lost:
        labels: tuple[dict[int, int], ...] = tuple({} for _ in self._attributes)
        for attribute, code, count in rows:
            labels[attribute][code] = count
        return labels

    def _figures(self, counts: Sequence[int], requirement: Requirement) -> Figures:
        classes, smallest, released_smallest, released_largest, failing_classes = counts[:5]
        suppressed, squares, released_squares, joining_rows, joining_classes, least_below = counts[5:]
        return Figures(
            rows=self._rows,
            classes=classes,
            smallest=smallest,
            released_smallest=released_smallest,
            released_largest=released_largest,
            failing_classes=failing_classes,
            suppressed=suppressed,
            squares=squares,
            released_squares=released_squares,
            failing_rows=suppressed - joining_rows,
            passing_classes=classes - failing_classes + joining_classes,
            rescuable=min(failing_classes - joining_classes, (suppressed - joining_rows) // requirement.least_rows),
            least_below=least_below,
        )

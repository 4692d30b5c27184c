"""Count nodes by SQL: one by one, or several in one statement."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.row_count import row_count
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost
from duckanon.privacy.judgement import Relations, judgement
from duckanon.privacy.requirement import Requirement
from duckanon.search.packing import Packing, keys_of

_MOST_TOGETHER = 64
_WORTHWHILE = 1_600_000


def judged_at(requirement: Requirement, attributes: Sequence[Attribute], node: Node, *, stars: bool) -> dict[str, Any]:
    """The template parameters that judge the classes of a node, whose keys are label codes."""
    relations = Relations(sets="combinations")
    keys = [attribute.key(level) for attribute, level in zip(attributes, node, strict=True)]
    shown = {attribute.name: [key] for attribute, key in zip(attributes, keys, strict=True)}
    constant = [attribute.name for attribute, level in zip(attributes, node, strict=True) if level == attribute.height]
    judged = judgement(requirement, keys, stars=stars, relations=relations, shown=shown, constant=constant, are_codes=True)
    return {"keys": keys, **judged}


class Nodes:
    """Counts the classes of nodes over `combinations`, and the rows of those that fail a requirement.

    The fixed cost of a statement equals that of grouping about ten thousand combinations, and grouping by one number is faster than
    grouping by nine. So if there are few combinations, they or their sensitive values are copied to `packed_combinations` or
    `packed_sensitive_<column>`, and one statement counts up to 64 nodes from these. If there are many combinations, or classes are
    judged by more than their rows and sensitive values, each node is counted separately. Classes are not stored: a node is counted
    again if the losses of its failing classes are needed.
    """

    def __init__(
        self, engine: Engine, attributes: Sequence[Attribute], codes: Sequence[int], rows: int, *, stars: bool
    ) -> None:
        self._engine = engine
        self._attributes = attributes
        self._packing = Packing(keys_of(attributes), codes, nodes=_MOST_TOGETHER)
        self._rows = rows
        self._stars = stars
        self._packed: set[str] = set()
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
        others = self._stars or requirement.average_risk is not None or requirement.needs_population or requirement.adversaries
        return not others and k.entity is None and k.k_column is None

    def keys(self, node: Node) -> list[str]:
        """The columns of `combinations` that identify the classes of a node."""
        return [attribute.key(level) for attribute, level in zip(self._attributes, node, strict=True)]

    def judged(self, node: Node, requirement: Requirement) -> dict[str, Any]:
        """The parameters for the templates of one node."""
        return judged_at(requirement, self._attributes, node, stars=self._stars)

    def counted(self, node: Node, requirement: Requirement) -> tuple[Figures, bool]:
        """The counts of one node, and whether floating-point rounding leaves a class undecided."""
        [row] = self._engine.query(render("lattice/node", **self.judged(node, requirement)))
        *counts, doubtful = map(int, row)
        return self._figures(counts, requirement), doubtful > 0

    def together(self, nodes: Sequence[Node], requirement: Requirement) -> list[tuple[Figures, bool]]:
        """The counts of at most `width` nodes, and whether floating-point rounding leaves a class undecided."""
        counted = self._engine.query(render("lattice/node_figures", **self._numbered(nodes, requirement)))
        return [(self._figures(list(map(int, counts)), requirement), doubtful > 0) for _, *counts, doubtful in counted]

    def _numbered(self, nodes: Sequence[Node], requirement: Requirement) -> dict[str, Any]:
        """The parameters for the templates of several nodes."""
        self._pack(requirement.sensitive)
        placed = [(self._packing.start(node, number), self._packing.columns(node)) for number, node in enumerate(nodes)]
        fields = {"node_field": self._packing.node, "type": self._packing.type}
        return {"nodes": placed, **fields, **judgement(requirement, ["_key"], stars=False)}

    def _pack(self, columns: Sequence[str]) -> None:
        """Build `packed_sensitive_<column>` for these columns, or without them `packed_combinations`, once."""
        for source in [f"sensitive_{column}" for column in columns] or ["combinations"]:
            if source not in self._packed:
                measures = ["_value", "_value_rows"] if columns else ["_rows"]
                self._engine.create_table(self._packing.packed(source, measures))
                self._packed.add(source)

    def lost(self, nodes: Sequence[Node], requirement: Requirement) -> dict[Node, Lost]:
        """For each attribute, the suppressed rows under each label of the nodes, of which there are at most `width`."""
        if len(nodes) == 1:
            [node] = nodes
            rows = self._engine.query(render("lattice/failing_labels", **self.judged(node, requirement)))
            return {node: self._labels(rows)}
        labels: list[list[Sequence[int]]] = [[] for _ in nodes]
        fields = [
            {"name": attribute.name, **asdict(field)}
            for attribute, field in zip(self._attributes, self._packing.codes, strict=True)
        ]
        statement = render("lattice/node_labels", attributes=fields, **self._numbered(nodes, requirement))
        for number, *label in self._engine.query(statement):
            labels[number].append(label)
        return {node: self._labels(rows) for node, rows in zip(nodes, labels, strict=True)}

    def _labels(self, rows: Iterable[Sequence[int]]) -> Lost:
        labels: tuple[dict[int, int], ...] = tuple({} for _ in self._attributes)
        for attribute, code, count in rows:
            labels[attribute][code] = count
        return labels

    def _figures(self, counts: Sequence[int], requirement: Requirement) -> Figures:
        return Figures.counted(self._rows, requirement.least_rows, counts)

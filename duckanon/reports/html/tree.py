"""A hierarchy as a tree, the top on the left, with the released level marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_ROW, _MARGIN, _GAP = 19, 8, 26
_LABEL = 24
"""The maximum length of a label."""

_CHARACTER = 7.2
"""The width of a character in pixels: an upper bound of the average."""


@dataclass(frozen=True)
class PlacedLabel:
    """A label of a hierarchy in the drawing."""

    text: str
    x: float
    y: float
    parent_y: float | None
    is_released: bool


@dataclass(frozen=True)
class Tree:
    """Labels in their places, and the size of the drawing in pixels."""

    labels: Sequence[PlacedLabel]
    width: float
    height: float
    column: float
    """The width of a label's box."""
    gap: float = _GAP


def tree(column: Mapping[str, Any]) -> Tree:
    """The branches of a column's hierarchy; labels of the released level are marked."""
    branches = [tuple(_short(label) for label in branch) for branch in column["branches"]]
    depth = len(branches[0])
    top = max((level["level"] for level in column.get("levels") or []), default=depth - 1)
    box = 10 + _CHARACTER * max(len(label) for branch in branches for label in branch[1:] or branch)
    places: dict[tuple[str, ...], float] = {}
    for length in range(1, depth + 1):
        rows: dict[tuple[str, ...], list[int]] = {}
        for number, branch in enumerate(branches):
            rows.setdefault(branch[:length], []).append(number)
        places |= {path: _MARGIN + _ROW * (sum(numbers) / len(numbers) + 0.5) for path, numbers in rows.items()}
    # the top label is short: it is `*` in nearly all hierarchies
    labels = [
        PlacedLabel(path[-1], _x(len(path) - 1, box), y, places.get(path[:-1]), top - (len(path) - 1) == column.get("released"))
        for path, y in places.items()
    ]
    return Tree(labels, _x(depth, box), 2 * _MARGIN + _ROW * len(branches), box)


def _x(place: int, box: float) -> float:
    return round(_MARGIN + (place and 14 + _GAP + (place - 1) * (box + _GAP)), 1)


def _short(label: str) -> str:
    return label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"

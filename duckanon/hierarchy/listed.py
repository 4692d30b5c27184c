"""Hierarchies that list their values: tables, trees, and levels of groups."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from duckanon.hierarchy.base import MOST_LEVELS, Label, Spec, Top


class ListedHierarchy(Spec):
    """A kind that lists its values; with `top`, a level of that label is added above."""

    file: Path | None = None
    """Where the values stand, from the folder of the hierarchy file."""
    top: Top | None = None
    """The label of a level that is added above."""

    PLACES: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _in_one_place(self) -> "ListedHierarchy":
        said = [name for name in self.PLACES if getattr(self, name) is not None]
        if len(said) != 1:
            raise ValueError(
                f"say its values once, with one of {', '.join(self.PLACES)}{'' if not said else f', not {len(said)}'}"
            )
        return self


class Table(ListedHierarchy):
    """A value table: value, level 1, ..., top; a file of two columns may also hold child, parent pairs."""

    WHAT = "a line a value: value, level 1, ..., top"
    PLACES = ("file", "rows")

    kind: Literal["table"] = "table"
    rows: list[list[Label | None]] | None = Field(default=None, min_length=1)
    """The same in place: a list a value."""

    @field_validator("rows")
    @classmethod
    def _even(cls, rows: list[list[str | None]] | None) -> list[list[str | None]] | None:
        for number, row in enumerate(rows or [], start=1):
            if rows and len(row) != len(rows[0]):
                raise ValueError(f"row {number} has {len(row)} cells, the first one {len(rows[0])}")
            if not 2 <= len(row) <= MOST_LEVELS + 1:
                raise ValueError(f"row {number} has {len(row)} cells; it needs the value and 1 to {MOST_LEVELS} levels")
        return rows


class HierarchyTree(ListedHierarchy):
    """A tree: nested, or as child, parent pairs. On a branch shorter than others the leaf repeats at the bottom."""

    WHAT = "a tree, nested or as child,parent pairs"
    PLACES = ("file", "tree", "pairs")

    kind: Literal["tree"] = "tree"
    tree: dict[Label, Any] | None = Field(None, min_length=1)
    """Labels, and below each the labels or values under it."""
    pairs: list[tuple[Label, Label]] | None = Field(None, min_length=1)
    """Child and parent, a list of two each."""

    @field_validator("tree")
    @classmethod
    def _plain(cls, tree: dict[str, Any] | None) -> dict[str, Any] | None:
        plain = None if tree is None else {label: _branch(label, below) for label, below in tree.items()}
        if plain is not None and not any(plain.values()):
            raise ValueError("names no values; write them below their labels, as {North: [Norway, Sweden]}")
        return plain

    @property
    def edges(self) -> list[tuple[str, str]]:
        """Child and parent, of a tree that is not in a file."""
        return list(self.pairs) if self.pairs is not None else list(_edges(self.tree or {}))


class Member(NamedTuple):
    """A member of a group, None where the group names none; on level 0, a value itself."""

    level: int
    label: str
    member: str | None


class Levels(Spec):
    """For each level its labels, and for each label its members of the level below.

    The first level may list the values; the last may be a single label for all below.
    A list may be written as one text, parted by commas.
    """

    WHAT = "for each level its groups, and their members of the level below"

    kind: Literal["levels"] = "levels"
    levels: list[dict[Label, list[Label]] | list[Label]] = Field(min_length=1, max_length=MOST_LEVELS + 1)
    """From below: for each level its labels, with their members."""
    top: Top | None = None
    """The label of a level that is added above."""

    @field_validator("levels", mode="before")
    @classmethod
    def _parted(cls, levels: Any) -> Any:
        if not isinstance(levels, list):
            return levels
        return [
            {label: _parts(members) for label, members in level.items()} if isinstance(level, dict) else _parts(level)
            for level in levels
        ]

    @field_validator("levels")
    @classmethod
    def _filled(cls, levels: list[Any]) -> list[Any]:
        for number, level in enumerate(levels):
            if not level:
                raise ValueError(f"entry {number + 1} is empty; write its labels")
        return levels

    @model_validator(mode="after")
    def _rises(self) -> "Levels":
        if not self.height:
            raise ValueError("lists values and no level above them; add one, say - '*'")
        return self

    @property
    def lists_values(self) -> bool:
        """Whether the first level lists the values, instead of groups of them."""
        return not isinstance(self.levels[0], dict)

    @property
    def height(self) -> int:
        return len(self.levels) - self.lists_values + (self.top is not None)

    @property
    def members(self) -> list[Member]:
        """Every member of every group, level by level, values first, as they are written."""
        found: list[Member] = []
        below: list[str] = []
        levels = [*self.levels, [self.top]] if self.top is not None else self.levels
        if not self.lists_values:
            below = list(dict.fromkeys(member for members in _groups(levels[0]).values() for member in members))
            found += [Member(0, value, value) for value in below]
        for number, level in enumerate(levels):
            position = number + (not self.lists_values)
            groups = _groups(level)
            if position == 0:
                below = list(level)
                found += [Member(0, value, value) for value in below]
                continue
            if len(groups) == 1 and not isinstance(level, dict):
                groups = dict.fromkeys(groups, below)
            for label, members in groups.items():
                found += [Member(position, label, member) for member in members] or [Member(position, label, None)]
            below = list(groups)
        return found


def _groups(level: dict[str, list[str]] | list[str] | list[str | None]) -> dict[str, list[str]]:
    return level if isinstance(level, dict) else {str(label): [] for label in level}


def _parts(members: Any) -> Any:
    """A list as it is, a text parted at its commas, nothing for an empty place."""
    if members is None:
        return []
    if isinstance(members, str):
        return [part for text in members.split(",") if (part := text.strip())]
    return members if isinstance(members, list) else [members]


def _branch(label: str, below: Any) -> Any:
    """A branch with every list written out; raises `ValueError` where it is neither labels nor branches."""
    if isinstance(below, dict):
        return {_text(label, child): _branch(str(child), rest) for child, rest in below.items()}
    return [_text(label, child) for child in _parts(below)]


def _text(label: str, child: Any) -> str:
    if isinstance(child, bool) or not isinstance(child, str | int):
        raise ValueError(f"below {label!r} stands {type(child).__name__} {child!r}; write labels as text, in quotes")  # noqa: TRY004
    return str(child)


def _edges(tree: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for label, below in tree.items():
        for child in below:
            yield child, label
        if isinstance(below, dict):
            yield from _edges(below)

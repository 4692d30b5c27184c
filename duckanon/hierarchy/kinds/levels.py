"""Levels of groups. Each group lists its members of the level below."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal
from duckanon.hierarchy.base import MOST_LEVELS, Label, Spec, Top, parts_of
from duckanon.hierarchy.checks import and_rows, examples, queried, quoted, respelled, suggested, unread
from duckanon.hierarchy.lookup import HierarchyFault, Lookup, listed_rows, lookup_statement


class Member(NamedTuple):
    """A member of a group, None if the group lists no members; on level 0, a value."""

    level: int
    label: str
    member: str | None


class Levels(Spec):
    """The labels of each level, and for each label its members of the level below.

    The first level may list the values. The last level may be a single label for all values.
    A list may be written as one text, separated by commas.
    """

    WHAT = "for each level its groups, and their members of the level below"

    kind: Literal["levels"] = "levels"
    levels: list[dict[Label, list[Label]] | list[Label]] = Field(min_length=1, max_length=MOST_LEVELS + 1)
    """For each level, from fine to coarse: its labels with their members."""
    top: Top | None = None
    """The label of an additional top level."""

    @field_validator("levels", mode="before")
    @classmethod
    def _parted(cls, levels: Any) -> Any:
        if not isinstance(levels, list):
            return levels
        return [
            {label: parts_of(members) for label, members in level.items()} if isinstance(level, dict) else parts_of(level)
            for level in levels
        ]

    @field_validator("levels")
    @classmethod
    def _filled(cls, levels: list[Any]) -> list[Any]:
        for number, level in enumerate(levels):
            if not level:
                raise ValueError(f"entry {number + 1} is empty; write the labels of the level")
        return levels

    @model_validator(mode="after")
    def _rises(self) -> "Levels":
        if not self.height:
            raise ValueError("lists values and no level above them; add one, for example - '*'")
        return self

    @property
    def lists_values(self) -> bool:
        """Whether the first level lists the values, and not groups of values."""
        return not isinstance(self.levels[0], dict)

    @property
    def height(self) -> int:
        return len(self.levels) - self.lists_values + (self.top is not None)

    @property
    def members(self) -> list[Member]:
        """All members of all groups, level by level, values first, in the order of the file."""
        listed: list[Member] = []
        below: list[str] = []
        levels = [*self.levels, [self.top]] if self.top is not None else self.levels
        if not self.lists_values:
            below = list(dict.fromkeys(member for members in _groups(levels[0]).values() for member in members))
            listed += [Member(0, value, value) for value in below]
        for number, level in enumerate(levels):
            position = number + (not self.lists_values)
            groups = _groups(level)
            if position == 0:
                below = list(level)
                listed += [Member(0, value, value) for value in below]
                continue
            if len(groups) == 1 and not isinstance(level, dict):
                groups = dict.fromkeys(groups, below)
            for label, members in groups.items():
                listed += [Member(position, label, member) for member in members] or [Member(position, label, None)]
            below = list(groups)
        return listed

    @property
    def is_listing(self) -> bool:
        return True

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        listed = listed_rows(engine, column, [(*member, number) for number, member in enumerate(self.members)])
        return Lookup(lookup_statement("levels", column, height=self.height), self.height, listed)

    def listing_faults(self, engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
        yield from self._level_faults(engine, column)
        yield from unread(engine, column, "error")

    def _level_faults(self, engine: Engine, column: Column) -> Iterator[HierarchyFault]:
        """The faults that prevent listed groups and members from forming one tree."""
        listed = self.members
        labels: list[set[str]] = [set() for _ in range(self.height + 2)]
        parents: dict[tuple[int, str], list[str]] = {}
        empty: dict[int, list[str]] = {}
        for level, label, member in sorted(listed, key=lambda each: each[:2]):
            labels[level].add(label)
            if member is None:
                empty.setdefault(level, []).append(label)
            else:
                parents.setdefault((level, member), []).append(label)
        for level, without in empty.items():
            yield HierarchyFault(
                "error",
                f"lists no members for {examples(without)} on level {level}; write them as LABEL: [MEMBERS], or use kind intervals for numbers",
                level=level,
                value=without[0],
            )
        orphans = {
            (level, label) for level in range(self.height) for label in labels[level] if (level + 1, label) not in parents
        }
        condition = f"label in ({', '.join(literal(label) for _, label in sorted(orphans))})"
        counted = queried(engine, "label_rows", column, levels=range(self.height), condition=condition) if orphans else []
        rows_of = dict.fromkeys(orphans, 0) | {
            (level, label): rows for level, label, rows in counted if (level, label) in orphans
        }
        yield from (
            HierarchyFault(
                "error",
                f"has no parent on level {level + 1} for {quoted(label)} of level {level}{and_rows(rows)}; put it into a group of that level",
                level=level,
                value=label,
                rows=rows,
            )
            for (level, label), rows in sorted(rows_of.items(), key=lambda each: (each[0][0], -each[1], each[0][1]))
            if level + 1 not in empty
        )
        for level, label, member in sorted(each for each in listed if each.level and each.member is not None):
            if member in labels[level - 1]:
                continue
            near = respelled(str(member), sorted(labels[level - 1]))
            rows = rows_of.get((level - 1, near or ""))
            below = next((lower for lower in range(level) if member in labels[lower]), None)
            if below is not None:
                message = f"skips a level: {quoted(member)} in {quoted(label)} on level {level} is a label of level {below}, not of level {level - 1}"
            else:
                message = f"puts {quoted(member)} into {quoted(label)} on level {level}, but level {level - 1} has no such label{suggested(near, rows)}"
            yield HierarchyFault("error", message, level=level, value=member, rows=rows, nearest=near)
        for (level, member), several in sorted(parents.items()):
            if len(several) == 1:
                continue
            message = f"gives {quoted(member)} of level {level - 1} two parents, {quoted(min(several))} and {quoted(max(several))}; keep one"
            if level == 0 or min(several) == max(several):
                message = f"lists {quoted(member)} {len(several)} times on level {level}; keep one"
            yield HierarchyFault("error", message, level=level, value=member)


def _groups(level: dict[str, list[str]] | list[str] | list[str | None]) -> dict[str, list[str]]:
    return level if isinstance(level, dict) else {str(label): [] for label in level}

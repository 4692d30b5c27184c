"""Strict multidimensional Mondrian in plain Python: one recursion that cuts the widest attribute while every side satisfies the requirements."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from tests.support.oracles.full_domain import Hierarchy

Rows = Sequence[int]
"""A partition: the numbers of its rows."""


class Attribute(Protocol):
    """A quasi-identifier over the whole table."""

    def can_be_cut(self, rows: Rows) -> bool: ...
    def width(self, rows: Rows) -> Fraction: ...
    def ways(self, rows: Rows, only_le: bool) -> Iterator[list[Rows]]: ...
    def label(self, rows: Rows) -> str | None: ...
    def loss(self, rows: Rows) -> Fraction: ...
    def leaf_loss(self, rows: Rows) -> Fraction: ...


@dataclass(frozen=True)
class Ordered:
    """Cut into ranges of its places; a value without a place has no order."""

    values: Sequence[Any]
    places: Mapping[Any, Fraction]
    text: Callable[[Any], str | None]
    masked: bool = False
    """Whether NULL reads `*`."""
    shows_extremes: bool = False

    @property
    def leaves(self) -> set[Any]:
        return {value for value in self.values if value is not None}

    @cached_property
    def ends(self) -> tuple[Fraction, Fraction]:
        return self._ends(range(len(self.values)))

    @cached_property
    def span(self) -> Fraction:
        return self.ends[1] - self.ends[0]

    def can_be_cut(self, rows: Rows) -> bool:
        return len(self._distinct(rows)) > 1 and bool(self._split(rows)[0])

    def width(self, rows: Rows) -> Fraction:
        if all(self._split(rows)):
            return Fraction(1)
        low, high = self._ends(rows)
        return (high - low) / self.span

    def ways(self, rows: Rows, only_le: bool) -> Iterator[list[Rows]]:
        placed, others = self._split(rows)
        if others:
            yield [placed, others]
        places = sorted(self.places[self.values[row]] for row in placed)
        middle = places[(len(places) - 1) // 2]
        for limit in [middle] if only_le else [middle, max((place for place in places if place < middle), default=None)]:
            if limit is not None:
                below = [row for row in placed if self.places[self.values[row]] <= limit]
                yield [below, [row for row in rows if row not in below]]

    def label(self, rows: Rows) -> str | None:
        distinct = self._distinct(rows)
        if len(distinct) == 1:
            [value] = distinct
            return "*" if self._is_masked(rows) else self.text(value)
        if self._split(rows)[1]:
            return "*"
        low, high = (self.text(end(distinct, key=self.places.__getitem__)) for end in (min, max))
        at_low, at_high = (mine == end for mine, end in zip(self._ends(rows), self.ends, strict=True))
        if self.shows_extremes or not (at_low or at_high):
            return f"[{low}, {high}]"
        return "*" if at_low and at_high else f"<= {high}" if at_low else f">= {low}"

    def loss(self, rows: Rows) -> Fraction:
        if self._split(rows)[1]:
            return Fraction(len(self._distinct(rows)) > 1 or (self._is_masked(rows) and len(self.leaves) > 1))
        low, high = self._ends(rows)
        return (high - low) / self.span if self.span else Fraction(0)

    def leaf_loss(self, rows: Rows) -> Fraction:
        if self._split(rows)[1]:
            return self.loss(rows)
        low, high = self._ends(rows)
        under = sum(low <= self.places[leaf] <= high for leaf in self.leaves if leaf in self.places)
        return Fraction(under - 1, max(1, len(self.leaves) - 1))

    def _distinct(self, rows: Rows) -> set[Any]:
        return {self.values[row] for row in rows}

    def _is_masked(self, rows: Rows) -> bool:
        return self.masked and self.values[rows[0]] is None

    def _split(self, rows: Rows) -> tuple[list[int], list[int]]:
        placed = [row for row in rows if self.values[row] in self.places]
        return placed, [row for row in rows if self.values[row] not in self.places]

    def _ends(self, rows: Rows) -> tuple[Fraction, Fraction]:
        places = [self.places[self.values[row]] for row in rows if self.values[row] in self.places]
        return min(places, default=Fraction(0)), max(places, default=Fraction(0))


@dataclass(frozen=True)
class Categorical:
    """Cut into the labels one level below the lowest one that all its values share."""

    values: Sequence[Any]
    lines: Hierarchy
    """Of every value; NULL has a line although it is no leaf unless it is listed."""
    leaves: Collection[Any]
    masked: bool = False
    """Whether NULL reads `*`."""

    def can_be_cut(self, rows: Rows) -> bool:
        return len({self.values[row] for row in rows}) > 1

    def width(self, rows: Rows) -> Fraction:
        level = self._level(rows)
        under = sum(self.lines[leaf][level] == self.label(rows) for leaf in self.leaves)
        return Fraction(max(0, under - 1), max(1, len(self.leaves) - 1))

    def ways(self, rows: Rows, only_le: bool) -> Iterator[list[Rows]]:  # noqa: ARG002
        level = self._level(rows) - 1
        children: dict[str, list[int]] = {}
        for row in rows:
            children.setdefault(self.lines[self.values[row]][level], []).append(row)
        yield list(children.values())

    def label(self, rows: Rows) -> str | None:
        label: str | None = self.lines[self.values[rows[0]]][self._level(rows)]
        return label

    def loss(self, rows: Rows) -> Fraction:
        if self.masked and self.values[rows[0]] is None:
            return Fraction(len(self.leaves) > 1)
        return self.width(rows)

    def leaf_loss(self, rows: Rows) -> Fraction:
        return self.loss(rows)

    def _level(self, rows: Rows) -> int:
        lines = [self.lines[self.values[row]] for row in rows]
        return next(level for level in range(len(lines[0])) if len({line[level] for line in lines}) == 1)


def partitions(
    attributes: Sequence[Attribute],
    rows: Rows,
    holds: Callable[[Rows], bool],
    *,
    only_le: bool = False,
    weights: Sequence[int] = (),
) -> list[Rows]:
    """The final partitions of rows that hold as a whole; of attributes as wide as each other the first declared is tried first."""
    weighted = zip(attributes, weights or [1] * len(attributes), strict=True)
    candidates = [(weight * attribute.width(rows), attribute) for attribute, weight in weighted if attribute.can_be_cut(rows)]
    for _, attribute in sorted(candidates, key=lambda candidate: candidate[0], reverse=True):
        for sides in attribute.ways(rows, only_le):
            if sum(map(bool, sides)) > 1 and all(holds(side) for side in sides if side):
                return [
                    leaf
                    for side in sides
                    if side
                    for leaf in partitions(attributes, side, holds, only_le=only_le, weights=weights)
                ]
    return [rows]

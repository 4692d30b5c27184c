"""Strict multidimensional Mondrian in plain Python: recursions that cut while every side satisfies the requirements, by width or by gain."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
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
    def offers(self, rows: Rows) -> Iterator["Offer"]: ...


@dataclass(frozen=True)
class Offer:
    """A cut, and what it saves of the attribute's loss, summed over the rows."""

    sides: Sequence[Rows]
    saved: Fraction
    tie: Any
    """What decides between offers that save the same and whose smallest sides are as large."""

    @property
    def smallest(self) -> int:
        return min(map(len, self.sides))

    @property
    def bits(self) -> float:
        """The information of the cut: the entropy of the side of a row."""
        shares = [len(side) / sum(map(len, self.sides)) for side in self.sides]
        return -sum(share * math.log2(share) for share in shares)


def place(value: Any) -> Fraction:
    """Where a number, a date or a moment is in its order."""
    if isinstance(value, datetime):
        return Fraction((value - datetime(1970, 1, 1)) // timedelta(microseconds=1))
    return Fraction(value.toordinal() if isinstance(value, date) else value)


def rounded(low: Any, high: Any) -> tuple[Any, Any]:
    """The ends of a range, rounded outwards to 1, 2 or 5 times a power of ten, or to a unit of the calendar, of at most 1/20 of its width."""
    if isinstance(low, date):
        return _on_calendar(low, high)
    places = -int(low.as_tuple().exponent) if isinstance(low, Decimal) else 0
    if isinstance(low, float):
        digit, tens = _step((high - low) / 20)
        times, per = digit * max(tens, 1), max(round(1 / tens), 1)
        return math.floor(low * per / times) * times / per, math.ceil(high * per / times) * times / per
    first, last = int(low * 10**places), int(high * 10**places)
    raw = (float(last) - float(first)) / 20
    step = math.prod(map(int, _step(raw))) if raw >= 1 else 1
    ends = first // step * step, -(-last // step) * step
    return tuple(Decimal(end).scaleb(-places) for end in ends) if places else ends  # type: ignore[return-value]


def _step(raw: float) -> tuple[int, float]:
    """The largest step up to a number: its digit and its power of ten."""
    tens = 10.0 ** math.floor(math.log10(raw))
    return next(digit for digit in (5, 2, 1) if raw >= digit * tens or digit == 1), tens


def _short(text: str | None, end: Any) -> str | None:
    """The text of a rounded end, without the zero behind its point, and without the seconds of a whole minute."""
    ending = ".0" if isinstance(end, float) else ":00" if isinstance(end, datetime) else ""
    return text and text.removesuffix(ending)


UNITS = {"year": 7305, "month": 609, "week": 140}
"""Units of the calendar, and the days of the narrowest range that is rounded to them."""
FINER = {"day": 20 * 86400, "hour": 20 * 3600, "minute": 20 * 60, "second": 20}
"""The same of moments, in seconds."""


def _on_calendar(low: Any, high: Any) -> tuple[Any, Any]:
    is_day, width = not isinstance(low, datetime), high - low
    least = {unit: timedelta(days) for unit, days in UNITS.items()}
    least |= {} if is_day else {unit: timedelta(seconds=seconds) for unit, seconds in FINER.items()}
    unit = next((unit for unit, narrowest in least.items() if width >= narrowest), None)
    if unit is None:
        return low, high
    start = _start(high, unit)
    following = _start(start + timedelta(days={"year": 370, "month": 31, "week": 7}.get(unit, 0)), unit)
    if unit in FINER:
        following = start + timedelta(**{f"{unit}s": 1})
    return _start(low, unit), following - timedelta(days=1) if is_day else high if start == high else following


def _start(value: Any, unit: str) -> Any:
    if unit in UNITS and isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    match unit:
        case "year":
            return value.replace(month=1, day=1)
        case "month":
            return value.replace(day=1)
        case "week":
            return value - timedelta(days=value.weekday())
        case _:
            names = ["hour", "minute", "second", "microsecond"]
            return value.replace(**dict.fromkeys(names[["day", "hour", "minute", "second"].index(unit) :], 0))


@dataclass(frozen=True)
class Ordered:
    """Cut into ranges of its places; a value without a place has no order."""

    values: Sequence[Any]
    places: Mapping[Any, Fraction]
    text: Callable[[Any], str | None]
    masked: bool = False
    """Whether NULL reads `*`."""
    shows_extremes: bool = False
    is_rounded: bool = False
    """Whether the ends of ranges are rounded; a range covers all values between its ends."""

    @property
    def leaves(self) -> set[Any]:
        """The values, NULL too; masked, it is a leaf only beside a single value."""
        known = {value for value in self.values if value is not None}
        return known if self.masked and len(known) != 1 else set(self.values)

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

    def offers(self, rows: Rows) -> Iterator[Offer]:
        exact, (placed, others) = replace(self, is_rounded=False), self._split(rows)
        places = sorted({self.places[self.values[row]] for row in placed})
        for place in places if others else places[:-1]:
            below = [row for row in placed if self.places[self.values[row]] <= place]
            sides = below, [row for row in rows if row not in below]
            saved = len(rows) * exact.leaf_loss(rows) - sum(len(side) * exact.leaf_loss(side) for side in sides)
            yield Offer(sides, saved, place)

    def label(self, rows: Rows) -> str | None:
        distinct = self._distinct(rows)
        if len(distinct) == 1:
            [value] = distinct
            return "*" if self._is_masked(rows) else self.text(value)
        if self._split(rows)[1]:
            return "*"
        covered, ends = self._covered(rows)
        low, high = (_short(self.text(end), end) if self.is_rounded else self.text(end) for end in ends)
        at_low, at_high = (mine == end for mine, end in zip(covered, self.ends, strict=True))
        if self.shows_extremes or not (at_low or at_high):
            return f"[{low}, {high}]"
        return "*" if at_low and at_high else f"<= {high}" if at_low else f">= {low}"

    def loss(self, rows: Rows) -> Fraction:
        if self._split(rows)[1]:
            return Fraction(len(self._distinct(rows)) > 1 or (self._is_masked(rows) and len(self.leaves) > 1))
        covered, ends = self._covered(rows)
        low, high = covered if ends[0] in self.places and ends[1] in self.places else map(place, ends)
        return min((high - low) / self.span, Fraction(1)) if self.span else Fraction(0)

    def leaf_loss(self, rows: Rows) -> Fraction:
        if self._split(rows)[1]:
            return self.loss(rows)
        if len(self._distinct(rows)) > 1 and self.label(rows) == "*":
            return Fraction(1)
        (low, high), _ = self._covered(rows)
        under = sum(low <= self.places[leaf] <= high for leaf in self.leaves if leaf in self.places)
        return Fraction(under - 1, max(1, len(self.leaves) - 1))

    def _covered(self, rows: Rows) -> tuple[tuple[Fraction, Fraction], tuple[Any, Any]]:
        """The least and the greatest place that a range covers, and the ends that its label shows."""
        distinct = self._distinct(rows)
        low, high = (end(distinct, key=self.places.__getitem__) for end in (min, max))
        if not self.is_rounded or len(distinct) == 1:
            return (self.places[low], self.places[high]), (low, high)
        ends = rounded(low, high)
        inside = [own for own in self.places.values() if place(ends[0]) <= own <= place(ends[1])]
        return (min(inside), max(inside)), ends

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
    """Of every value, NULL too."""
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

    def offers(self, rows: Rows) -> Iterator[Offer]:
        level, [branches] = self._level(rows), self.ways(rows, False)
        losses = [self._loss_under(branch, level - 1) for branch in branches]
        saved = [len(branch) * (self.loss(rows) - loss) for branch, loss in zip(branches, losses, strict=True)]
        yield Offer(branches, sum(saved, Fraction(0)), (True, "", True))
        for branch, own in zip(branches, saved, strict=True):
            label = self.lines[self.values[branch[0]]][level - 1]
            if len(branches) > 2:
                yield Offer((branch, [row for row in rows if row not in branch]), own, (label is None, label or "", False))

    def _loss_under(self, rows: Rows, level: int) -> Fraction:
        """Of the label of a level, which may cover more than the rows need."""
        label = self.lines[self.values[rows[0]]][level]
        if self.masked and self.values[rows[0]] is None:
            return Fraction(len(self.leaves) > 1)
        under = sum(self.lines[leaf][level] == label for leaf in self.leaves)
        return Fraction(max(0, under - 1), max(1, len(self.leaves) - 1))

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


def partitions_by_gain(
    attributes: Sequence[Attribute],
    rows: Rows,
    holds: Callable[[Rows], bool],
    weights: Sequence[int],
    *,
    least: int,
    judges_more: bool,
) -> list[Rows]:
    """The final partitions, where each attribute offers the cut that saves most for its information, also of those with sides of at least 2, 4, 8 or 16 times the least rows if it `judges_more` than rows."""
    offered: list[tuple[float, int, list[Offer]]] = []
    for number, (attribute, weight) in enumerate(zip(attributes, weights, strict=True)):
        offers = [offer for offer in attribute.offers(rows) if offer.smallest >= least] if attribute.can_be_cut(rows) else []
        if offers:
            gains = {id(offer): round(float(weight * offer.saved) / offer.bits, 9) for offer in offers}
            offers.sort(key=lambda offer: (-gains[id(offer)], -offer.smallest, offer.tie))
            large = [
                [offer for offer in offers if offer.smallest >= least * 2**doubling]
                for doubling in range(5 if judges_more else 1)
            ]
            offered.append((-gains[id(offers[0])], number, [some[0] for some in large if some]))
    before = _loss_of_sides(attributes, [rows], weights)
    possible = [
        (-round(float(before - _loss_of_sides(attributes, offer.sides, weights)) / offer.bits, 9), rank, variant, offer.sides)
        for rank, (_, _, offers) in enumerate(sorted(offered, key=lambda offer: offer[:2]))
        for variant, offer in enumerate(offers)
        if all(map(holds, offer.sides))
    ]
    if not possible:
        return [rows]
    _, _, _, sides = min(possible, key=lambda way: way[:3])
    return [
        leaf
        for side in sides
        for leaf in partitions_by_gain(attributes, side, holds, weights, least=least, judges_more=judges_more)
    ]


def _loss_of_sides(attributes: Sequence[Attribute], sides: Sequence[Rows], weights: Sequence[int]) -> Fraction:
    exact = [replace(attribute, is_rounded=False) if isinstance(attribute, Ordered) else attribute for attribute in attributes]
    return sum(
        (
            len(side) * weight * attribute.leaf_loss(side)
            for side in sides
            for attribute, weight in zip(exact, weights, strict=True)
        ),
        Fraction(0),
    )

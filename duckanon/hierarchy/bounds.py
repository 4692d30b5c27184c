"""Bounds of intervals: exact numbers, dates and timestamps, the range in which a rule applies; and intervals in whole steps, with their SQL."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, model_validator

from duckanon.engine.protocol import Column
from duckanon.engine.templates import literal
from duckanon.hierarchy.base import HierarchyModel
from duckanon.hierarchy.grouping import Cycle, LabelFunction, common_prefix_sql

Bound = Decimal | date | datetime

_PLACES = 9
_LARGEST = Decimal(2**62)
_NOTHING = ("", "~", "null")


def parse(value: Any) -> Bound:
    """Parse a number, a date or a timestamp.

    Raises `ValueError` if the value is none of these, is not finite, or is too large or too precise.
    """
    if isinstance(value, date):
        bound: Bound = value
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        bound = _number(str(value))
    else:
        bound = _parsed(str(value).strip())
    if isinstance(bound, datetime) and bound.tzinfo is not None:
        raise ValueError(f"{value} has a time zone; write the bound without one, as the column prints it")
    return bound


def _parsed(text: str) -> Bound:
    try:
        return _number(text)
    except InvalidOperation:
        pass
    for read in (date.fromisoformat, datetime.fromisoformat):
        try:
            return read(text)
        except ValueError:
            continue
    raise ValueError(f"{text!r} is neither a number nor a date (2020-01-31) nor a timestamp (2020-01-31 23:59:00)")


def _number(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(f"{text} is not a bound; leave an open end out, or write null")
    if (
        number.adjusted() > len(str(_LARGEST))
        or abs(number) > _LARGEST
        or -int(number.normalize().as_tuple().exponent) > _PLACES
    ):
        raise ValueError(f"{text} is larger than 2^62 or has more than {_PLACES} decimal places")
    return number


def _perhaps(value: Any) -> Any:
    return None if value is None or (isinstance(value, str) and value.strip() in _NOTHING) else parse(value)


ExactBound = Annotated[Any, BeforeValidator(parse)]
Ends = tuple[Annotated[Any, BeforeValidator(_perhaps)], Annotated[Any, BeforeValidator(_perhaps)]]
"""From (included) and to (excluded); None for an open end."""


class IntervalRange(HierarchyModel):
    """The range in which a rule applies: values outside `label` have no label; values outside `snap` are bottom- or top-coded.

    A value between `snap` and `repeat` joins the first or last interval, which extends to the end of `snap`.
    An omitted end of `repeat` is that of `snap`, and an omitted end of `snap` is that of `label`. An omitted end of `label` is open.
    """

    label: Ends | None = None
    """The range in which values have labels."""
    snap: Ends | None = None
    """The range in which values are not bottom- or top-coded."""
    repeat: Ends | None = None
    """The range in which the sequence of intervals repeats."""

    @model_validator(mode="after")
    def _within(self) -> "IntervalRange":
        check_same(self.bounds)
        for name in ("label", "snap", "repeat"):
            low, high = getattr(self, name) or (None, None)
            if low is not None and high is not None and low >= high:
                raise ValueError(f"{name} from {low} to {high} is empty; write the lower end first")
        for outer, inner in ((self.label, self.snap), (self.snap, self.repeat), (self.label, self.repeat)):
            if outer is not None and inner is not None and not _covers(outer, inner):
                raise ValueError("repeat must be within snap, and snap within label")
        return self

    @property
    def ends(self) -> tuple[Ends, Ends, Ends]:
        """Label, snap and repeat with every omitted end filled in."""
        label = self.label or (None, None)
        snap = _filled(self.snap, label)
        return label, snap, _filled(self.repeat, snap)

    @property
    def bounds(self) -> list[Bound]:
        """All ends that are given."""
        return [end for ends in (self.label, self.snap, self.repeat) if ends is not None for end in ends if end is not None]


def _covers(outer: Ends, inner: Ends) -> bool:
    (low, high), (inner_low, inner_high) = outer, inner
    return (low is None or inner_low is None or inner_low >= low) and (high is None or inner_high is None or inner_high <= high)


def _filled(ends: Ends | None, wider: Ends) -> Ends:
    low, high = ends or (None, None)
    return (wider[0] if low is None else low, wider[1] if high is None else high)


def check_same(bounds: list[Bound]) -> None:
    """Raise `ValueError` if the bounds mix numbers, dates and timestamps."""
    if len({type(bound) for bound in bounds}) > 1:
        raise ValueError(f"bounds have different types: {', '.join(str(bound) for bound in bounds[:4])}; write all of one type")


_BEYOND = {"number": 10**37, "decimal": 10**27, "day": 10**9, "microsecond": 4 * 10**18}


class Scale:
    """The steps in which bounds are counted as whole numbers: powers of ten, days, or microseconds."""

    def __init__(self, bounds: list[Bound]) -> None:
        check_same(bounds)
        numbers = [bound for bound in bounds if isinstance(bound, Decimal)]
        self.places = max((-int(number.normalize().as_tuple().exponent) for number in numbers), default=0)
        self.places = max(0, self.places)
        self.unit = "number"
        if bounds and not numbers:
            self.unit = "microsecond" if isinstance(bounds[0], datetime) else "day"

    @property
    def beyond(self) -> int:
        """The number of steps, on either side of 0, beyond which computation is not possible."""
        return _BEYOND["decimal" if self.places else self.unit]

    def step(self, bound: Bound) -> int:
        """A bound in steps from 0, from 1970-01-01, or from the first microsecond of that day."""
        if isinstance(bound, Decimal):
            return int(bound.scaleb(self.places))
        if isinstance(bound, datetime):
            return (bound.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
        return (bound - date(1970, 1, 1)).days

    def shown(self, step: int) -> str:
        """A number of steps, written as a bound."""
        if self.unit == "day":
            return str(date(1970, 1, 1) + timedelta(days=step))
        if self.unit == "microsecond":
            return str(datetime(1970, 1, 1, tzinfo=UTC).replace(tzinfo=None) + timedelta(microseconds=step))
        text = f"{Decimal(step).scaleb(-self.places):f}"
        whole, point, decimals = text.partition(".")
        return f"{whole}.{decimals.rstrip('0') or '0'}" if point else whole


_BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}


@dataclass(frozen=True)
class ValueGrid:
    """The values to which the ends of ranges of a column are rounded: `sql/release/rounded.jinja`."""

    kind: Literal["whole", "decimal", "real", "day", "moment"]
    type: str
    places: int = 0
    """Decimal places, if the kind is `decimal`."""
    least: int = 0
    """The least value of the type, in units of the last place, if the kind is `whole` or `decimal`."""
    most: int = 0


def grid_of(column: Column) -> ValueGrid | None:
    """The grid of a column of numbers or dates; None for other columns."""
    if column.is_whole:
        name = column.type.removeprefix("U")
        bits = min(_BITS[name] - (name == column.type), 127)
        return ValueGrid("whole", column.type, 0, (bits == 127) - 2**bits if name == column.type else 0, 2**bits - 1)
    if column.type.startswith("DECIMAL"):
        width, places = map(int, column.type[8:-1].split(","))
        return ValueGrid("decimal" if places else "whole", column.type, places, 1 - 10**width, 10**width - 1)
    if column.is_floating or column.holds_numbers:
        return ValueGrid("real", column.type if column.is_floating else "DOUBLE")
    return ValueGrid("day" if column.type == "DATE" else "moment", column.type) if column.is_date else None


Steps = tuple[int | None, int | None]
"""From (included) and to (excluded), in steps; None for an open end."""


@dataclass(frozen=True)
class Grid:
    """Intervals in whole steps of a scale: the start of the sequence, one cycle per level, and the range."""

    scale: Scale
    begin: int
    cycles: tuple[Cycle, ...]
    label: Steps
    snap: Steps
    repeat: Steps

    def parts(self, level: int) -> tuple[int | None, int | None]:
        """The numbers of the first and the last part of a level within the range; None for an open end."""
        return self._part(level, self.repeat[0]), self._part(level, None if self.repeat[1] is None else self.repeat[1] - 1)

    @property
    def beyond(self) -> int:
        """The number of steps, on either side of 0, beyond which computation is not possible."""
        return self.scale.beyond

    @property
    def is_closed(self) -> bool:
        """Whether a label shows the last value of an interval instead of its upper end."""
        names = [name for cycle in self.cycles for name in cycle.names]
        return any(isinstance(name, LabelFunction) and name.name == "bounds" for name in names)

    @property
    def coded(self) -> tuple[str | None, str | None]:
        """The labels of values below and above `snap`; None if there are no such values."""
        low, high = self.snap
        return (
            None if low is None or low == self.label[0] else f"<{self.scale.shown(low)}",
            None if high is None or high == self.label[1] else f">={self.scale.shown(high)}",
        )

    def _part(self, level: int, step: int | None) -> int | None:
        if step is None:
            return None
        position = step - self.begin
        for cycle in self.cycles[:level]:
            position = cycle.part_at(position)
        return position


@dataclass(frozen=True)
class GridSql:
    """The SQL of the parts of a grid: `sql/hierarchy/kinds/intervals.sql`."""

    grid: Grid
    top: str
    is_closed: bool
    """Whether labels show the last step of an interval instead of its end."""
    numbers_labels: bool
    """Whether a label that is given to several parts is numbered."""
    beyond: int | None
    """The largest step that is computed, if the type of the column has larger ones."""

    @property
    def coded(self) -> str | None:
        """The label of a value outside `snap`; NULL within it."""
        (below, above), (low, high) = self.grid.coded, self.grid.snap
        whens = [] if below is None else [f"when step < {low} then {literal(below)}"]
        whens += [] if above is None else [f"when step >= {high} then {literal(above)}"]
        return f"case {' '.join(whens)} end" if whens else None

    @property
    def inside(self) -> str:
        """The step, or the nearest one in the range in which the sequence repeats."""
        low, high = self.grid.repeat
        step = "step" if low is None else f"greatest(step, {low})"
        return step if high is None else f"least({step}, {high - 1})"

    @property
    def position(self) -> str:
        """The step within the sequence, from the start of its first part."""
        return f"{self.inside} - {self.grid.begin}" if self.grid.begin else self.inside

    @property
    def conditions(self) -> list[str]:
        """What the step of a covered value satisfies."""
        low, high = self.grid.label
        conditions = ["step is not null"]
        conditions += [f"{self.inside} between {-self.beyond} and {self.beyond}"] if self.beyond is not None else []
        conditions += [f"step >= {low}"] if low is not None else []
        return [*conditions, f"step < {high}"] if high is not None else conditions

    @property
    def bounds(self) -> Iterator[tuple[str, str, list[str]]]:
        """Relations from the coarsest cycle to the finest: name, source, and the bounds of parts in steps of the cycle below."""
        height = len(self.grid.cycles)
        source = f"parts_{height}"
        for inner in range(height, 0, -1):
            cycle, columns = self.grid.cycles[inner - 1], []
            for level in range(inner, height + 1):
                low, high = (f"part_{level}", f"(part_{level} + 1)") if level == inner else (f"low_{level}", f"high_{level}")
                columns += [f"{cycle.start_sql(low)} as low_{level}", f"{cycle.start_sql(high)} as high_{level}"]
            kept = ["text", "coded", *(f"part_{level}" for level in range(1, height + 1))]
            yield f"starts_{inner}", source, [*kept, *columns]
            source = f"starts_{inner}"

    @property
    def texts(self) -> list[str]:
        """The bounds of each level as text, if its labels show them."""
        texts = []
        for level, cycle in enumerate(self.grid.cycles, start=1):
            if cycle.needs_bounds:
                low, high = self._end(level, "low", 0), self._end(level, "high", 1)
                texts += [f"{self._shown(low)} as low_text_{level}", f"{self._shown(high)} as high_text_{level}"]
                texts += [f"{self._shown(f'{high} - 1')} as last_text_{level}"] if self.is_closed else []
        return texts

    @property
    def labels(self) -> list[str]:
        """The label of a value on each level from 1."""
        return [self._label(level, cycle) for level, cycle in enumerate(self.grid.cycles, start=1)]

    @property
    def groups(self) -> list[str]:
        """The number of the part that contains a value, on each level from 1."""
        numbers = [f"part_{level}" for level in range(1, len(self.grid.cycles) + 1)]
        return numbers if self.coded is None else [f"coalesce(coded, cast({number} as varchar))" for number in numbers]

    def _shown(self, step: str) -> str:
        """A step of the scale as text: a date, a timestamp or a number."""
        unit, places = self.grid.scale.unit, self.grid.scale.places
        if unit == "day":
            return f"cast(date '1970-01-01' + cast({step} as integer) as varchar)"
        if unit == "microsecond":
            return f"cast(make_timestamp(cast({step} as bigint)) as varchar)"
        if places:
            number = f"cast(cast({step} as decimal(28, 0)) * 0.{1:0{places}d} as varchar)"
            return rf"regexp_replace({number}, '(\.\d+?)0+$', '\1')"
        return f"cast({step} as varchar)"

    def _end(self, level: int, end: str, which: int) -> str:
        """An end of the interval on a level; the first and the last interval end at the ends of the range."""
        begin, last, clip = self.grid.begin, self.grid.parts(level)[which], self.grid.snap[which]
        position = f"{end}_{level} + {begin}" if begin else f"{end}_{level}"
        return position if last is None or clip is None else f"case when part_{level} = {last} then {clip} else {position} end"

    def _label(self, level: int, cycle: Cycle) -> str:
        part = f"part_{level}"
        whens = [] if self.coded is None else ["when coded is not null then coded"]
        named = [place for place, name in enumerate(cycle.names[:-1]) if isinstance(name, str)]
        named += [cycle.size - 1] if cycle.size > 1 and isinstance(cycle.names[-1], str) else []
        made = [place for place, name in enumerate(cycle.names[:-1]) if not isinstance(name, str) and name != cycle.names[-1]]
        whens += [f"when {cycle.place_sql(part)} = {place} then {self._named(level, cycle, place)}" for place in named]
        if cycle.needs_bounds:
            (first, last), snap = self.grid.parts(level), self.grid.snap
            is_open = (first is not None and snap[0] is None, last is not None and snap[1] is None)
            whens += [f"when {part} = {first} then {literal(self.top)}"] if all(is_open) and first == last else []
            below, above = (f"'<= ' || last_text_{level}", "'>= '") if self.is_closed else (f"'<' || high_text_{level}", "'>='")
            whens += [f"when {part} = {first} then {below}"] if is_open[0] else []
            whens += [f"when {part} = {last} then {above} || low_text_{level}"] if is_open[1] else []
        whens += [f"when {cycle.place_sql(part)} = {place} then {self._named(level, cycle, place)}" for place in made]
        rest = self._named(level, cycle, cycle.size - 1)
        return f"case {' '.join(whens)} else {rest} end" if whens else rest

    def _named(self, level: int, cycle: Cycle, place: int) -> str:
        """The label of the part at an index of its cycle: a given text, or built from its ends."""
        name, low, high = cycle.names[place], f"low_text_{level}", f"high_text_{level}"
        if isinstance(name, str):
            first = self.grid.parts(level)[0]
            is_numbered = self.numbers_labels and first is not None
            return cycle.numbered_sql(name, place, f"part_{level}", first or 0) if is_numbered else literal(name)
        match name.name:
            case "set":
                return f"'{{' || {low} || ', ' || {high} || '}}'"
            case "prefix":
                return f"left({low}, {name.length}) || '-' || left({high}, {name.length})"
            case "common-prefix":
                return common_prefix_sql(low, high, f"greatest(length({low}), length({high}))", name.fill)
            case "bounds" if self.is_closed:
                return f"'[' || {low} || ', ' || last_text_{level} || ']'"
        return f"'[' || {low} || ', ' || {high} || ')'"

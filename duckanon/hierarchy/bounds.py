"""Bounds of intervals: exact numbers, dates and timestamps, and the range in which a rule applies."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, model_validator

from duckanon.engine.protocol import Column
from duckanon.hierarchy.base import HierarchyModel

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

"""Choose the kind of hierarchy that fits a column by its values, and check that it has no faults."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, pairwise
from math import ceil, floor
from typing import Any, Literal, TypeVar

from duckanon.dataset.column_names import is_code
from duckanon.dataset.dates import LOOKS_LIKE_DATE
from duckanon.dataset.missing import FOLDED_MISSING_TOKENS
from duckanon.dataset.types import AMOUNT
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import HierarchyError
from duckanon.formatting import percent
from duckanon.hierarchy.base import Spec, exact_to_plain
from duckanon.hierarchy.checks import errors
from duckanon.hierarchy.lookup import CountedValues, counted_values, create_lookup, drop_lookup
from duckanon.hierarchy.spec import checked

MARK = "suggested by duckanon"
"""The first words of the `source` of a suggested hierarchy."""

Candidate = tuple[dict[str, Any], str]
"""A hierarchy as the content of a file, and the reason for it."""
Reading = Literal["number", "date", "week", "year-last", "code", "text"]
Level = TypeVar("Level")

_FEW_VALUES = 2
_LONGEST_CODE = 24
_LONGEST_NUMBER = 8
"""The digits of the longest number that is cut by its first digits, as a postal code; longer ones are numbers of persons or things."""
_LEAST_PREFIX = 5
"""Of a code that begins with a digit, at least every fifth character is shown: 06****** of a county, not 0*******."""
_SHARES = ("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2")
_LEVELS = 3
_MOST_LEVELS = 5
_FEWER = 1.5
"""The factor by which a level must have fewer groups than the one below."""
_UNITS = ("minute", "hour", "day", "month", "quarter", "year", "decade", "century")
_INTERVALS = 16
_LEAST_ROWS = 10
"""Minimum average number of rows per interval."""
_SLACK = 0.3
"""The maximum distance of a cut from its quantile, as a share of an interval."""
_SMALLEST = -9
"""The power of ten of the finest step."""
_GREATEST = Decimal(2) ** 61
_YEAR_LAST = {
    "kind": "redaction",
    "length": len("31.12.2020"),
    "align": "right",
    "redact": "left",
    "character": "",
    "pad": " ",
    "steps": [3, 6],
}
"""Hides first the day, or whatever comes first, and then the month."""


@dataclass(frozen=True)
class Suggestion:
    """A hierarchy as the content of a file, marked as suggested, and the reason for it."""

    content: dict[str, Any]
    reason: str

    @property
    def height(self) -> int:
        """The approximate number of levels above the values."""
        listed = next((self.content[key] for key in ("groups", "units", "steps", "below") if key in self.content), ())
        return len(listed) + (2 if "intervals" in self.content else 1)


@dataclass(frozen=True)
class Shape:
    """The numbers of values that can be read as each type, and the longest value."""

    values: int
    numbers: int
    missing_tokens: int
    """Marks of missing values."""
    dates: int
    weeks: int
    """Dates that are weeks, as 2020-W53."""
    years_last: int
    """Dates as 31.12.2020 or 12/31/2020."""
    dated: int
    """Values that look like dates or amounts: their first characters are no groups."""
    codes: int
    """Values of letters, digits and a few other characters, with at least one digit and at most one blank."""
    begin_with_digit: int
    digits: int
    """Values of digits only."""
    longest: int


def suggest(engine: Engine, column: Column) -> Suggestion:
    """A hierarchy for a column whose `values_<column>` exists, which covers all of its values without a fault.

    Numbers are cut at round numbers near the quantiles, dates by units of the calendar, codes by their prefixes. For other
    values, the rare ones share a label. If none of these applies, the hierarchy has the values and one label above them.
    """
    flat = {"kind": "flat"}, "no rule groups its values"
    for content, reason in chain(filter(None, _candidates(engine, column)), [flat]):
        marked = {**content, "source": f"{MARK}: {reason}"}
        if content["kind"] == "flat" or _is_valid(engine, column, marked):
            break
    return Suggestion(marked, reason)


def is_suggested(spec: Spec) -> bool:
    """Whether duckanon has suggested a hierarchy, in this run or in the one that wrote the job file."""
    return (spec.source or "").startswith(MARK)


def _candidates(engine: Engine, column: Column) -> Iterator[Candidate | None]:
    """The candidate hierarchies, the best first; None for a kind that does not group the values."""
    counts = counted_values(engine, column)
    if counts.values <= _FEW_VALUES or column.type == "BOOLEAN":
        many = {0: "no value", 1: "one value"}.get(counts.values, f"{counts.values} values")
        yield {"kind": "flat"}, f"it has {many}, so no level between is useful"
        return
    if column.is_date:
        yield _calendar(engine, column, counts)
        return
    if column.is_number and not (column.is_whole and is_code(column.name)):
        yield _quantile_intervals(engine, column, counts)
        return
    if column.is_text:
        shape = shape_of(engine, column)
        match reading(shape):
            case "number":
                yield _quantile_intervals(engine, column, counts)
            case "date" | "week" as unit:
                yield _calendar(engine, column, counts, is_week=unit == "week")
            case "year-last":
                yield _YEAR_LAST, "dates that end in the year; the part before the year is hidden first"
            case "code":
                yield _beginnings(engine, column, counts, shape)
    yield _rare_values(engine, column, counts)


def _is_valid(engine: Engine, column: Column, content: dict[str, Any]) -> bool:
    spec = checked(content)
    try:
        lookup = spec.lookup(engine, column)
        create_lookup(engine, column, lookup)
        return not errors(engine, column, lookup, spec)
    except HierarchyError:
        return False
    finally:
        drop_lookup(engine, column)


def _group_counts(engine: Engine, column: Column, groups: Sequence[str], moment: str = "null") -> Sequence[int]:
    """The number of groups that each expression counts; `moment` is the SQL of the dates, `text` for dates in text."""
    about = {"column": column.name, "groups": groups, "moment": moment}
    [counts] = engine.query(render("hierarchy/suggestion/group_counts", **about))
    return counts


def shape_of(engine: Engine, column: Column) -> Shape:
    """The shape of `values_<column>`."""
    [row] = engine.query(
        render(
            "hierarchy/suggestion/shape",
            column=column.name,
            missing_tokens=FOLDED_MISSING_TOKENS,
            looks=LOOKS_LIKE_DATE,
            amount=AMOUNT,
        )
    )
    return Shape(*map(int, row))


def reading(shape: Shape) -> Reading:
    """The type as which all values can be read; codes if nearly all values look like codes."""
    if shape.numbers and shape.numbers + shape.missing_tokens == shape.values:
        return "number"
    if shape.dates == shape.values:
        return "week" if shape.weeks else "date"
    if 10 * shape.years_last >= 9 * shape.values:
        return "year-last"
    if shape.digits == shape.values and shape.longest > _LONGEST_NUMBER:
        return "text"
    if 2 * shape.dated < shape.values and 10 * shape.codes >= 9 * shape.values and shape.longest <= _LONGEST_CODE:
        return "code"
    return "text"


def _beginnings(engine: Engine, column: Column, values: CountedValues, shape: Shape) -> Candidate | None:
    """The lengths of shared prefixes, each with clearly fewer groups than the one before; None if no length groups the codes."""
    least = ceil(shape.longest / _LEAST_PREFIX) if shape.begin_with_digit == shape.values else 1
    lengths = list(range(shape.longest - 1, least - 1, -1))
    if not lengths:
        return None
    counts = _group_counts(engine, column, [f"count(distinct left(text, {length}))" for length in lengths])
    steps = [shape.longest - length for length in _coarser(lengths, counts, values.values)]
    if not steps:
        return None
    return (
        {"kind": "redaction", "length": shape.longest, "steps": steps},
        "codes with shared prefixes; the last characters are hidden first",
    )


def _calendar(engine: Engine, column: Column, counts: CountedValues, *, is_week: bool = False) -> Candidate | None:
    """The units that group the dates, each into clearly fewer groups than the one before; None if no unit does.

    The days of a week can belong to two months, but to one year of ISO 8601 only.
    """
    units = ("week-year",) if is_week else _UNITS[_UNITS.index("month") :] if column.type == "DATE" else _UNITS
    periods = ["isoyear(moment)" if unit == "week-year" else f"date_trunc('{unit}', moment)" for unit in units]
    moment = "text" if column.is_text else "try_cast(value as timestamp)"
    groups = [f"count(distinct case when isfinite(moment) then {period} end)" for period in periods]
    chosen = _coarser(units, _group_counts(engine, column, groups, moment), counts.values)
    if not chosen:
        return None
    return {"kind": "dates", "units": chosen}, "units of the calendar that group its dates"


def _rare_values(engine: Engine, column: Column, counts: CountedValues) -> Candidate | None:
    """Rare values under one label, by at most three shares of the rows; None if no share groups the values.

    The hierarchy contains no values: each use determines anew which values are rare.
    """
    rare = _group_counts(engine, column, [f"count(*) filter (where share < {share})" for share in _SHARES])
    growing: list[str] = []
    before = 1
    for share, count in zip(_SHARES, rare, strict=True):
        if before < count < counts.values:
            growing.append(share)
            before = int(count)
    if not growing:
        return None
    chosen = growing if len(growing) <= _LEVELS else [growing[0], growing[len(growing) // 2], growing[-1]]
    shares = ", ".join(percent(float(share)) for share in chosen)
    return {
        "kind": "rare",
        "below": [float(share) for share in chosen],
    }, f"values with less than {shares} of the rows share a label"


def _quantile_intervals(engine: Engine, column: Column, counts: CountedValues) -> Candidate | None:
    """Up to 16 intervals, merged in pairs on each level; None if fewer than two cuts exist.

    A value has the square root of its rows as its weight: the loss of intervals is the sum of their rows times their values,
    and by the Cauchy-Schwarz inequality it is least if the intervals have equal weights. The first and the last interval are
    open, so that no label shows an extreme value.
    """
    parts = min(_INTERVALS, ceil(counts.values / 2), counts.rows // _LEAST_ROWS)
    if parts < 2:
        return None
    about = {"parts": parts, "slack": _SLACK, "read": "text" if column.is_text else "value"}
    windows = engine.query(render("hierarchy/suggestion/quantile_windows", column=column.name, **about))
    cuts = sorted({cut for low, high in windows if (cut := roundest(Decimal(low), Decimal(high))) is not None})
    if not cuts:
        return None
    return _content(cuts, is_closed=column.is_whole), f"{len(cuts) + 1} intervals, cut at round numbers near the quantiles"


def _content(cuts: Sequence[Decimal], *, is_closed: bool) -> dict[str, Any]:
    """The cuts as intervals of a hierarchy. The first and the last interval are open; labels are [19, 21] if `is_closed`, else [19, 22)."""
    width = cuts[1] - cuts[0] if len(cuts) > 1 else Decimal(1)
    ends = [cuts[0] - width, *cuts, cuts[-1] + (cuts[-1] - cuts[-2] if len(cuts) > 1 else width)]
    groups, count = [], len(ends) - 1
    while count > 2:
        groups.append([2])
        count = ceil(count / 2)
    content: dict[str, Any] = {
        "kind": "intervals",
        "intervals": [list(pair) for pair in pairwise(ends)],
        "range": {"repeat": [ends[0], ends[-1]]},
        **({"function": "bounds"} if is_closed else {}),
    }
    plain: dict[str, Any] = exact_to_plain(content | ({"groups": groups} if groups else {}))
    return plain


def roundest(low: Decimal, high: Decimal) -> Decimal | None:
    """The number in (low, high] that is a multiple of the greatest 1, 2 or 5 times a power of ten; of several, the middle one.

    None if it needs more than nine decimal places, or exceeds 2^61.
    """
    if not low < high or max(abs(low), abs(high)) > _GREATEST:
        return None
    power = max(abs(low), abs(high), high - low).adjusted() + 1
    while power >= _SMALLEST:
        for digit in (5, 2, 1):
            step = digit * Decimal(10) ** power
            first, last = floor(low / step) + 1, floor(high / step)
            if first <= last:
                return ((first + last) // 2) * step
        power -= 1
    return None


def _coarser(levels: Iterable[Level], groups: Iterable[int], values: int) -> list[Level]:
    """From levels in order from fine to coarse, the last few that each have clearly fewer groups than the one before."""
    chosen: list[Level] = []
    below: float = values
    for level, count in zip(levels, groups, strict=True):
        if count > 1 and count * _FEWER <= below:
            chosen.append(level)
            below = int(count)
    return chosen[-_MOST_LEVELS:]

"""Intervals in SQL: ranges with one label each, and between two ranges an endless sequence of equal widths."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.hierarchy.grouping import Cycle
from duckanon.hierarchy.kinds.intervals import Grid, Intervals
from duckanon.hierarchy.lookup import create_lookup, drop_lookup
from duckanon.workflows.sql_export.bounds import Bound, bound_at, values_statement

MOST_RANGES = 2_000
_MOST_FLOAT, _MOST_DECIMAL, _MOST_WHOLE = 10**18, 10**20, 10**37
_LONG = ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")


@dataclass(frozen=True)
class LabelRange:
    """Values from the end of the previous range up to a bound (None: no end); without a label the form gives it."""

    beyond: Bound | None
    label: str | None


@dataclass(frozen=True)
class Endless:
    """Intervals of one width around a start, in both directions."""

    type: str
    """The type in which its bounds are computed."""
    begin: int
    width: int
    is_closed: bool
    """Whether a label contains the last value instead of the end."""
    is_floored: bool
    is_guarded: bool
    """Whether the statement must not compute with values outside the covered range."""


@dataclass(frozen=True)
class Ranges:
    """The covered values of a level of intervals, and the label of each range."""

    least: Bound | None
    beyond: Bound | None
    ranges: tuple[LabelRange, ...] = ()
    sequence: Endless | None = None


def ranges_of(engine: Engine, column: Column, spec: Intervals, level: int) -> Ranges:
    """A level of intervals; raises `JobError` if they are endless in a way that SQL cannot express."""
    grid = spec.grid
    if column.is_floating and grid.scale.places and column.type != "DOUBLE":
        raise JobError(
            f"the intervals of column {column.name!r} cut a {column.type} at fractions; read it as DOUBLE, and release again"
        )
    least, beyond = _covered(column, grid)
    if level == 0 and spec.floor:
        ends = zip((*grid.snap, None), (grid.coded[0], None, grid.coded[1]), strict=True)
        bounds = [(None if end is None else bound_at(column, grid.scale, end), label) for end, label in ends]
        coded = tuple(LabelRange(bound, label) for bound, label in bounds[:2] if bound is not None)
        return Ranges(least, beyond, (*coded, LabelRange(None, grid.coded[1])))
    if level == 0 or level > len(grid.cycles):
        return Ranges(least, beyond)
    cycles = grid.cycles[:level]
    is_uniform = _is_uniform(cycles) and grid.scale.unit == "number" and not grid.scale.places
    sequence = _sequence(column, grid, cycles) if is_uniform else None
    if sequence is None and None in grid.repeat:
        raise JobError(
            f"the intervals of column {column.name!r} (kind: intervals, level {level}) are endless, and SQL can only express "
            "endless intervals of equal width with whole numbers; give them a `range` with two ends and release again, "
            "or use duckanon apply"
        )
    spans = _spans(column, grid, sequence)
    labels = iter(_labels(engine, column, spec, level, [low for low, _, is_named in spans if is_named]))
    label_ranges: list[LabelRange] = []
    for _, high, is_named in spans:
        label = next(labels) if is_named else None
        if label_ranges and label_ranges[-1].label == label:
            label_ranges.pop()
        label_ranges.append(LabelRange(None if high is None else bound_at(column, grid.scale, high), label))
    if label_ranges and label_ranges[-1].beyond is not None:
        label_ranges[-1] = LabelRange(None, label_ranges[-1].label)
    is_only_sequence = len(label_ranges) == 1 and label_ranges[0].label is None
    is_used = any(label_range.label is None for label_range in label_ranges)
    return Ranges(least, beyond, () if is_only_sequence else tuple(label_ranges), sequence if is_used else None)


def _covered(column: Column, grid: Grid) -> tuple[Bound | None, Bound | None]:
    """The bounds of the covered values, without values that are not on the scale."""
    low, high = grid.label
    least = None if low is None else bound_at(column, grid.scale, low)
    beyond = None if high is None else bound_at(column, grid.scale, high)
    if (limit := _limit(column)) is None:
        return least, beyond
    # a range with an end covers all finite values: NaN is above all numbers, or every comparison with it fails
    furthest = Bound("1.7976931348623157e308", "double") if column.is_floating else None
    lowest = Bound("-1.7976931348623157e308", "double") if column.is_floating else None
    far = [lowest if grid.repeat[0] is not None else Bound(f"-{limit}", "decimal(38, 0)")]
    far += [furthest if grid.repeat[1] is not None else Bound(str(limit), "decimal(38, 0)")]
    if column.is_floating:
        far = [Bound(bound.value, "double") if bound is not None else None for bound in far]
    return least or far[0], beyond or far[1]


def _limit(column: Column) -> int | None:
    """The limit of the numbers of an endless sequence; None if the column's type has a lower limit."""
    if column.is_floating:
        return _MOST_FLOAT
    if column.type.endswith("HUGEINT"):
        return _MOST_WHOLE
    digits = re.fullmatch(r"DECIMAL\((\d+),\s*(\d+)\)", column.type)
    return _MOST_DECIMAL if digits is not None and int(digits[1]) - int(digits[2]) > 20 else None


def _is_uniform(cycles: tuple[Cycle, ...]) -> bool:
    """Whether the parts have equal widths and labels made from their bounds."""
    names = cycles[-1].names[0]
    return all(cycle.size == 1 for cycle in cycles) and not isinstance(names, str) and names.name in ("interval", "bounds")


def _sequence(column: Column, grid: Grid, cycles: tuple[Cycle, ...]) -> Endless:
    is_whole = column.is_whole
    name = cycles[-1].names[0]
    is_closed = is_whole and not isinstance(name, str) and name.name == "bounds"
    is_long = column.type in _LONG or column.type.startswith("DECIMAL")
    width = prod(cycle.length for cycle in cycles)
    type = "decimal(38, 0)" if is_long or width >= 2**31 or abs(grid.begin) >= 2**31 else "bigint"
    is_guarded = column.is_floating or column.type.endswith("HUGEINT")
    return Endless(type, grid.begin, width, is_closed, not is_whole, is_guarded)


def _spans(column: Column, grid: Grid, sequence: Endless | None) -> list[tuple[int | None, int | None, bool]]:
    """Ranges of steps (start, end; None: no end), and whether the range has one label or the sequence gives the labels."""
    low, high = grid.repeat
    edges = {end for ends in (grid.label, grid.snap, grid.repeat) for end in ends if end is not None}
    first_end = last_start = None
    if sequence is not None:
        begin, width = sequence.begin, sequence.width
        first_end = None if low is None else begin + ((low - begin) // width + 1) * width
        last_start = None if high is None else begin + (high - 1 - begin) // width * width
        edges |= {end for end in (first_end, last_start) if end is not None}
    elif low is not None and high is not None:
        edges |= set(_starts(column, grid, low, high))
    # values outside the labels are not covered
    inside = [
        edge
        for edge in sorted(edges)
        if (grid.label[0] is None or edge > grid.label[0]) and (grid.label[1] is None or edge < grid.label[1])
    ]
    cuts: list[int | None] = [grid.label[0], *inside, grid.label[1]]
    return [
        (start, end, sequence is None or not _is_between(start, end, low, high, first_end, last_start))
        for start, end in pairwise(cuts)
    ]


def _is_between(
    start: int | None, end: int | None, low: int | None, high: int | None, first_end: int | None, last_start: int | None
) -> bool:
    """Whether a range is after the first part and before the last part, where the sequence is not affected by its ends."""
    after = low is None or (start is not None and first_end is not None and start >= first_end)
    before = high is None or (end is not None and last_start is not None and end <= last_start)
    return after and before


def _starts(column: Column, grid: Grid, low: int, high: int) -> list[int]:
    """The starts of the parts of the first level within the repeating range."""
    first, last = grid.parts(1)
    cycle = grid.cycles[0]
    if first is None or last is None or last - first > MOST_RANGES:
        raise JobError(
            f"the intervals of column {column.name!r} are more than {MOST_RANGES:,} ranges, which is the limit of a statement; "
            "give it wider intervals and release again, or use duckanon apply"
        )
    starts = [
        grid.begin + part // cycle.size * cycle.length + cycle.starts[part % cycle.size] for part in range(first, last + 1)
    ]
    return [start for start in starts if low < start < high]


def _labels(engine: Engine, column: Column, spec: Intervals, level: int, lows: list[int | None]) -> list[str | None]:
    """The label of each range: the label of its first value."""
    scale = spec.grid.scale
    if scale.unit != "number":
        stand_in = replace(column, type="TIMESTAMP") if scale.unit == "microsecond" else column
    else:
        stand_in = replace(column, type="HUGEINT" if column.is_whole and not scale.places else "DECIMAL(38,9)")
    edges = [edge for ends in (spec.grid.label, spec.grid.snap, spec.grid.repeat) for edge in ends if edge is not None]
    values = [scale.shown(min(edges) - 1 if low is None else low) for low in lows]
    if not values:
        return []
    engine.create_table(values_statement(column, stand_in.type, values))
    create_lookup(engine, column, spec.lookup(engine, stand_in))
    labels = {
        int(code): label for code, label in engine.query(render("sql_export/range_labels", column=column.name, level=level))
    }
    drop_lookup(engine, column)
    engine.drop(f"values_{column.name}")
    return [labels.get(code) for code in range(len(values))]

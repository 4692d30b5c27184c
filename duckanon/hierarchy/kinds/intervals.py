"""Intervals [min, max) of numbers, dates and timestamps, and groups of intervals, repeated over the whole range."""

from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from duckanon.dataset.missing import FOLDED_MISSING_TOKENS
from duckanon.engine.protocol import Column, Engine
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS, Functional
from duckanon.hierarchy.bounds import Bound, Ends, ExactBound, Grid, GridSql, IntervalRange, Scale, Steps, check_same
from duckanon.hierarchy.grouping import Cycle, Duplicates, Function, Groups, LabelGroup, Named
from duckanon.hierarchy.lookup import Lookup, lookup_statement

_EXPORTED, _FAR = 10**18, 2**63 - 1
"""The largest number in the SQL of an export, and the step of larger ones, if they are outside a range."""


class Interval(Named):
    """A first interval [min, max), written as a mapping or a pair."""

    min: ExactBound
    """The lower end (included)."""
    max: ExactBound
    """The upper end (excluded)."""

    @model_validator(mode="before")
    @classmethod
    def _paired(cls, interval: Any) -> Any:
        if isinstance(interval, list | tuple):
            if len(interval) != 2:
                raise ValueError("is not an interval; write a pair [min, max], or a mapping with min and max")
            return {"min": interval[0], "max": interval[1]}
        return interval

    @model_validator(mode="after")
    def _holds(self) -> "Interval":
        check_same([self.min, self.max])
        if self.min >= self.max:
            raise ValueError(f"[{self.min}, {self.max}) is empty; write a min below max")
        return self


class Intervals(Functional):
    """Numbers, dates or timestamps in intervals [min, max) without gaps, repeated, and repeated groups of intervals above.

    `widths` is the short form: intervals [low, low + width), where low - `origin` is a multiple of the width.
    """

    WHAT = "numbers, dates or timestamps in intervals, and groups of them"
    PARTS: ClassVar = {"intervals": Interval, "groups": LabelGroup, "range": IntervalRange}

    kind: Literal["intervals"] = "intervals"
    widths: list[Annotated[Decimal, Field(gt=0, le=2**62, decimal_places=9)]] | None = Field(
        None, min_length=1, max_length=MOST_LEVELS - 1
    )
    """The interval width of each level, each a multiple of the one before."""
    origin: Annotated[Decimal, Field(ge=-(2**62), le=2**62, decimal_places=9)] = Decimal(0)
    """A bound that the intervals of all widths share."""
    intervals: list[Interval] | None = Field(None, min_length=1, max_length=10_000)
    groups: Groups = Field([])
    range: IntervalRange | None = None
    function: Function = "interval"
    duplicates: Duplicates = "refuse"

    @field_validator("widths")
    @classmethod
    def _nested_widths(cls, widths: list[Decimal] | None) -> list[Decimal] | None:
        for narrow, wide in pairwise(widths or []):
            if wide <= narrow or wide % narrow:
                raise ValueError(
                    f"width {wide} is not a larger multiple of width {narrow}, so its intervals would split those of width {narrow}"
                )
        return widths

    @field_validator("intervals")
    @classmethod
    def _without_gaps(cls, intervals: list[Interval] | None) -> list[Interval] | None:
        check_same([bound for interval in intervals or [] for bound in (interval.min, interval.max)])
        for current, following in pairwise(intervals or []):
            if following.min != current.max:
                fault = "a gap" if following.min > current.max else "an overlap"
                raise ValueError(
                    f"{fault} between [{current.min}, {current.max}) and [{following.min}, {following.max}); begin each interval at the end of the previous one"
                )
        return intervals

    @model_validator(mode="after")
    def _consistent(self) -> "Intervals":
        if (self.widths is None) == (self.intervals is None):
            raise ValueError("declare the intervals with either widths or intervals")
        if self.widths is not None and self.groups:
            raise ValueError("widths already define the groups; use intervals and groups, or only widths")
        grid = self.grid
        length = 1
        for level, cycle in enumerate(grid.cycles, start=1):
            length *= cycle.length
            if length > grid.beyond:
                raise ValueError(f"the groups of level {level} are too long to compute; use smaller groups")
            first, last = grid.parts(level)
            for label in cycle.repeated(first, last):
                if self.duplicates == "refuse":
                    raise ValueError(
                        f"label {label!r} of level {level} would be the label of several parts, because the sequence repeats; "
                        "set the ends with `range`, give each its own label, or set `duplicates: number`"
                    )
                if first is None:
                    raise ValueError(f"label {label!r} of level {level} cannot be numbered; set a lower end of `range`")
        return self

    @property
    def grid(self) -> Grid:
        """The intervals and groups in whole steps, for the template."""
        bounds: list[Bound] = list(self.range.bounds if self.range else [])
        if self.widths is not None:
            bounds += [*self.widths, self.origin]
            intervals = [Interval(min=self.origin, max=self.origin + self.widths[0])]
            sizes = [[int(wide / narrow)] for narrow, wide in pairwise(self.widths)]
            groups = [Cycle.of([Named()], size, self.function) for size in sizes]
        else:
            intervals = self.intervals or []
            bounds += [bound for interval in intervals for bound in (interval.min, interval.max)]
            groups = [Cycle.of(level, [group.size for group in level], self.function) for level in self.groups]
        scale = Scale(bounds)
        lengths = [scale.step(interval.max) - scale.step(interval.min) for interval in intervals]
        label, snap, repeat = self._ends(intervals)
        return Grid(
            scale=scale,
            begin=scale.step(intervals[0].min),
            cycles=(Cycle.of(intervals, lengths, self.function), *groups),
            label=_steps(scale, label),
            snap=_steps(scale, snap),
            repeat=_steps(scale, repeat),
        )

    def _ends(self, intervals: list[Interval]) -> tuple[Ends, Ends, Ends]:
        """Label, snap and repeat. Intervals with their own labels repeat only if a range is given."""
        if self.range is not None:
            return self.range.ends
        if any(interval.label is not None for interval in intervals) and self.duplicates == "refuse":
            whole: Ends = (intervals[0].min, intervals[-1].max)
            return whole, whole, whole
        return (None, None), (None, None), (None, None)

    def lookup(self, engine: Engine, column: Column, *, is_exported: bool = False) -> Lookup:
        """Numbers of any size, or for other engines (`is_exported`) of less than 10^18, which they print alike."""
        grid = self.grid
        unit = grid.scale.unit
        if not (column.is_text or (column.is_number if unit == "number" else column.is_date)):
            wanted = "numbers" if unit == "number" else "dates"
            raise HierarchyError(
                f"intervals of {wanted} do not fit column {column.name!r}, which is {column.type}; use a value table for it"
            )
        is_small = unit == "number" and column.is_whole and not column.type.endswith("HUGEINT") and not grid.scale.places
        is_closed = grid.is_closed and (unit == "day" or (column.is_whole and not grid.scale.places))
        limit = None if is_small else _EXPORTED if is_exported else grid.beyond
        numbers_labels = self.duplicates == "number"
        step = _exact_step(column, grid, is_exported=is_exported)
        about = {
            "intervals": GridSql(grid, self.top, is_closed=is_closed, numbers_labels=numbers_labels, beyond=limit),
            "top": self.top,
            "floor": self.floor,
            "is_printed": step is None,
            "step": step or _printed_step(grid),
            "missing_tokens": FOLDED_MISSING_TOKENS if column.is_text and step is None else (),
        }
        return Lookup(
            lookup_statement("intervals", column, **about),
            len(grid.cycles) + 1,
            top=self.top,
            rule=self,
            groups=len(grid.cycles),
            relabels=self.floor,
        )

    @property
    def has_floor(self) -> bool:
        return self.range is not None and self.range.snap is not None

    @property
    def regrouped_levels(self) -> set[int]:
        return {level for level, cycle in enumerate(self.grid.cycles[1:], start=2) if set(cycle.lengths) == {1}}


def _exact_step(column: Column, grid: Grid, *, is_exported: bool) -> str | None:
    """The SQL of the step of a date, or of a number that needs no text; None if its text is read."""
    if grid.scale.unit != "number":
        read = "text" if column.is_text else "value"
        step = f"epoch_us(try_cast({read} as timestamp))"
        if grid.scale.unit == "day":
            step = f"datediff('day', date '1970-01-01', try_cast({read} as date))"
        return f"case when isfinite(try_cast({read} as timestamp)) then {step} end"
    if column.is_whole:
        factor = 10**grid.scale.places
        return f"try(try_cast(value as hugeint) * {factor})" if grid.scale.places else "try_cast(value as hugeint)"
    if not is_exported or column.is_text or grid.scale.places:
        return None
    whens = [f"when value between {-_EXPORTED} and {_EXPORTED} then cast(floor(value) as hugeint)"]
    if all(abs(end) < _EXPORTED for ends in (grid.label, grid.snap, grid.repeat) for end in ends if end is not None):
        finite = "abs(value) <= cast('1.7976931348623157e308' as double)"
        whens += [f"when value < 0 and {finite} then {-_FAR}"] if grid.repeat[0] is not None else []
        whens += [f"when value > 0 and {finite} then {_FAR}"] if grid.repeat[1] is not None else []
    return f"case {' '.join(whens)} end"


def _printed_step(grid: Grid) -> str:
    """The SQL of the step of a number by its text, exact up to 18 decimal places."""
    exactly, factor = "cast(floor(number) as hugeint)", 10**grid.scale.places
    if factor > 1:
        exactly = f"{exactly} * {factor} + cast(floor((number - floor(number)) * {factor}) as hugeint)"
    far = (grid.label[0] if grid.label[0] is not None else -grid.beyond) - 1
    whens = [f"when number is not null then {exactly}"]
    whens += [f"when approximately < -1e19 and isfinite(approximately) then {far}"] if grid.repeat[0] is not None else []
    whens += [f"when approximately > 1e19 and isfinite(approximately) then {grid.beyond}"] if grid.repeat[1] is not None else []
    return f"case {' '.join(whens)} end"


def _steps(scale: Scale, ends: Ends) -> Steps:
    return (
        None if ends[0] is None else scale.step(ends[0]),
        None if ends[1] is None else scale.step(ends[1]),
    )

"""The intervals of a hierarchy side by side, with the rows in each, as the page draws them."""

from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.grid import Grid
from duckanon.hierarchy.kinds.intervals import Intervals

_MOST_PARTS = 200


@dataclass(frozen=True)
class _Counted:
    """What the data has of one interval."""

    label: str
    rows: int


def strip(engine: Engine, column: Column, spec: Intervals) -> dict[str, Any] | None:
    """The intervals on each level, of a hierarchy whose `lookup_<column>` exists; None without data in them.

    `levels` are {level, parts}, and `coded` the bottom- and top-coded values {label, rows}. A part has its `from` and `to` (None: open),
    `label` (None if no value is in it), `rows`, `is_declared` (False: an automatic repetition), and the columns `start` to `end` that
    it covers. A level with too many parts to draw has `parts` None; the columns are the parts of the first level that is drawn.
    """
    grid = spec.grid
    levels: list[dict[str, Any]] = []
    columns: list[int] = []
    base = 0
    coded: list[dict[str, Any]] = []
    for level, cycle in enumerate(grid.cycles, start=1):
        counted, coded = _counted(engine, column, level)
        numbers = _drawn(counted, range(cycle.size) if spec.widths is None and level == 1 else ())
        if numbers is None:
            levels.append({"level": level, "parts": None})
            continue
        if not columns:
            columns, base = numbers, level
        parts = []
        for number in numbers:
            covered = [place for place, part in enumerate(columns) if _part_above(grid, base, level, part) == number]
            if not covered:
                continue
            low, high = _ends(grid, level, number)
            data = counted.get(number)
            parts.append(
                {
                    "from": low,
                    "to": high,
                    "label": None if data is None else data.label,
                    "rows": 0 if data is None else data.rows,
                    "is_declared": spec.widths is not None or 0 <= number < cycle.size,
                    "place": number % cycle.size,
                    "start": covered[0],
                    "end": covered[-1] + 1,
                }
            )
        levels.append({"level": level, "parts": parts})
    return {"columns": len(columns), "levels": levels, "coded": coded} if columns else None


def _counted(engine: Engine, column: Column, level: int) -> tuple[dict[int, _Counted], list[dict[str, Any]]]:
    """The intervals of a level with data, by number, and the bottom- and top-coded values."""
    groups = engine.query(render("studio/group_rows", column=column.name, level=level, limit=_MOST_PARTS + 1))
    counted, coded = {}, []
    for group, label, rows in groups:
        if group.removeprefix("-").isdecimal():
            counted[int(group)] = _Counted(label, rows)
        else:
            coded.append({"label": label, "rows": rows})
    return counted, coded


def _drawn(counted: dict[int, _Counted], declared: range | tuple[int, ...]) -> list[int] | None:
    """The numbers of the parts to draw: all from the first to the last, or those with data if the others are too many."""
    numbers = sorted({*counted, *declared})
    if not numbers or len(numbers) > _MOST_PARTS:
        return None
    extent = numbers[-1] - numbers[0] + 1
    return list(range(numbers[0], numbers[-1] + 1)) if extent <= _MOST_PARTS else numbers


def _part_above(grid: Grid, base: int, level: int, number: int) -> int:
    """The part of a level that contains a part of a level below."""
    for cycle in grid.cycles[base:level]:
        number = cycle.part_at(number)
    return number


def _ends(grid: Grid, level: int, number: int) -> tuple[str | None, str | None]:
    """The ends of a part as text; None for an open end. The first and the last part reach to the ends of `snap`."""
    first, last = grid.parts(level)
    low = grid.snap[0] if number == first else _start(grid, level, number)
    high = grid.snap[1] if number == last else _start(grid, level, number + 1)
    return (None if low is None else grid.scale.shown(low)), (None if high is None else grid.scale.shown(high))


def _start(grid: Grid, level: int, number: int) -> int:
    """The lower end of a part, in steps of the scale."""
    for cycle in reversed(grid.cycles[:level]):
        repeat, place = divmod(number, cycle.size)
        number = repeat * cycle.length + cycle.starts[place]
    return number + grid.begin

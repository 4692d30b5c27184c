"""The hierarchy wizard: suggests hierarchies for a column, and tries any on the values of the data."""

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from duckanon.dataset import values
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.values import code_type
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Settings
from duckanon.engine.templates import render
from duckanon.errors import DuckanonError, HierarchyError
from duckanon.hierarchy import checks, sets
from duckanon.hierarchy.base import ListedHierarchy, Spec, exact_to_plain
from duckanon.hierarchy.bounds import Grid
from duckanon.hierarchy.inspection import OpenedHierarchy, opened_on, shown
from duckanon.hierarchy.kinds.intervals import Intervals
from duckanon.hierarchy.kinds.order import Order
from duckanon.hierarchy.lookup import counted_values, drop_lookup
from duckanon.hierarchy.spec import checked, load, located, misfits
from duckanon.hierarchy.suggest import reading, roundest, shape_of, suggest

T = TypeVar("T")
Content = Mapping[str, Any] | str
"""A hierarchy as in a job: a mapping with `kind`, or the name of a file or a bundled hierarchy."""

MOST_VALUES = 10_000
"""The values of a column that the page can put in order or into groups."""
_SHOWN = 200
_MOST_PARTS = 200
"""Intervals that are drawn."""
_STORED = "stored"
_RELATIONS = ("hierarchy", "labels", "levels")


@dataclass(frozen=True)
class StoredValues:
    """The distinct values of a column in a database file."""

    file: Path
    rule: MissingRule


class Wizard:
    """Tries hierarchies in an engine and a thread of its own, so that a preview does not wait for a decision."""

    def __init__(self, settings: Settings) -> None:
        # the file of the workspace belongs to the studio's own engine
        self._settings = replace(settings, workspace=None)
        self._engine: DuckDBEngine | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="wizard")
        self._stored: dict[str, StoredValues] = {}
        self._number = itertools.count()
        self._opened: dict[str, tuple[StoredValues, bool]] = {}

    def needs(self, column: Column, rule: MissingRule) -> bool:
        """Whether the values of a column have to be stored first."""
        stored = self._stored.get(column.name)
        return stored is None or stored.rule != rule

    def store(self, engine: DuckDBEngine, column: Column, rule: MissingRule) -> None:
        """Store the distinct values of `records`, in the thread of the engine that has this relation."""
        path = engine.scratch.path / f"values-{next(self._number)}.duckdb"
        engine.attach(path, _STORED, is_writable=True)
        try:
            engine.save(values.distinct_statement([column]), _STORED, stage="reading the distinct values")
        finally:
            engine.detach(_STORED)
        self._stored[column.name] = StoredValues(path, rule)

    async def run(self, column: Column, work: Callable[[DuckDBEngine], T], *, topped: bool = False) -> T:
        """The result of `work` on the engine, which has `values_<column>`; `topped`: missing values generalize to the top."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: self._on_values(column, work, topped))

    def close(self) -> None:
        """End the engine; what it does is interrupted."""
        if self._engine is not None:
            self._engine.interrupt()
        self._thread.shutdown(cancel_futures=True)
        if self._engine is not None:
            self._engine.close()

    def _on_values(self, column: Column, work: Callable[[DuckDBEngine], T], topped: bool) -> T:
        stored = self._stored[column.name]
        if self._engine is None:
            self._engine = DuckDBEngine(self._settings)
            self._engine.restrict([stored.file.parent])
        try:
            if self._opened.get(column.name) != (stored, topped):
                _read_stored(self._engine, column, stored, topped)
                self._opened[column.name] = (stored, topped)
            return work(self._engine)
        except KeyboardInterrupt:
            # an interrupted statement must not end the event loop
            raise HierarchyError("the studio has ended") from None


def _read_stored(engine: DuckDBEngine, column: Column, stored: StoredValues, topped: bool) -> None:
    engine.attach(stored.file, _STORED)
    try:
        count = engine.create_table(render("dataset/copy", "distinct_values", database=_STORED, relation="distinct_values"))
        for statement in values.value_statements(
            [column],
            stored.rule,
            code_type(count),
            [column.name] if topped else [],
            numbers=values.number_columns(engine, [column]),
        ):
            engine.create_table(statement)
    finally:
        engine.drop("distinct_values")
        engine.detach(_STORED)


def described(engine: Engine, column: Column) -> dict[str, Any]:
    """What the page needs to begin: counts, values (None if there are too many), kinds with a first hierarchy, and the suggestion."""
    counts, suggestion = counted_values(engine, column), suggest(engine, column)
    listed = engine.query(render("studio/column_values", column=column.name, limit=MOST_VALUES + 1))
    texts = [text for text, _ in listed] if len(listed) <= MOST_VALUES else None
    return {
        "column": column.name,
        "type": column.type,
        "distinct": counts.values,
        "rows": counts.rows,
        "values": None if texts is None else [{"value": text, "rows": rows} for text, rows in listed],
        "suggested": {"content": suggestion.content, "reason": suggestion.reason},
        "first": first_hierarchies(engine, column, suggestion.content, texts),
        "bundled": sets.bundled_for([column.name])[column.name],
    }


def spec_of(content: Content) -> Spec:
    """The spec of a hierarchy of the job; raises `HierarchyError`."""
    return load(sets.find_file(content, Path())) if isinstance(content, str) else checked(dict(content))


def preview(engine: Engine, column: Column, content: Content, text: str = "") -> dict[str, Any]:
    """The labels that a hierarchy gives to the data, with all its faults.

    `levels` ({level, labels, smallest, loss}), `values` ({value, rows, labels}) that contain `text`, the number of `all` such values,
    `strip` for intervals, and `faults` ({severity, message, path, value, level, rows}). Without usable labels, `levels` is empty.
    """
    if not isinstance(content, str) and (wrong := misfits(dict(content))):
        return _without_labels([_fault("error", message, path=".".join(place)) for place, message in wrong])
    try:
        file = sets.find_file(content, Path()) if isinstance(content, str) else None
        opened = opened_on(engine, column.name, spec_of(content), file, column)
        return _with_labels(engine, opened, text)
    except DuckanonError as error:
        return _without_labels([_fault("error", str(error))])
    finally:
        drop_lookup(engine, column)
        for kind in _RELATIONS:
            engine.drop(f"{kind}_{column.name}")


def _with_labels(engine: Engine, opened: OpenedHierarchy, text: str) -> dict[str, Any]:
    column, lookup, spec = opened.column, opened.lookup, opened.spec
    listing = list(spec.listing_faults(engine, column, lookup))
    wrong = checks.errors(engine, column, lookup, spec, has_missing_tokens=False)
    if not wrong:
        wrong = [*checks.warnings(engine, column, lookup, spec)]
    described_faults = [{**asdict(fault), "path": None} for fault in located(wrong, spec, opened.file, column.name)]
    if listing or lookup.faults or checks.queried(engine, "repeated_values", column):
        # these do not give each value its labels
        return _without_labels(described_faults)
    drawn = strip(engine, column, spec) if isinstance(spec, Intervals) else None
    document = shown(engine, opened, limit=0, on_data=True)
    rows = engine.query(
        render(
            "studio/hierarchy_values",
            column=column.name,
            height=lookup.height,
            is_ordered=isinstance(spec, Order) and spec.values is not None,
            text=text.lower(),
            limit=_SHOWN,
        )
    )
    return {
        "levels": [
            {
                "level": level["level"],
                "labels": level["groups_in_data"],
                "smallest": level["smallest_group"],
                "loss": None if level["loss"] is None else float(level["loss"]),
            }
            for level in document["levels"]
        ],
        "values": [{"value": value, "labels": list(labels), "rows": count} for value, *labels, count, _ in rows],
        "all": int(rows[0][-1]) if rows else 0,
        "strip": drawn,
        "faults": described_faults,
    }


def _without_labels(described_faults: list[dict[str, Any]]) -> dict[str, Any]:
    return {"levels": [], "values": [], "all": 0, "strip": None, "faults": described_faults}


def _fault(severity: str, message: str, *, path: str | None = None) -> dict[str, Any]:
    return {"severity": severity, "message": message, "path": path, "value": None, "level": None, "rows": None, "line": None}


def has_file(spec: Spec) -> bool:
    """Whether a hierarchy lists its values in a file."""
    return isinstance(spec, ListedHierarchy) and spec.file is not None


_NUMBERS = ("intervals", "order", "levels", "rare", "redaction", "codes", "priority", "flat")
_DATES = ("dates", "intervals", "order", "levels", "rare", "flat")
_TEXTS = ("levels", "order", "redaction", "codes", "rare", "priority", "flat")
_OTHERS = ("levels", "order", "rare", "flat")
_PARTS = 20
"""The number of first intervals between the least and the greatest value, about."""


def first_hierarchies(
    engine: Engine, column: Column, suggested: dict[str, Any], texts: Sequence[str] | None
) -> dict[str, dict[str, Any]]:
    """By kind: a hierarchy of that kind which fits `values_<column>`. `texts` are its values in order, None if they are too many.

    A kind that lists the values is left out if they are too many.
    """
    read = reading(shape_of(engine, column)) if column.is_text and not column.is_nested else "text"
    kinds = _NUMBERS if column.is_number else _DATES if column.is_date else _TEXTS if column.is_text else _OTHERS
    if read == "number":
        kinds = ("intervals", *kinds)
    elif read == "date":
        kinds = ("dates", "intervals", *kinds)
    is_date = column.is_date or read == "date"
    first = {kind: _first(kind, engine, column, texts, is_date=is_date) for kind in kinds}
    # the suggestion has the labels of the data already
    first |= {suggested["kind"]: {key: value for key, value in suggested.items() if key != "source"}}
    return {kind: content for kind, content in first.items() if content is not None}


def _first(kind: str, engine: Engine, column: Column, texts: Sequence[str] | None, *, is_date: bool) -> dict[str, Any] | None:
    match kind:
        case "intervals":
            return _dates() if is_date else _widths(engine, column)
        case "dates":
            return {"kind": kind, "units": ["month", "year"]}
        case "redaction":
            return {"kind": kind, "align": "left", "redact": "right"}
        case "codes":
            return {"kind": kind, "levels": [1]}
        case "rare":
            return {"kind": kind, "below": [0.01]}
        case "order":
            return {"kind": kind, "groups": [[2]], "function": "bounds"}
        case "levels":
            return {"kind": kind, "levels": [{"all": list(texts)}, "*"]} if texts else None
        case _:
            return {"kind": kind}


def _widths(engine: Engine, column: Column) -> dict[str, Any]:
    """Intervals whose width gives about twenty of them, and two levels above."""
    [(least, greatest)] = engine.query(render("studio/extremes", column=column.name))
    extent = Decimal(0) if least is None else Decimal(greatest) - Decimal(least)
    width = roundest(extent / (2 * _PARTS), extent / _PARTS) if extent > 0 else None
    step = width or Decimal(1)
    plain: dict[str, Any] = exact_to_plain({"kind": "intervals", "widths": [step, 2 * step, 4 * step]})
    return plain


def _dates() -> dict[str, Any]:
    """A first interval of 28 days from the first Monday of 2000, which repeats."""
    first = date(2000, 1, 3)
    return {"kind": "intervals", "intervals": [[first.isoformat(), (first + timedelta(days=28)).isoformat()]], "groups": [[13]]}


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
            label, rows = counted.get(number, (None, 0))
            parts.append(
                {
                    "from": low,
                    "to": high,
                    "label": label,
                    "rows": rows,
                    "is_declared": spec.widths is not None or 0 <= number < cycle.size,
                    "place": number % cycle.size,
                    "start": covered[0],
                    "end": covered[-1] + 1,
                }
            )
        levels.append({"level": level, "parts": parts})
    return {"columns": len(columns), "levels": levels, "coded": coded} if columns else None


def _counted(engine: Engine, column: Column, level: int) -> tuple[dict[int, tuple[str, int]], list[dict[str, Any]]]:
    """The label and the rows of each interval of a level with data, by its number, and the bottom- and top-coded values."""
    groups = engine.query(render("studio/group_rows", column=column.name, level=level, limit=_MOST_PARTS + 1))
    counted, coded = {}, []
    for group, label, rows in groups:
        if group.removeprefix("-").isdecimal():
            counted[int(group)] = label, rows
        else:
            coded.append({"label": label, "rows": rows})
    return counted, coded


def _drawn(counted: dict[int, tuple[str, int]], declared: range | tuple[int, ...]) -> list[int] | None:
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

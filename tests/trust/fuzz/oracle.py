"""The required properties of a release, judged by its rows alone and without code of duckanon."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from tests.trust.fuzz.hierarchies import TOP
from tests.trust.fuzz.releases import Released, counted, plain
from tests.trust.fuzz.requests import Request
from tests.trust.fuzz.tables import Column

_TOLERANCE = 1e-9


class Broken(AssertionError):
    """A release that is not what was asked for."""


def judge(request: Request, released: Released, manifest: Mapping[str, Any] | None) -> None:
    """Raises `Broken` where the release is not what was asked for."""
    _check_columns(request, released)
    if manifest is not None:
        _check_counts(request, released, manifest["rows"])
    qi = [name for name in request.qi if name not in request.partition_by]
    qi += ["folder"] if request.partition_by else []
    keys = released.of(qi)
    classes: dict[Hashable, list[int]] = defaultdict(list)
    for number, key in enumerate(keys):
        classes[key].append(number)
    for members in classes.values():
        if len(members) < request.least:
            raise Broken(f"a class of {len(members)} rows, where k is {request.least}")
    origins = _origins(request, released)
    _check_kept(request, released)
    if origins is not None:
        _check_origins(request, released, origins, manifest)
        _check_treated(request, released, origins)
        for members in classes.values():
            _check_records(request, [origins[number] for number in members])
    for requirement in request.required:
        _check_model(request, released, classes.values(), requirement.model, requirement.number, requirement.column)


def _check_columns(request: Request, released: Released) -> None:
    wanted = {*request.qi, *request.sensitive, *request.keep} - set(request.partition_by)
    wanted |= {treated.column for treated in request.treated}
    gone = set(request.identifying) | {name for name in (request.entity, request.k_column) if name is not None} - wanted
    names = set(released.names) - {"folder"}
    if request.others == "drop" and names != wanted:
        raise Broken(f"columns {sorted(names)}, where {sorted(wanted)} were asked for")
    if wanted - names or names & gone or len(released.names) != len(set(released.names)):
        raise Broken(f"columns {sorted(names)}")


def _check_counts(request: Request, released: Released, rows: Mapping[str, int]) -> None:
    if rows["read"] != request.table.rows or rows["released"] != len(released.rows):
        raise Broken(f"{rows}, where {request.table.rows} were there and {len(released.rows)} are")
    suppressed = rows["suppressed"] if request.style == "drop" else 0
    if rows["released"] + suppressed + rows["missing"] != rows["read"]:
        raise Broken(f"{rows} do not add up")


def _origins(request: Request, released: Released) -> list[int] | None:
    """For each released row the row of the table that it was; None where none can be told."""
    if request.number is None or request.number not in released.names:
        return None
    cells = request.table.column(request.number).cells
    if len(set(cells)) != len(cells):
        return None
    at = {str(cell): row for row, cell in enumerate(cells)}
    origins = [at.get(str(cell)) for (cell,) in released.of([request.number])]
    if None in origins or len(set(origins)) != len(origins):
        raise Broken("a released row is none of the table, or is there twice")
    return [row for row in origins if row is not None]


def _check_kept(request: Request, released: Released) -> None:
    """The kept and sensitive cells of the released rows are those of rows of the table, each taken once."""
    names = [name for name in (*request.keep, *request.sensitive) if name in released.names]
    if request.form != "parquet" or released.is_text or "--microaggregate" in request.more or not names:
        return
    held = [plain(column.kind.array(column.cells)) for column in map(request.table.column, names)]
    if Counter(released.of(names)) - Counter(zip(*held, strict=True)):
        raise Broken(f"the cells of {names} are not those of rows of the table")


def _check_origins(request: Request, released: Released, origins: Sequence[int], manifest: Mapping[str, Any] | None) -> None:
    """Kept and sensitive cells are those of the row; a label is one that the hierarchy gives to the row's own value."""
    for name in {*released.names} & {*request.qi, *request.keep, *request.sensitive}:
        column, cells = request.table.column(name), [cell for (cell,) in released.of([name])]
        if name in request.qi:
            _check_labels(request, column, cells, origins, manifest)
        elif column.kind.name in _PLAIN and "--microaggregate" not in request.more:
            for cell, row in zip(cells, origins, strict=True):
                if not _is_same(column, column.cells[row], cell, request, is_text=released.is_text):
                    raise Broken(f"a cell of {name!r} is not that of its row")


def _check_treated(request: Request, released: Released, origins: Sequence[int]) -> None:
    """A pseudonym is that of the row's own value, a mask shows its end alone, a date is moved as that of its person."""
    for treated in request.treated:
        column = request.table.column(treated.column)
        person = request.table.column(treated.by) if treated.by else column
        cells = [cell for (cell,) in released.of([column.name])]
        if {column.kind.name, person.kind.name} - {*_PLAIN, "days"} or (treated.kind == "shift") != (
            column.kind.name == "days"
        ):
            continue
        for cell, row in zip(cells, origins, strict=True):
            original, whose = column.cells[row], person.cells[row]
            expected = None
            if original is not None and column.kind.text is not None and person.kind.text is not None:
                text = str(original) if treated.kind == "shift" else str(column.kind.text(original))
                expected = treated.cell(text, None if whose is None else person.kind.text(whose), request.release or "")
            if treated.kind == "shift" and released.is_text and expected is not None:
                expected = date.fromordinal(int(expected) + 719163).isoformat()
            if _printed(cell) != _printed(expected):
                raise Broken(f"a cell of {column.name!r} is not what the {treated.kind} of its row is")


_PLAIN = ("plain text", "small whole", "secret text", "secret number", "text", "boolean")
"""Kinds of which every form keeps the cells as they are printed."""


def _is_same(column: Column, original: Any, cell: Hashable, request: Request, *, is_text: bool) -> bool:
    if request.form in ("csv", "json") or is_text:
        # a text may have become the number that is written the same way
        text = None if original is None else column.kind.text(original) if column.kind.text else str(original)
        return _printed(cell) == text
    return counted(original) == cell


def _printed(cell: Hashable) -> str | None:
    return None if cell is None else ("true" if cell else "false") if isinstance(cell, bool) else str(cell)


def _check_labels(
    request: Request, column: Column, cells: Sequence[Hashable], origins: Sequence[int], manifest: Mapping[str, Any] | None
) -> None:
    """Labels known by the hierarchy's own lines, or that say a range or a set of values, hold the value of the row."""
    lines = request.hierarchies[column.name].lines if column.name in request.hierarchies else {}
    if column.kind.text is None:
        return
    levels = (manifest or {}).get("recoding", {}).get("levels", {})
    for cell, row in zip(cells, origins, strict=True):
        original = column.cells[row]
        label = _shown(column, cell)
        if original is None or label in (TOP, None):
            continue
        text = str(column.kind.text(original))
        is_inside = _is_inside(label, text)
        line = lines.get(text, ())
        if (line and label not in line and not is_inside) or (is_inside is False and label not in line):
            raise Broken(f"a label of {column.name!r} is none that the hierarchy gives to the value of its row")
        if line and column.name in levels and request.style == "drop" and label != line[levels[column.name]]:
            raise Broken(f"a label of {column.name!r} is not that of level {levels[column.name]}")


_POINT = r"(-?\d+|\d{4}-\d\d-\d\d)"
_RANGE = re.compile(rf"\[{_POINT}, {_POINT}([\])])")
_OPEN = re.compile(rf"(<|<=|>=) ?{_POINT}")


def _is_inside(label: str, text: str) -> bool | None:
    """Whether a whole number or a day is in the range of a label; None if the label is no range."""
    if not re.fullmatch(_POINT, text):
        return None
    value = _placed(text)
    if match := _RANGE.fullmatch(label):
        last = _placed(match[2])
        if match[1].removeprefix("-").isdecimal() and not text.removeprefix("-").isdecimal():
            # a decade or a century of a calendar
            value = date.fromisoformat(text).year
        return _placed(match[1]) <= value < last or (value == last and match[3] == "]")
    if match := _OPEN.fullmatch(label):
        bound = _placed(match[2])
        return {"<": value < bound, "<=": value <= bound, ">=": value >= bound}[match[1]]
    return None


def _placed(text: str) -> int:
    """A whole number, or the number of a day."""
    return int(text) if text.removeprefix("-").isdecimal() else date.fromisoformat(text).toordinal()


def _shown(column: Column, cell: Hashable) -> str | None:
    if isinstance(cell, int) and column.kind.stored is not None and column.kind.text is not None:
        return column.kind.text(cell)
    return _printed(cell)


def _check_records(request: Request, rows: Sequence[int]) -> None:
    """Each record's own k, and distinct persons; one whose person is unknown stands for one person with all such rows."""
    if request.k_column is not None:
        own = [cell for row in rows if (cell := request.table.column(request.k_column).cells[row]) is not None]
        if len(rows) < max(own, default=1):
            raise Broken("a class is smaller than one of its records asks for")
    if request.entity is not None:
        persons = {request.table.column(request.entity).cells[row] for row in rows}
        if len(persons) < request.least:
            raise Broken(f"a class of {len(persons)} persons, where k is {request.least}")


def _check_model(
    request: Request, released: Released, classes: Iterable[Sequence[int]], model: str, number: float, name: str
) -> None:
    if name not in released.names:
        return
    cells = [cell for (cell,) in released.of([name])]
    for members in classes:
        counts = Counter(cells[number] for number in members)
        total = counts.total()
        match model:
            case "distinct-l":
                holds = len(counts) >= number
            case "entropy-l":
                entropy = -sum(count / total * math.log(count / total) for count in counts.values())
                holds = entropy >= math.log(number) - _TOLERANCE
            case _:
                holds = _distance(request, released, name, counts) <= number + _TOLERANCE
        if not holds:
            raise Broken(f"a class that is not {model}={number}")


def _distance(request: Request, released: Released, name: str, counts: Counter[Hashable]) -> float:
    """Half of what the shares of a class differ from those of the table; 0 where the table's cells cannot be compared with the file's."""
    column = request.table.column(name)
    if request.form != "parquet" or released.is_text or request.missing_policy == "drop":
        return 0.0
    whole = Counter(plain(column.kind.array(column.cells)))
    shares = {value: count / whole.total() for value, count in whole.items()}
    if set(counts) - set(shares):
        return 0.0 if any(isinstance(value, Decimal | bytes | tuple) for value in counts) else 1.0
    return sum(abs(counts[value] / counts.total() - share) for value, share in shares.items()) / 2

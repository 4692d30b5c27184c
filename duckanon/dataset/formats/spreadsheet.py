"""Sheets of an Excel workbook or an OpenDocument spreadsheet."""

from collections.abc import Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from duckanon.dataset.dialect import has_years, header_of, looks_like_header
from duckanon.dataset.location import Source
from duckanon.dataset.private_copy import damaged, import_reader, is_whole, only_table, write_parquet
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError

_HEAD_ROWS = 200

Row = list[Any]


def convert(engine: Engine, source: Source, path: Path) -> str | None:
    """Write a sheet to a Parquet file; return the column that is a row index without a name."""
    import pyarrow as pa

    rows, depth = _table(engine, source)
    first = [
        " ".join(dict.fromkeys(text for row in rows[:depth] if (text := _text(row[number])))) for number in range(len(rows[0]))
    ]
    shown = [[_text(cell) for cell in row] for row in rows[depth : depth + _HEAD_ROWS]]
    header = header_of([first, *shown], source.shown(source.files[0]))
    records = rows if header.is_record else rows[depth:]
    columns = dict(zip(header.names, zip(*records, strict=True) if records else ((),) * len(first), strict=True))
    kept = {name: cells for name, cells in columns.items() if name not in header.unnamed or any(map(_is_filled, cells))}
    for note in header.notes_of(source.shown(source.files[0]), [name for name in header.unnamed if name not in kept]):
        engine.observer.note(note)
    table = pa.table({name: _array(cells) for name, cells in kept.items()})
    write_parquet(path, source, table.schema, table.to_batches())
    return header.row_index


def _table(engine: Engine, source: Source) -> tuple[list[Row], int]:
    """The rows of the sheet from the header on, and the number of rows that the header takes."""
    calamine = import_reader("python_calamine", source)
    try:
        with calamine.CalamineWorkbook.from_path(source.files[0]) as book:
            sheet = book.get_sheet_by_name(only_table(source, book.sheet_names, "sheet"))
            rows: list[Row] = sheet.to_python(skip_empty_area=True)
            merged = sheet.merged_cell_ranges or []
            start = sheet.start or (0, 0)
    except calamine.PasswordError as error:
        raise InputError(f"{source.name!r} is protected by a password; save it without one") from error
    except (calamine.CalamineError, OSError) as error:
        raise damaged(source) from error
    ranges = [(top - start[0], left - start[1], bottom - start[0], right - start[1]) for (top, left), (bottom, right) in merged]
    titles = 0
    while titles < len(rows) and len(rows[0]) > 1 and sum(map(_is_filled, rows[titles])) <= 1:
        titles += 1
    if len(rows) <= titles:
        raise InputError(f"{source.name!r} has no table: it has no columns and no rows; name another sheet, FILE::SHEET")
    if titles:
        lines = "line" if titles == 1 else f"{titles} lines"
        engine.observer.note(f"the first {lines} of {source.shown(source.files[0])} are read as a title, not as a header")
    # names over several columns may have the names of these below
    named = [bottom - top + 1 + (right > left) for top, left, bottom, right in ranges if top == titles and bottom < len(rows)]
    depth = min(max(named, default=1), len(rows) - titles)
    while depth > 1 and not all(_is_header(rows[titles:], row, ranges) for row in range(1, depth)):
        depth -= 1
    for top, left, bottom, right in ranges:
        if top < titles or bottom >= len(rows):
            continue
        for row in range(top, min(bottom, titles + depth - 1) + 1 if top < titles + depth else bottom + 1):
            rows[row][left : right + 1] = [rows[top][left]] * (right + 1 - left)
    return rows[titles:], depth


def _is_header(rows: Sequence[Row], number: int, ranges: Sequence[tuple[int, int, int, int]]) -> bool:
    """Whether a row below a merged name holds names too, and no record: by the rows below, else by the cells that it leaves empty."""
    texts = [[_text(cell) for cell in row] for row in rows[number : number + _HEAD_ROWS]]
    columns = range(len(texts[0]))
    answers = {looks_like_header([[row[column]] for row in texts]) for column in columns}
    answer = looks_like_header(texts)
    if answer is not None:
        return answer and (False not in answers or has_years(texts[0]))
    merged = {column for _, left, _, right in ranges if right > left for column in range(left, right + 1)}
    others = [column for column in columns if column not in merged]
    return bool(others) and not any(texts[0][column] and _is_filled(rows[0][column]) for column in others)


def _array(cells: Sequence[Any]) -> Any:
    """The cells as an Arrow array: of one type if all have it, else of text."""
    import pyarrow as pa

    types = {type(cell) for cell in cells if _is_filled(cell)}
    values = [cell if _is_filled(cell) else None for cell in cells]
    if not types:
        return pa.array(values, pa.string())
    if types == {bool}:
        return pa.array(values, pa.bool_())
    if types <= {int, float}:
        array = pa.array(values, pa.float64())
        return array.cast(pa.int64()) if all(value is None or is_whole(value) for value in values) else array
    if types == {date}:
        return pa.array(values, pa.date32())
    if types <= {date, datetime}:
        return pa.array([_moment(value) for value in values], pa.timestamp("us"))
    if types == {time}:
        return pa.array(values, pa.time64("us"))
    return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _moment(value: date | datetime | None) -> datetime | None:
    return datetime.combine(value, time()) if isinstance(value, date) and not isinstance(value, datetime) else value


def _is_filled(cell: Any) -> bool:
    return cell is not None and cell != ""


def _text(cell: Any) -> str:
    """A cell as a sheet shows it."""
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case float() if is_whole(cell):
            return str(int(cell))
        case datetime():
            return cell.isoformat(sep=" ")
    return str(cell).strip()

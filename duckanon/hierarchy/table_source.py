"""The rows that a hierarchy lists, opened as `listed_<column>`: its CSV or Parquet file, its own lines, or the ordered values of the data."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from duckanon.dataset.dialect import consistent
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS
from duckanon.hierarchy.lookup import reading

_HEAD_CHARACTERS = 1 << 16
_HEADS = ("value", "child")
_LARGEST_TABLE = 1 << 30


def listed_rows(engine: Engine, column: Column, rows: Sequence[Sequence[Any]] | None) -> Statement:
    """Create the view `listed_<column>` of the spec's own lines, or of the ordered values of the data."""
    if rows is None:
        listed = render("hierarchy/listings/values", f"listed_{column.name}", column=column.name)
    else:
        listed = render("hierarchy/listings/rows", f"listed_{column.name}", rows=rows)
    if rows is not None or has_values(engine, column):
        with reading(column):
            engine.create_view(listed)
    return listed


def opened(
    engine: Engine, column: Column, file: Path | None, rows: Iterable[Sequence[str | None]]
) -> tuple[list[str], Statement]:
    """Create the view `listed_<column>` and return the names of its cells."""
    if file is None:
        lines = list(rows)
        return [f"cell_{number}" for number in range(len(lines[0]))], listed_rows(engine, column, lines)
    return _open(engine, column, file, _listed(engine, column, file))


def _listed(engine: Engine, column: Column, path: Path) -> Statement:
    if not path.is_file():
        fault = "is a folder" if path.is_dir() else "does not exist"
        raise HierarchyError(
            f"the file {str(path)!r} of the hierarchy of column {column.name!r} {fault}; name a CSV or Parquet file"
        )
    check_size(path)
    relation, named = f"listed_{column.name}", escaped(engine.allow(path).absolute())
    if path.suffix.casefold() == ".parquet":
        return render("hierarchy/listings/file", relation, path=named, delimiter=None)
    dialect = dialect_of(path, column.name)
    return render(
        "hierarchy/listings/file",
        relation,
        path=named,
        delimiter=dialect.delimiter,
        header=dialect.header,
        columns={f"cell_{number}": "varchar" for number in range(dialect.columns)},
    )


def _open(engine: Engine, column: Column, path: Path, statement: Statement) -> tuple[list[str], Statement]:
    try:
        cells = [cell.name for cell in engine.describe(statement)]
        engine.create_view(statement)
    except EngineError as error:
        fault = "is not a readable Parquet file" if path.suffix.casefold() == ".parquet" else f"cannot be read: {error}"
        raise HierarchyError(f"hierarchy {str(path)!r} of column {column.name!r} {fault}") from error
    if len(cells) < 2:
        raise HierarchyError(
            f"hierarchy {str(path)!r} of column {column.name!r} has one column; write the value and at least its top, separated by ';' or ','"
        )
    if len(cells) > MOST_LEVELS + 1:
        raise HierarchyError(f"hierarchy {str(path)!r} has {len(cells) - 1:,} levels, more than {MOST_LEVELS}")
    return cells, statement


def has_values(engine: Engine, column: Column) -> bool:
    """Whether the values of the data are available."""
    return f"values_{column.name}" in engine.names


@dataclass(frozen=True)
class CountedValues:
    """The values of a column that are not missing, their rows, and the number of characters of the longest."""

    longest: int
    values: int
    rows: int


def counted_values(engine: Engine, column: Column) -> CountedValues:
    """The values of the data; raises `HierarchyError` if there is none."""
    if not has_values(engine, column):
        raise HierarchyError(
            f"the number of levels of column {column.name!r} depends on the data; "
            "set `length` for a redaction, or `priorities` for a priority"
        )
    [counts] = engine.query(render("hierarchy/longest_value", column=column.name))
    return CountedValues(*map(int, counts))


@dataclass(frozen=True)
class TableFileDialect:
    """The format of a CSV hierarchy file."""

    delimiter: str
    header: bool
    columns: int


def check_size(path: Path) -> None:
    """Raise `HierarchyError` if a file is too large to be a hierarchy."""
    if path.is_file() and (size := path.stat().st_size) > _LARGEST_TABLE:
        raise HierarchyError(
            f"hierarchy {str(path)!r} has {size / 2**30:.1f} GiB, more than 1; a hierarchy lists each value once, so check that this is not the data"
        )


def dialect_of(path: Path, column: str) -> TableFileDialect:
    """The delimiter (`;`, `,` or tab) that fits the first lines, and whether the file has a header."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.read(_HEAD_CHARACTERS)
            # whole lines, unless the first line is longer than the part that was read
            first = head if len(head) < _HEAD_CHARACTERS else head[: head.rfind("\n") + 1] or head
    except UnicodeDecodeError as error:
        raise HierarchyError(f"hierarchy {str(path)!r} is not UTF-8 text; save it as UTF-8, or as Parquet") from error
    delimiter = consistent(first, ";,\t") or (";" if ";" in first.partition("\n")[0] else ",")
    try:
        cells = next(csv.reader(StringIO(first), delimiter=delimiter), [])
    except csv.Error as error:
        raise HierarchyError(
            f"hierarchy {str(path)!r} is not a readable CSV file ({str(error).partition(' - ')[0]}); save it again as UTF-8 text"
        ) from error
    if len(cells) < 2 and not any(cell.strip() for cell in cells):
        raise HierarchyError(
            f"hierarchy {str(path)!r} is empty, or its first line is; write value;level 1;...;top, one line per value"
        )
    if len(cells) > MOST_LEVELS + 1:
        raise HierarchyError(f"hierarchy {str(path)!r} has more than {MOST_LEVELS} levels; write each value on its own line")
    return TableFileDialect(delimiter=delimiter, header=is_header(cells, column), columns=len(cells))


def is_header(cells: list[str], column: str) -> bool:
    """Whether a first line is a header: it begins with `value`, `child` or the name of the column."""
    return bool(cells) and cells[0].strip().casefold() in (*_HEADS, column.casefold())


def lines_of(path: Path, column: str, wanted: set[str]) -> dict[str, list[int]]:
    """The lines whose first cell is a wanted value, by value."""
    dialect = dialect_of(path, column)
    lines: dict[str, list[int]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=dialect.delimiter)
        for cells in reader:
            if cells and cells[0] in wanted:
                lines.setdefault(cells[0], []).append(reader.line_num)
    return lines

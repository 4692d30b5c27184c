"""Value tables and pairs in CSV files: how one is written."""

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from duckanon.dataset.delimiters import consistent
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS

_HEAD_CHARACTERS = 1 << 16
_HEADS = ("value", "child")
_LARGEST_TABLE = 1 << 30


@dataclass(frozen=True)
class TableFileDialect:
    """How a CSV hierarchy file is written."""

    delimiter: str
    header: bool
    columns: int


def check_size(path: Path) -> None:
    """Raises `HierarchyError` for a file that is too large to be a hierarchy."""
    if path.is_file() and (size := path.stat().st_size) > _LARGEST_TABLE:
        raise HierarchyError(
            f"hierarchy {str(path)!r} has {size / 2**30:.1f} GiB, more than 1; it lists each value once, so is this the data itself?"
        )


def dialect_of(path: Path, column: str) -> TableFileDialect:
    """The delimiter (`;`, `,` or tab) that fits the first lines, and whether a header leads."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.read(_HEAD_CHARACTERS)
            # whole lines, unless the first is longer than all that is looked at
            first = head if len(head) < _HEAD_CHARACTERS else head[: head.rfind("\n") + 1] or head
    except UnicodeDecodeError as error:
        raise HierarchyError(f"hierarchy {str(path)!r} is not UTF-8 text; save it as UTF-8, or as Parquet") from error
    delimiter = consistent(first, ";,\t") or (";" if ";" in first.partition("\n")[0] else ",")
    try:
        cells = next(csv.reader(StringIO(first), delimiter=delimiter), [])
    except csv.Error as error:
        raise HierarchyError(
            f"hierarchy {str(path)!r} is no CSV that can be read ({str(error).partition(' - ')[0]}); save it anew, as UTF-8 text"
        ) from error
    if len(cells) < 2 and not any(cell.strip() for cell in cells):
        raise HierarchyError(
            f"hierarchy {str(path)!r} is empty, or its first line is; write value;level 1;...;top, a line a value"
        )
    if len(cells) > MOST_LEVELS + 1:
        raise HierarchyError(f"hierarchy {str(path)!r} has more than {MOST_LEVELS} levels; is each value on a line of its own?")
    return TableFileDialect(delimiter=delimiter, header=is_header(cells, column), columns=len(cells))


def is_header(cells: list[str], column: str) -> bool:
    """Whether a first line names the columns: it begins with `value`, `child` or the column's own name."""
    return bool(cells) and cells[0].strip().casefold() in (*_HEADS, column.casefold())


def lines_of(path: Path, column: str, wanted: set[str]) -> dict[str, list[int]]:
    """The lines on which each wanted value stands in the first cell."""
    dialect = dialect_of(path, column)
    lines: dict[str, list[int]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=dialect.delimiter)
        for cells in reader:
            if cells and cells[0] in wanted:
                lines.setdefault(cells[0], []).append(reader.line_num)
    return lines

"""CSV files with value tables or pairs: delimiter, header and size."""

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from duckanon.dataset.dialect import consistent
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS

_HEAD_CHARACTERS = 1 << 16
_HEADS = ("value", "child")
_LARGEST_TABLE = 1 << 30


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

"""The rows of a release as a recipient reads them, each cell as it is compared."""

import gzip
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from tests.trust.fuzz.tables import read_csv


@dataclass(frozen=True)
class Released:
    """The rows of a release, each cell as it is compared."""

    names: Sequence[str]
    rows: Sequence[tuple[Hashable, ...]]
    is_text: bool
    """Whether every cell is a text, as in CSV."""

    def of(self, names: Sequence[str]) -> list[tuple[Hashable, ...]]:
        at = [self.names.index(name) for name in names]
        return [tuple(row[place] for place in at) for row in self.rows]


def read(path: Path | None, output: str, printed: bytes = b"") -> Released:
    """The release as a recipient reads it."""
    if path is None:
        return _from_csv(printed.decode(), ",")
    if "::" in output:
        with duckdb.connect(str(path), read_only=True) as connection:
            quoted = output.partition("::")[2].replace('"', '""')
            return _from_arrow(connection.sql(f'from "{quoted}"').to_arrow_table())
    if path.is_dir():
        return _from_folder(path)
    if path.name.endswith(".gz"):
        return _from_csv(gzip.decompress(path.read_bytes()).decode(), ",")
    if path.name.endswith((".csv", ".tsv")):
        return _from_csv(path.read_bytes().decode(), "\t" if path.name.endswith(".tsv") else ",")
    return _from_arrow(pq.ParquetFile(path).read())


def _from_csv(text: str, delimiter: str) -> Released:
    names, *rows = read_csv(text, delimiter)
    return Released([name or "" for name in names], [tuple(row) for row in rows], is_text=True)


def _from_arrow(table: pa.Table) -> Released:
    columns = [plain(column) for column in table.columns]
    rows = list(zip(*columns, strict=True)) if columns else [()] * table.num_rows
    return Released(table.column_names, rows, is_text=False)


def _from_folder(folder: Path) -> Released:
    """The columns inside the files; those of the folders' names count as they are written there."""
    names, rows = list[str](), list[tuple[Hashable, ...]]()
    for path in sorted(folder.rglob("*.parquet")):
        part = _from_arrow(pq.ParquetFile(path).read())
        named = tuple(name for name in path.relative_to(folder).parent.parts if "=" in name)
        names = [*part.names, "folder"]
        rows += [(*row, "/".join(named)) for row in part.rows]
    return Released(names, rows, is_text=False)


def plain(column: pa.ChunkedArray | pa.Array) -> list[Hashable]:
    """Cells that compare as they count: NaN is one value, -0.0 is 0.0, time is a number."""
    type = column.type
    if pa.types.is_date32(type):
        column = column.cast(pa.int32())
    elif pa.types.is_timestamp(type):
        column = column.cast(pa.int64())
        factor = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[type.unit]
        return [None if cell is None else cell * factor for cell in column.to_pylist()]
    elif pa.types.is_time64(type):
        column = column.cast(pa.int64())
    return [counted(cell) for cell in column.to_pylist()]


def counted(cell: Any) -> Hashable:
    """A cell as it counts."""
    match cell:
        case float() if math.isnan(cell):
            return "NaN"
        case float():
            return cell + 0.0
        case list():
            return tuple(map(counted, cell))
        case dict():
            return tuple((key, counted(entry)) for key, entry in cell.items())
        case tuple():
            return tuple(map(counted, cell))
    content: Hashable = cell
    return content

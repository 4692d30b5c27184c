"""Rows in files, written and read without duckanon."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a Parquet file."""
    with duckdb.connect() as connection:
        cursor = connection.execute("select * from read_parquet(?)", [str(path)])
        names = [column[0] for column in cursor.description or []]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def multiset(path: Path) -> Counter[str]:
    """Count the rows of a Parquet file, each as JSON with sorted keys."""
    return Counter(json.dumps(row, sort_keys=True, default=str) for row in read_rows(path))


def write_parquet(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows to a Parquet file; return its path."""
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def write_table(path: Path, lines: Sequence[Sequence[str]]) -> Path:
    """Write a value table (value;level 1;...;top); return its path."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(lines)
    return path

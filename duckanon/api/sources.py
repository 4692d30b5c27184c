"""The table or path that a call is given."""

from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.engine import tables
from duckanon.engine.scratch import Scratch
from duckanon.errors import JobError


def handed(source: Any, table: str | None, scratch: Scratch) -> Path | str | Source | None:
    """A path unchanged; a table of another program as a private file."""
    if not tables.is_table(source):
        if table is not None:
            raise JobError(f"table={table!r} names a table of a DuckDB connection; write a file's table as FILE.duckdb::TABLE")
        path_or_name: Path | str | None = source
        return path_or_name
    path = scratch.path / "handed.parquet"
    name = tables.spool(source, path, table)
    return Source(name, "parquet", (path,), is_handed=True)

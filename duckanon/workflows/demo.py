"""Synthetic persons with the columns of UCI Adult, to try duckanon without a download."""

from pathlib import Path

from duckanon.dataset import destination
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.staging import StagedFiles
from duckanon.engine.templates import render
from duckanon.errors import EngineError, JobError, OutputError
from duckanon.observers import Observer


def demo(path: Path, rows: int = 30_000, *, overwrite: bool = False, observer: Observer | None = None) -> int:
    """Write `rows` persons to a Parquet or CSV file; return their number. The same number gives the same persons."""
    if not isinstance(rows, int) or rows < 1:
        raise JobError(f"--rows {rows!r} is not a number of rows; give at least 1")
    place = destination.destination(str(path))
    if place.path is None:
        raise JobError("`demo` writes a file; name one with -o")
    destination.check(place, overwrite=overwrite)
    with DuckDBEngine(observer=observer) as engine, StagedFiles(engine.scratch) as staged:
        draft = staged.of(place.path, overwrite=overwrite)
        try:
            written = engine.write(render("demo/adult", rows=rows), draft, place.form, stage="generating persons")
        except EngineError as error:
            raise OutputError(f"output {str(path)!r} could not be written: {error}") from error
        staged.publish()
    return written

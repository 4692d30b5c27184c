"""Synthetic tables of persons, to try duckanon without a download."""

from pathlib import Path
from typing import get_args

from duckanon.choices import DemoTable
from duckanon.dataset import destination
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.staging import StagedFiles
from duckanon.engine.templates import render
from duckanon.errors import EngineError, JobError, OutputError, did_you_mean
from duckanon.observers import Observer


def demo(
    path: Path, rows: int = 30_000, *, kind: str = "adult", overwrite: bool = False, observer: Observer | None = None
) -> int:
    """Write `rows` rows of a kind of table to a Parquet or CSV file; return their number. The same number gives the same persons.

    Kinds: `adult` (the columns of UCI Adult), `visits` (several rows for a patient, with notes) and `survey` (weights, codes of missing values).
    """
    if kind not in get_args(DemoTable):
        raise JobError(f"demo has no table {kind!r}{did_you_mean(str(kind), get_args(DemoTable))}")
    if not isinstance(rows, int) or rows < 1:
        raise JobError(f"--rows {rows!r} is not a number of rows; give at least 1")
    place = destination.destination(str(path))
    if place.path is None:
        raise JobError("`demo` writes a file; name one with -o")
    destination.check(place, overwrite=overwrite)
    with DuckDBEngine(observer=observer) as engine, StagedFiles(engine.scratch) as staged:
        draft = staged.of(place.path, overwrite=overwrite)
        try:
            written = engine.write(render(f"demo/{kind}", rows=rows), draft, place.form, stage="generating persons")
        except EngineError as error:
            raise OutputError(f"output {str(path)!r} could not be written: {error}") from error
        staged.publish()
    return written

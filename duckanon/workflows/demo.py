"""Made-up people in the columns of UCI Adult, so that everything can be tried without a download."""

from pathlib import Path

from duckanon.dataset import destination
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.staging import Drafts
from duckanon.engine.templates import render
from duckanon.errors import EngineError, JobError, OutputError
from duckanon.observers import Observer


def demo(path: Path, rows: int = 30_000, *, overwrite: bool = False, observer: Observer | None = None) -> int:
    """Writes `rows` people to a Parquet or CSV file; gives their number. The same number gives the same people."""
    if not isinstance(rows, int) or rows < 1:
        raise JobError(f"--rows {rows!r} makes no file; ask for at least 1")
    place = destination.destination(str(path))
    if place.path is None:
        raise JobError("`demo` writes a file; name one with -o")
    destination.check(place, overwrite=overwrite)
    with DuckDBEngine(observer=observer) as engine, Drafts(engine.scratch) as drafts:
        draft = drafts.of(place.path, overwrite=overwrite)
        try:
            written = engine.write(render("demo/adult", rows=rows), draft, place.form, stage="making people up")
        except EngineError as error:
            raise OutputError(f"output {str(path)!r} could not be written: {error}") from error
        drafts.publish()
    return written

"""The destination of a release, checked before any work."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from duckanon.engine.protocol import Compression, Form
from duckanon.errors import JobError, OutputError

STANDARD_OUTPUT = "-"
TABLE_MARK = "::"
"""Between a DuckDB file and one of its tables, in inputs and outputs."""
_FORMS = {
    ".parquet": Form("parquet"),
    ".pq": Form("parquet"),
    ".csv": Form("csv"),
    ".tsv": Form("csv", delimiter="\t"),
}
_COMPRESSIONS: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
_DATABASES = (".duckdb", ".db", ".ddb")


@dataclass(frozen=True)
class Destination:
    """A file, a folder of partitions, a table in a file of its own, or standard output (path None)."""

    path: Path | None
    form: Form

    @property
    def name(self) -> str:
        if self.path is None:
            return STANDARD_OUTPUT
        return str(self.path) if self.form.table is None else f"{self.path}{TABLE_MARK}{self.form.table}"


def destination(
    name: str, partition_by: Sequence[str] = (), *, has_parts: bool = False, ending: str | None = None
) -> Destination:
    """The destination that the name of an output means; raises `JobError` if nothing can be written there.

    A name without an ending is written as one with `ending` would be, uncompressed. A cluster writes in parts, a folder of Parquet files.
    """
    if name == STANDARD_OUTPUT:
        place = Destination(None, Form("csv"))
    else:
        file, mark, table = name.rpartition(TABLE_MARK)
        place = (
            _database(Path(file), table)
            if mark
            else Destination(
                Path(name),
                _form(Path(name), is_folder=has_parts or bool(partition_by), ending=None if name.endswith("/") else ending),
            )
        )
    if has_parts:
        if place.form.format != "parquet":
            raise JobError(f"a cluster writes a folder of Parquet files, but output {name!r} is none; name a folder")
        place = replace(place, form=replace(place.form, has_parts=True))
    if not partition_by:
        return place
    if place.form.format != "parquet":
        raise JobError(f"output.partition-by writes a folder of Parquet files, but output {name!r} is none; name a folder")
    return replace(place, form=replace(place.form, partition_by=tuple(partition_by)))


def _database(path: Path, table: str) -> Destination:
    if not table or not path.name:
        raise JobError(f"output {str(path)!r} names no table; write {path.name or 'FILE.duckdb'}{TABLE_MARK}TABLE")
    return Destination(path, Form("duckdb", table=table))


def _form(path: Path, *, is_folder: bool, ending: str | None = None) -> Form:
    if not path.suffix and ending is not None and not is_folder:
        return replace(_form(Path(f"file{ending}"), is_folder=False), compression=None)
    suffix = path.suffix.casefold()
    compression = _COMPRESSIONS.get(suffix)
    form = _FORMS.get(path.with_suffix("").suffix.casefold() if compression else suffix)
    if suffix in _DATABASES:
        raise JobError(f"output {str(path)!r} is a DuckDB file; name the table too: {path}{TABLE_MARK}release")
    if form is None and is_folder:
        return Form("parquet")
    if form is None or (compression and form.format != "csv"):
        raise JobError(
            f"output {str(path)!r} is neither Parquet nor CSV by its name; end it in .parquet, .csv, .csv.gz, "
            f"or name a table: FILE.duckdb{TABLE_MARK}TABLE"
        )
    return replace(form, compression=compression)


def check(place: Destination, *, overwrite: bool, is_ours: bool = False) -> None:
    """Raise `OutputError` if the destination exists or is not writable; `is_ours`: a manifest beside it describes it."""
    path = place.path
    if path is None:
        return
    named = repr(str(path))
    if path.is_dir() and not (place.form.is_folder and overwrite and is_ours):
        raise OutputError(
            f"output {named} is a folder; name a file in it"
            if not place.form.is_folder
            else f"output folder {named} exists; --overwrite replaces only a folder that holds nothing but a release; name another"
        )
    if os.path.lexists(path) and not path.is_dir() and place.form.is_folder:
        raise OutputError(f"output {named} is a file, and a folder is to be written; name another")
    if path.exists() and not path.is_dir() and not path.is_file():
        raise OutputError(
            f"output {named} is not a regular file, and would be replaced by one; name another, or - for standard output"
        )
    if os.path.lexists(path) and not overwrite:
        raise OutputError(f"output {named} exists; give --overwrite, or name another file")
    if path.is_file() and place.form.table is not None and not is_ours:
        raise OutputError(f"{named} exists and holds more than a release; name another file")
    if place.form.table is not None and (log := beside(path, ".wal")).exists():
        raise OutputError(f"{str(log)!r} is the log of a killed session on {named}; open that file once, or move the log away")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OutputError(f"the folder {str(folder)!r} of the output does not exist; make it, or name another")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"the folder {str(folder)!r} of the output cannot be written to; choose another")


def beside(path: Path, ending: str) -> Path:
    """A companion of an output: its name and an ending."""
    return path.with_name(f"{path.name}{ending}")


def file_sha256(draft: Path) -> str:
    """Flush the staged file to the disk, and return its SHA-256.

    The SHA-256 of a folder is that of the lines `SHA-256  relative/path` of its files, sorted by path.
    """
    if draft.is_dir():
        files = sorted((file.relative_to(draft).as_posix(), file) for file in draft.rglob("*") if file.is_file())
        lines = "".join(f"{file_sha256(file)}  {name}\n" for name, file in files)
        return hashlib.sha256(lines.encode()).hexdigest()
    with draft.open("rb") as file:
        os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()

"""What the user named as input: the files behind it, and their kind."""

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from duckanon.dataset.destination import TABLE_MARK
from duckanon.dataset.partitions import partitions_of
from duckanon.errors import InputError, JobError, nearest

Kind = Literal["parquet", "csv", "json", "duckdb"]

STANDARD_INPUT = "-"

_KINDS: dict[str, Kind] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
COMPRESSED = (".gz", ".zst")
_PARQUET, _ENCRYPTED_PARQUET, _DUCKDB = b"PAR1", b"PARE", b"DUCK"
_DUCKDB_OFFSET = 8
_OTHER_FORMATS = {
    b"PK\x03\x04": ("an Excel workbook or a ZIP archive", "save the sheet as CSV in UTF-8, or unpack the archive"),
    b"\xd0\xcf\x11\xe0": ("an Excel workbook", "save the sheet as CSV in UTF-8"),
    b"\x1f\x8b": ("compressed with gzip", "rename it to end in .csv.gz or .jsonl.gz"),
    b"\x28\xb5\x2f\xfd": ("compressed with Zstandard", "rename it to end in .csv.zst or .jsonl.zst"),
}
"""Formats that are not read as they are, by their first bytes: what they are, and what to do."""


@dataclass(frozen=True)
class Source:
    """An input that exists: files of one kind in a fixed order, or one table of a database file."""

    name: str
    """As the user wrote it."""
    kind: Kind
    files: tuple[Path, ...]
    folder: Path | None = None
    """The folder that was named, where one was."""
    table: str | None = None
    names: tuple[str, ...] | None = None
    """The columns of a CSV file without a header."""
    is_pattern: bool = False
    is_handed: bool = False
    """Whether a program handed a table over, which lies in `files` for as long as it is used."""

    @property
    def is_lasting(self) -> bool:
        """Whether the name finds it again."""
        return not self.is_handed and self.name != STANDARD_INPUT

    @property
    def path(self) -> Path:
        """The file or folder that stands for the input."""
        return self.folder or self.files[0]

    def anywhere(self) -> "Source":
        """The same, whatever the working folder is."""
        folder = None if self.folder is None else self.folder.absolute()
        return replace(self, files=tuple(file.absolute() for file in self.files), folder=folder)

    @property
    def stem(self) -> str | None:
        """The name to call a release after; None where several files were named by a pattern, or none."""
        if self.name == STANDARD_INPUT or self.is_pattern:
            return None
        if self.table is not None:
            return self.table.rpartition(".")[2]
        return self.path.name if self.folder is not None else _bare(self.path).stem

    @property
    def ending(self) -> str:
        """The ending of a file in the format of the input; Parquet for what is neither Parquet nor CSV."""
        if self.kind != "csv" or not self.files:
            return ".csv" if self.kind == "csv" else ".parquet"
        file = self.files[0]
        compression = file.suffix.casefold() if file.suffix.casefold() in COMPRESSED else ""
        return f"{'.tsv' if _bare(file).suffix.casefold() == '.tsv' else '.csv'}{compression}"

    @cached_property
    def partitions(self) -> dict[str, str]:
        """The columns that folder names give (`year=2020/`), with the type that holds all their values unchanged.

        Raises `InputError` where the files do not agree on them.
        """
        return {} if len(self.files) == 1 and self.folder is None else partitions_of(self.files)

    def relative_to(self, folder: Path) -> str:
        """The input as it is named from another folder."""
        file, mark, table = self.name.rpartition(TABLE_MARK) if self.table is not None else (_local(self.name), "", "")
        return f"{os.path.relpath(file, folder)}{mark}{table}"

    def covers(self, path: Path) -> bool:
        """Whether a file of that name is, or would be taken for, part of the input."""
        target = path.absolute()
        if self.folder is not None:
            return target.resolve().is_relative_to(self.folder.resolve())
        if any(path.exists() and path.samefile(file) for file in self.files):
            return True
        return self.is_pattern and _matches(target.parts, Path(_local(self.name)).absolute().parts)


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path, by its parts, matches a pattern; `**` stands for any number of folders."""
    if not pattern or not parts:
        return not pattern and not parts
    if pattern[0] == "**":
        return _matches(parts, pattern[1:]) or _matches(parts[1:], pattern)
    return fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def locate(name: Path | str, names: Sequence[str] | None = None) -> Source:
    """Finds the input; raises `InputError` or `JobError` where there is nothing to read."""
    source = _located(_local(str(name)))
    if names is not None:
        if source.kind != "csv":
            raise JobError(
                f"--columns names the columns of a CSV file without a header, but {source.name!r} is {label(source.kind)}; leave it out"
            )
        repeated = [column for column in names if list(names).count(column) > 1]
        if repeated:
            raise JobError(f"--columns names {repeated[0]!r} twice; a column has one name")
    return replace(source, names=tuple(names) if names is not None else None)


def spooled(name: str, path: Path, names: Sequence[str] | None) -> Source:
    """What came in on standard input and lies in a file now: Parquet by its first bytes, else CSV."""
    head = _head(path)
    if not head:
        raise InputError("standard input is empty: it has no columns and no rows")
    return Source(name, "parquet" if head.startswith(_PARQUET) else "csv", (path,), names=tuple(names) if names else None)


def label(kind: Kind) -> str:
    """A kind as people write it."""
    return {"parquet": "Parquet", "csv": "CSV", "json": "JSON lines", "duckdb": "a DuckDB file"}[kind]


def _local(name: str) -> str:
    """The name without `file://`; raises `InputError` for what lies on another machine."""
    scheme, mark, rest = name.partition("://")
    if not mark or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme):
        return name
    if scheme.casefold() == "file":
        return unquote(rest)
    raise InputError(
        f"{scheme}:// lies on another machine, and nothing is fetched from there: copy the file here first, "
        "or copy it into a table with DuckDB and name that (FILE.duckdb::TABLE)"
    )


def _located(name: str) -> Source:
    file, mark, table = name.rpartition(TABLE_MARK)
    if mark and not Path(name).exists():
        return _database(name, Path(file), table)
    path = Path(name)
    if path.is_dir():
        return _folder(name, path)
    if not path.exists():
        if glob.has_magic(name):
            return _pattern(name)
        raise InputError(f"no such file: {name!r}{_neighbour(path)}")
    return Source(name, _kind(path), (path,))


def _database(name: str, path: Path, table: str) -> Source:
    if not path.is_file():
        raise InputError(f"no such file: {str(path)!r}{_neighbour(path)}")
    if not table:
        raise JobError(f"{name!r} names no table; write {path}{TABLE_MARK}TABLE")
    return Source(name, "duckdb", (path,), table=table)


def _folder(name: str, path: Path) -> Source:
    matches = [
        file
        for file in sorted(path.rglob("*"))
        if file.is_file() and not any(part.startswith((".", "_")) for part in _named_parts(file.relative_to(path)))
    ]
    files = [file for file in matches if _kind_by_name(file) is not None]
    if not files:
        raise InputError(f"{name!r} is a folder without Parquet, CSV or JSON files; name a file, or a folder that has some")
    return Source(name, _common_kind(name, files), tuple(files), folder=path)


def _named_parts(path: Path) -> list[str]:
    """A path's parts, without those that give a column its value."""
    return [part for part in path.parts if "=" not in part]


def _pattern(name: str) -> Source:
    files = [Path(file) for file in sorted(glob.glob(name, recursive=True)) if Path(file).is_file()]  # noqa: PTH207 - the pattern may be absolute
    if not files:
        raise InputError(f"no file matches {name!r}; quote the pattern, and check its folder")
    return Source(name, _common_kind(name, files), tuple(files), is_pattern=True)


def _common_kind(name: str, files: Sequence[Path]) -> Kind:
    kinds = {file: _kind(file) for file in files}
    for file, kind in kinds.items():
        if kind != kinds[files[0]]:
            raise InputError(
                f"{name!r} holds {label(kinds[files[0]])} ({files[0].name}) and {label(kind)} ({file.name}); name files of one kind"
            )
        if (file.suffix.casefold() in COMPRESSED) != (files[0].suffix.casefold() in COMPRESSED):
            raise InputError(
                f"{name!r} holds compressed files and others ({files[0].name}, {file.name}); name files of one kind"
            )
    return kinds[files[0]]


def _kind(path: Path) -> Kind:
    """A file's kind by its first bytes, else by its name."""
    head = _head(path)
    if not head:
        raise InputError(f"{str(path)!r} is empty: it has no columns and no rows")
    if head.startswith(_PARQUET):
        return "parquet"
    if head.startswith(_ENCRYPTED_PARQUET):
        raise InputError(f"{str(path)!r} is an encrypted Parquet file; decrypt it first")
    if head[_DUCKDB_OFFSET:].startswith(_DUCKDB):
        raise InputError(f"{str(path)!r} is a DuckDB file; name one of its tables: {path}{TABLE_MARK}TABLE")
    for start, (what, way) in _OTHER_FORMATS.items():
        if head.startswith(start) and path.suffix.casefold() not in COMPRESSED:
            raise InputError(f"{str(path)!r} is {what}; {way}")
    kind = "csv" if not path.suffix and not head.startswith((b"{", b"[")) else _kind_by_name(path)
    if kind is None:
        raise InputError(
            f"{str(path)!r} is no Parquet, CSV or JSON file by its name; rename it to end in .csv or .jsonl where it is one of them, "
            "or convert it to Parquet"
        )
    return kind


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_DUCKDB_OFFSET + len(_DUCKDB))
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}; check its permissions") from error


def _kind_by_name(path: Path) -> Kind | None:
    return _KINDS.get(_bare(path).suffix.casefold())


def _bare(path: Path) -> Path:
    """A file's name without the mark of its compression."""
    return path.with_suffix("") if path.suffix.casefold() in COMPRESSED else path


def _neighbour(path: Path) -> str:
    siblings = [sibling.name for sibling in path.parent.iterdir()] if path.parent.is_dir() else []
    near = nearest(path.name, siblings)
    return f"; did you mean {str(path.with_name(near))!r}?" if near else "; `duckanon demo` makes a file to try"

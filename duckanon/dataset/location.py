"""The input that the user names: its files, their format, and the columns that the names of folders give (`year=2020/part.parquet`)."""

import glob
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from duckanon.dataset.destination import TABLE_MARK
from duckanon.dataset.file_format import (
    COMPRESSED,
    HAS_TABLES,
    LABELS,
    FileFormat,
    Kind,
    bare,
    format_of,
    kind_by_name,
    table_name,
)
from duckanon.dataset.types import DETECTED, Notations
from duckanon.engine.protocol import Compression
from duckanon.errors import InputError, JobError, nearest

STANDARD_INPUT = "-"
_NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__"


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
    """Whether the library was called with a table of another program, which is in `files` while it is used."""
    notations: Notations = DETECTED
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The codes that are read as NULL, by column."""
    detects_missing: bool = False
    """Whether other codes that stand out from the type of their column are read as NULL too."""
    reads_missing_tokens: bool = False
    """Whether usual marks of missing values beside dates that are text are read as NULL."""
    as_written: bool = False
    """Whether different texts of a column stay different values: what is measured is the file, not what it means."""
    drops_malformed: bool = False
    """Whether malformed lines of CSV files are left out."""
    encoding: str | None = None
    """The encoding of text files that are not UTF-8, if it is known."""
    compression: Compression | None = None
    member: str | None = None
    """The only file of a ZIP archive, which is the input."""
    is_copy: bool = False
    """Whether `files` are converted copies in the engine's private folder."""
    row_index: str | None = None
    """Of a converted file: the first column, if it has no name."""

    @property
    def is_lasting(self) -> bool:
        """Whether a later run finds the input by this name."""
        return not self.is_handed and self.name != STANDARD_INPUT

    @property
    def path(self) -> Path:
        """The file or folder that stands for the input."""
        return self.folder or self.files[0]

    def shown(self, path: Path) -> str:
        """How messages name one of the files."""
        if len(self.files) == 1:
            return "standard input" if self.name == STANDARD_INPUT else repr(self.name)
        return repr(path.name if self.is_copy else str(path))

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
        return self.path.name if self.folder is not None else bare(self.path).stem

    @property
    def ending(self) -> str:
        """The ending of a release: that of the input if it is CSV, `.csv` for a spreadsheet, otherwise `.parquet`."""
        if self.kind == "spreadsheet":
            return ".csv"
        if self.kind != "csv" or not self.files:
            return ".csv" if self.kind == "csv" else ".parquet"
        file = self.files[0]
        compression = file.suffix.casefold() if file.suffix.casefold() in COMPRESSED else ""
        return f"{'.tsv' if bare(file).suffix.casefold() == '.tsv' else '.csv'}{compression}"

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
    """Find the input; raises `InputError` or `JobError` if there is nothing to read."""
    source = _located(_local(str(name)))
    if names is not None:
        if source.kind != "csv":
            raise JobError(
                f"`names` gives the columns of a CSV file without a header, but {source.name!r} is {LABELS[source.kind]}; leave it out"
            )
        repeated = [column for column in names if list(names).count(column) > 1]
        if repeated:
            raise JobError(f"`names` has {repeated[0]!r} twice; a column has one name")
    return replace(source, names=tuple(names) if names is not None else None)


def spooled(name: str, path: Path, names: Sequence[str] | None) -> Source:
    """Standard input, which is in a file now."""
    if not path.stat().st_size:
        raise InputError("standard input is empty: it has no columns and no rows")
    return replace(_single(name, path, format_of(path, "standard input")), names=tuple(names) if names else None)


def _local(name: str) -> str:
    """The name without `file://`; raises `InputError` for what lies on another machine."""
    scheme, mark, rest = name.partition("://")
    if not mark or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme):
        return name
    if scheme.casefold() == "file":
        return unquote(rest)
    raise InputError(
        f"{scheme}:// is on another machine, and duckanon fetches nothing from there: copy the file here first, "
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
    form = format_of(path)
    if form.kind == "duckdb":
        raise InputError(f"{str(path)!r} is a DuckDB file; name one of its tables: {table_name(path)}")
    return _single(name, path, form)


def _single(name: str, path: Path, form: FileFormat) -> Source:
    return Source(name, form.kind, (path,), compression=form.compression, member=form.member)


def _database(name: str, path: Path, table: str) -> Source:
    """A table of a database file, or a sheet of a spreadsheet."""
    if not path.is_file():
        raise InputError(f"no such file: {str(path)!r}{_neighbour(path)}")
    if not table:
        raise JobError(f"{name!r} names no table; write {table_name(path)}")
    kind = format_of(path).kind
    if kind not in HAS_TABLES:
        raise InputError(f"{str(path)!r} is {LABELS[kind]} and holds one table, unlike a DuckDB file; write {path}")
    return Source(name, kind, (path,), table=table)


def _folder(name: str, path: Path) -> Source:
    matches = [
        file
        for file in sorted(path.rglob("*"))
        if file.is_file() and not any(part.startswith((".", "_")) for part in _named_parts(file.relative_to(path)))
    ]
    files = [file for file in matches if kind_by_name(file) is not None]
    if not files:
        raise InputError(f"{name!r} is a folder without Parquet, CSV or JSON files; name a file, or a folder that has some")
    return _several(name, files, folder=path)


def _named_parts(path: Path) -> list[str]:
    """A path's parts, without those that give a column its value."""
    return [part for part in path.parts if "=" not in part]


def _pattern(name: str) -> Source:
    files = [Path(file) for file in sorted(glob.glob(name, recursive=True)) if Path(file).is_file()]  # noqa: PTH207 - the pattern may be absolute
    if not files:
        raise InputError(f"no file matches {name!r}; quote the pattern, and check its folder")
    return _several(name, files, is_pattern=True)


def _several(name: str, files: Sequence[Path], *, folder: Path | None = None, is_pattern: bool = False) -> Source:
    """Files of one format; raises `InputError` if they differ."""
    formats = {file: format_of(file) for file in files}
    first = formats[files[0]]
    for file, form in formats.items():
        if form.kind != first.kind:
            raise InputError(
                f"{name!r} holds {LABELS[first.kind]} ({files[0].name}) and {LABELS[form.kind]} ({file.name}); name files of one kind"
            )
        if form.compression != first.compression:
            raise InputError(
                f"{name!r} holds compressed files and others ({files[0].name}, {file.name}); name files of one kind"
            )
        if len(files) > 1 and (form.kind not in ("parquet", "csv", "json") or form.member is not None):
            what = "a ZIP archive" if form.member is not None else LABELS[form.kind]
            raise InputError(f"{name!r} holds several files, and {file.name} is {what}, which is read alone; name one file")
    if first.kind == "duckdb":
        raise InputError(f"{str(files[0])!r} is a DuckDB file; name one of its tables: {table_name(files[0])}")
    return replace(_single(name, files[0], first), files=tuple(files), folder=folder, is_pattern=is_pattern)


def _neighbour(path: Path) -> str:
    siblings = [sibling.name for sibling in path.parent.iterdir()] if path.parent.is_dir() else []
    near = nearest(path.name, siblings)
    return f"; did you mean {str(path.with_name(near))!r}?" if near else "; `duckanon demo` makes a file to try"


def partitions_of(files: Sequence[Path]) -> dict[str, str]:
    """The columns of all files, with the type that keeps their values unchanged; raises `InputError` if the files differ."""
    keys = [_keys(file) for file in files]
    for file, values in zip(files, keys, strict=True):
        if [*values] != [*keys[0]]:
            raise InputError(
                f"{str(file)!r} is partitioned by {_listed(values)}, {str(files[0])!r} by {_listed(keys[0])}; "
                "name one folder whose files all lie equally deep"
            )
    return {name: _type([values[name] for values in keys]) for name in keys[0]}


def _keys(file: Path) -> dict[str, str]:
    parts = [part.partition("=") for part in file.absolute().parent.parts if "=" in part]
    return {name: unquote(value) for name, _, value in parts}


def _type(values: Sequence[str]) -> str:
    known = [value for value in values if value != _NULL_PARTITION]
    if all(re.fullmatch(r"0|-?[1-9]\d{0,17}", value) for value in known):
        return "bigint"
    return "date" if all(_is_date(value) for value in known) else "varchar"


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _listed(names: dict[str, str]) -> str:
    return ", ".join(names) or "nothing"

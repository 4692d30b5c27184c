"""The format of a file: recognized by its first bytes, and only for text by its name."""

import io
import re
import shlex
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from duckanon.dataset.destination import TABLE_MARK
from duckanon.engine.protocol import Compression
from duckanon.errors import InputError

Kind = Literal["parquet", "csv", "json", "duckdb", "arrow", "sqlite", "spreadsheet", "spss", "stata", "sas"]

LABELS: Mapping[Kind, str] = {
    "parquet": "Parquet",
    "csv": "CSV",
    "json": "JSON",
    "duckdb": "a DuckDB file",
    "arrow": "Arrow",
    "sqlite": "a SQLite file",
    "spreadsheet": "a spreadsheet",
    "spss": "an SPSS file",
    "stata": "a Stata file",
    "sas": "a SAS file",
}
"""How messages name each kind."""

HAS_TABLES: tuple[Kind, ...] = ("duckdb", "sqlite", "spreadsheet")
"""Kinds of files that hold several tables: `FILE::TABLE`."""

COMPRESSED: Mapping[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
BY_NAME: Mapping[str, Kind] = {
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

_HEAD_BYTES = 1024
_KINDS: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"PAR1", "parquet"),
    (8, b"DUCK", "duckdb"),
    (0, b"ARROW1", "arrow"),
    (0, b"FEA1", "arrow"),
    (0, b"\xff\xff\xff\xff", "arrow"),
    (0, b"SQLite format 3\0", "sqlite"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "spreadsheet"),
    (0, b"$FL2", "spss"),
    (0, b"$FL3", "spss"),
    (0, b"<stata_dta>", "stata"),
    (0, b"HEADER RECORD*******LIB", "sas"),
    (12, b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11", "sas"),
)
"""Formats that are read: offset and bytes. `FFFFFFFF` begins each message of an Arrow stream."""
_OLD_STATA = re.compile(rb"[\x69-\x73][\x01\x02]\x01\x00")
_COMPRESSIONS: tuple[tuple[bytes, Compression], ...] = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
_ZIP = b"PK\x03\x04"
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
"""Bytes that text has not, and each binary format has in its first bytes."""
_JSON = re.compile(rb'\s*(\[\s*)?\{\s*["}]|\s*\[\s*\]')
_POSTGRES = "a PostgreSQL dump", r"""psql DATABASE -c "\copy TABLE to 'TABLE.csv' csv header" exports a table"""
_MYSQL = "a MySQL dump", "mysql --batch -e 'select * from TABLE' DATABASE > TABLE.tsv exports a table"
_R = "an R data file", "Rscript -e 'write.csv(readRDS(commandArgs(TRUE)), \"table.csv\")' {file} converts it"
_PAGE = "an XML or HTML page", "save the table as CSV in the program that wrote it"
_REFUSED: tuple[tuple[int, bytes, tuple[str, str]], ...] = (
    (0, b"PARE", ("an encrypted Parquet file", "decrypt it first")),
    (0, b"PGDMP", _POSTGRES),
    (0, b"--\n-- PostgreSQL database", _POSTGRES),
    (0, b"-- MySQL dump", _MYSQL),
    (0, b"-- MariaDB dump", _MYSQL),
    (0, b"RDX", _R),
    (0, b"X\n\0\0", _R),
    (0, b"BZh", ("compressed with bzip2", "bunzip2 -k {file} unpacks it")),
    (0, b"\xfd7zXZ\0", ("compressed with xz", "unxz -k {file} unpacks it")),
    (0, b"7z\xbc\xaf\x27\x1c", ("a 7-Zip archive", "7z x {file} unpacks it")),
    (257, b"ustar", ("a tar archive", "tar xf {file} unpacks it")),
    (0, b"ORC", ("an ORC file", "convert it to Parquet: orc-contents {file} prints it as JSON lines")),
    (0, b"Obj\x01", ("an Avro file", "avro cat {file} > table.jsonl converts it")),
    (0, b"%PDF", ("a PDF file", "save the table as CSV in the program that wrote it")),
    (0, b"<?xml", _PAGE),
    (0, b"<html", _PAGE),
    (0, b"<!DOCTYPE", _PAGE),
    (0, b"<table", _PAGE),
)
"""Formats that are not read: offset and bytes, what the file is, and one command that converts it."""


@dataclass(frozen=True)
class FileFormat:
    """What a file holds."""

    kind: Kind
    compression: Compression | None = None
    member: str | None = None
    """The only file of a ZIP archive, which `kind` describes."""


def format_of(path: Path, name: str | None = None) -> FileFormat:
    """The format of a file, which messages call `name`; raises `InputError` if duckanon does not read it."""
    named = repr(name or str(path))
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise InputError(f"{named} cannot be read: {error.strerror}; check its permissions") from error
    if not head:
        raise InputError(f"{named} is empty: it has no columns and no rows")
    if head.startswith(_ZIP):
        return _in_archive(path, named)
    compression = next((compression for start, compression in _COMPRESSIONS if head.startswith(start)), None)
    if compression is None:
        return FileFormat(_kind(head, path, named))
    try:
        with opened(path, compression) as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise InputError(f"{named} cannot be read as a compressed file; is it complete?") from error
    kind = _kind(head, path, named)
    if kind not in ("csv", "json"):
        command = "gunzip -k" if compression == "gzip" else "zstd -d"
        raise InputError(f"{named} is {LABELS[kind]} compressed with {compression}; {command} {_quoted(path)} unpacks it")
    return FileFormat(kind, compression)


def kind_by_name(path: Path) -> Kind | None:
    """The kind that the ending of a name stands for."""
    return BY_NAME.get(bare(path).suffix.casefold())


def bare(path: Path) -> Path:
    """A file's name without the ending of its compression."""
    return path.with_suffix("") if path.suffix.casefold() in COMPRESSED else path


def opened(path: Path, compression: Compression | None) -> BinaryIO:
    """The bytes of a file, decompressed."""
    if compression is None:
        return path.open("rb")
    import pyarrow as pa

    return io.BufferedReader(pa.input_stream(str(path), compression=compression))


def _kind(head: bytes, path: Path, named: str) -> Kind:
    """The kind of a file by its first bytes; text that is not JSON is CSV, unless the name says JSON."""
    for offset, start, (what, way) in _REFUSED:
        if _begins(head, offset, start):
            raise InputError(f"{named} is {what}; {way.format(file=_quoted(path))}")
    for offset, start, kind in _KINDS:
        if _begins(head, offset, start) or (kind == kind_by_name(path) and head[offset:].startswith(start)):
            return kind
    if _OLD_STATA.match(head):
        return "stata"
    text = head.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff").replace(b"\0", b"")
    if _JSON.match(text):
        return "json"
    by_name = kind_by_name(path)
    if by_name == "json":
        return by_name
    if by_name is None and b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(
            f"{named} is in no format that duckanon reads; convert it to CSV or Parquet in the program that wrote it"
        )
    return "csv"


def _begins(head: bytes, offset: int, start: bytes) -> bool:
    """Whether a file has these bytes there; letters only in a binary file, since the text of a CSV file may have them too."""
    return head[offset:].startswith(start) and not (start.isalnum() and _CONTROL.search(head) is None)


def _in_archive(path: Path, named: str) -> FileFormat:
    """The format of the only file of a ZIP archive; a spreadsheet is such an archive itself."""
    file = _quoted(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [
                member
                for member in archive.infolist()
                if not member.is_dir()
                and not member.filename.startswith("__MACOSX/")
                and not Path(member.filename).name.startswith(".")
            ]
            names = [member.filename for member in members]
            if any(name.startswith("xl/workbook.") for name in names) or _is_open_document(archive):
                return FileFormat("spreadsheet")
            if len(members) != 1:
                some = ", ".join(names[:5]) + (" and more" if len(names) > 5 else "")
                first = f"unzip {file} {shlex.quote(names[0])} unpacks the first" if names else "name another file"
                raise InputError(f"{named} is a ZIP archive of {len(names)} files{f' ({some})' if names else ''}; {first}")
            if members[0].flag_bits & 1:
                raise InputError(f"{named} is an encrypted ZIP archive; unzip {file} unpacks it")
            with archive.open(members[0]) as inside:
                head = inside.read(_HEAD_BYTES)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise InputError(f"{named} cannot be read as a ZIP archive; is it complete?") from error
    if not head:
        raise InputError(f"{named} holds an empty file: it has no columns and no rows")
    if head.startswith((_ZIP, *(start for start, _ in _COMPRESSIONS))):
        raise InputError(f"{named} holds another archive; unzip {file} unpacks it")
    return FileFormat(_kind(head, Path(names[0]), named), member=names[0])


def _is_open_document(archive: zipfile.ZipFile) -> bool:
    return "mimetype" in archive.namelist() and b"opendocument.spreadsheet" in archive.read("mimetype")


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))


def table_name(path: Path) -> str:
    """How to name a table of a file."""
    return f"{path}{TABLE_MARK}TABLE"

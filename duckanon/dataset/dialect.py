"""How a CSV file is written: its delimiter and the names of its columns, by its first bytes."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path

from duckanon.dataset.delimiters import consistent
from duckanon.dataset.encoding import HEAD_BYTES, decompressed
from duckanon.dataset.header import Header, header_of, looks_like_header
from duckanon.dataset.location import Source
from duckanon.errors import InputError

_DELIMITERS = ";\t|,"
_RARE = "#~^\u00a6\u00a7\x1f\x1e\x01"
"""Delimiters of few programs: taken if the first line has none of the others."""
_UNUSUAL = ":/ !*&"
"""What may separate columns, and is more often a part of one."""
_DECLARATION = "sep="
"""Begins the line that Excel writes before the header to name the delimiter."""


@dataclass(frozen=True)
class Dialect:
    """The delimiter, the lines to skip, and the names of the columns."""

    delimiter: str
    skipped: int
    """Lines before the header or the first record."""
    header: Header
    records: Sequence[Sequence[str]] = field(default=(), compare=False, repr=False)
    """The first records, without the header."""
    may_have_header: bool = field(default=False, compare=False)
    """Whether the first line looks like names, although the user gave names."""
    may_separate: str | None = field(default=None, compare=False)
    """What could be the delimiter of a file that is read as one column."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.header.names


def dialect_of(source: Source) -> Dialect:
    """The dialect of all files of a CSV input; raises `InputError` if they differ."""
    first = _dialect(source.files[0], source)
    for file in source.files[1:]:
        other = _dialect(file, source)
        if (other.delimiter, other.skipped, other.names) == (first.delimiter, first.skipped, first.names):
            continue
        if other.delimiter != first.delimiter:
            difference = f"has the delimiter {other.delimiter!r}, {source.shown(source.files[0])} has {first.delimiter!r}"
        elif set(other.names) & set(first.names):
            difference = f"names the columns {', '.join(other.names)}, {source.shown(source.files[0])} {', '.join(first.names)}"
        else:
            difference = f"begins with another line than {source.shown(source.files[0])}, which names the columns"
        raise InputError(f"{source.shown(file)} {difference}; make the files alike, or name one of them")
    return first


def _dialect(path: Path, source: Source) -> Dialect:
    head, declared, skipped = _head(path, source), None, 0
    if head.casefold().startswith(_DECLARATION) and len(line := head.partition("\n")[0].rstrip("\r")) == len(_DECLARATION) + 1:
        declared, skipped = line[-1], 1
        head = head.partition("\n")[2]
    commonest = _commonest(head)
    rare = None if commonest in head.partition("\n")[0] else consistent(head, _RARE)
    delimiter = declared or consistent(head, _DELIMITERS) or rare or commonest
    records = _records(head, delimiter)
    if head.count(delimiter) == head.count(f"{delimiter} ") > 0:
        delimiter = f"{delimiter} "
        records = [[cell.removeprefix(" ") for cell in record] for record in records]
    if not records:
        raise InputError(f"{source.shown(path)} holds only empty lines: it has no columns and no rows")
    if source.names is not None:
        return _with_names(
            Dialect(delimiter, skipped, Header(source.names, is_record=True), records), records, source.shown(path)
        )
    header = header_of(records, source.shown(path))
    other = consistent(head, _UNUSUAL) if {len(record) for record in records} == {1} and declared is None else None
    may_separate = other if other is not None and records[0][0].count(other) > 1 else None
    return Dialect(delimiter, skipped, header, records if header.is_record else records[1:], may_separate=may_separate)


def _with_names(dialect: Dialect, records: Sequence[Sequence[str]], file: str) -> Dialect:
    """The dialect with the names that the user gave; raises `InputError` if the file has the same."""
    first = records[0]
    if (
        any(first)
        and len(first) == len(dialect.names)
        and all(cell in ("", name) for cell, name in zip(first, dialect.names, strict=True))
    ):
        raise InputError(f"the first line of {file} holds these names already; leave --columns out")
    return replace(dialect, may_have_header=looks_like_header(records) is True)


def _head(path: Path, source: Source) -> str:
    """The first complete lines of a file in UTF-8; a byte that is no text is left to DuckDB, which names its line."""
    with decompressed(path, source) as stream:
        read = stream.read(HEAD_BYTES)
    whole = read[: read.rfind(b"\n") + 1] if len(read) == HEAD_BYTES and b"\n" in read else read
    return whole.decode("utf-8-sig", errors="replace")


def _commonest(head: str) -> str:
    """The delimiter that the first line holds most often."""
    first = head.partition("\n")[0]
    return max(reversed(_DELIMITERS), key=first.count)


def _records(head: str, delimiter: str) -> list[list[str]]:
    # the module's limit for all readers, which a long text may exceed
    before, records = csv.field_size_limit(HEAD_BYTES), list[list[str]]()
    try:
        for record in csv.reader(StringIO(head, newline=""), delimiter=delimiter):
            records += [record] if record else []
    except csv.Error as error:
        if not records:
            raise InputError(
                f"the first line of the CSV file cannot be read ({error}); check that each quote is closed"
            ) from error
    finally:
        csv.field_size_limit(before)
    # the engine names the line of a fault behind the first ones
    return records

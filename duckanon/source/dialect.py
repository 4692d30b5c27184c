"""How a CSV file is written: its delimiter and the names in its header, from its first bytes."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import BinaryIO

from duckanon.delimiters import consistent
from duckanon.errors import InputError
from duckanon.source.location import COMPRESSED, Source

_HEAD_BYTES = 1 << 18
_DELIMITERS = ";\t|,"


@dataclass(frozen=True)
class Dialect:
    """The delimiter, whether the first line holds the names, and the names."""

    delimiter: str
    header: bool
    names: tuple[str, ...]


def dialect_of(source: Source) -> Dialect:
    """What all files of a CSV input share; raises `InputError` where they do not."""
    first = _dialect(source.files[0], source.names)
    for file in source.files[1:]:
        other = _dialect(file, source.names)
        if other == first:
            continue
        if other.delimiter != first.delimiter:
            difference = f"is parted by {other.delimiter!r}, {str(source.files[0])!r} by {first.delimiter!r}"
        elif set(other.names) & set(first.names):
            difference = f"names the columns {', '.join(other.names)}, {str(source.files[0])!r} {', '.join(first.names)}"
        else:
            difference = f"begins with another line than {str(source.files[0])!r}, which names the columns"
        raise InputError(f"{str(file)!r} {difference}; make the files alike, or name one of them")
    return first


def _dialect(path: Path, names: Sequence[str] | None) -> Dialect:
    head = _head(path)
    records = _records(head, delimiter := consistent(head, _DELIMITERS) or _commonest(head))
    if head.count(delimiter) == head.count(f"{delimiter} ") > 0:
        delimiter = f"{delimiter} "
        records = [[cell.removeprefix(" ") for cell in record] for record in records]
    if names is not None:
        if (
            records
            and any(records[0])
            and len(records[0]) == len(names)
            and all(cell in ("", name) for cell, name in zip(records[0], names, strict=True))
        ):
            raise InputError(
                f"the first line of {str(path)!r} holds these names already; leave --columns out, and name every column there"
            )
        return Dialect(delimiter, header=False, names=tuple(names))
    if not records:
        raise InputError(f"{str(path)!r} has no line with names; give --columns a,b,c")
    for number, cell in enumerate(records[0], start=1):
        if _is_number(cell):
            raise InputError(
                f"the first line of {str(path)!r} holds a number where the name of column {number} should stand; "
                "give --columns a,b,c where it has no header"
            )
        if not cell.strip():
            raise InputError(
                f"column {number} has no name in the first line of {str(path)!r}; write one there, or give --columns a,b,c where the "
                "file has no header"
            )
    return Dialect(delimiter, header=True, names=tuple(records[0]))


def _stream(path: Path) -> BinaryIO:
    if path.suffix.casefold() not in COMPRESSED:
        return path.open("rb")
    import pyarrow as pa

    stream: BinaryIO = pa.input_stream(str(path), compression="detect")
    return stream


def _head(path: Path) -> str:
    """The first lines of a file, decompressed where its name says so."""
    try:
        with _stream(path) as stream:
            read = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read as a compressed file; is it complete?") from error
    whole = read[: read.rfind(b"\n") + 1] if len(read) == _HEAD_BYTES and b"\n" in read else read
    try:
        return whole.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = whole.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{str(path)!r} is not UTF-8 text (line {line}); convert it first, as with iconv -f cp1252 -t utf-8 where it comes from Windows"
        ) from error


def _commonest(head: str) -> str:
    """The delimiter that the first line holds most often."""
    first = head.partition("\n")[0]
    return max(reversed(_DELIMITERS), key=first.count)


def _records(head: str, delimiter: str) -> list[list[str]]:
    try:
        return [record for record in csv.reader(StringIO(head, newline=""), delimiter=delimiter) if record]
    except csv.Error as error:
        raise InputError(f"the CSV file's first lines cannot be read: {error}") from error


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip().casefold() not in ("nan", "inf", "infinity")

"""How a CSV file is written: its delimiter and the names in its header, from its first bytes."""

import codecs
import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import BinaryIO

from duckanon.dataset.delimiters import consistent
from duckanon.dataset.location import COMPRESSED, Source
from duckanon.dataset.marks import FOLDED_MARKS
from duckanon.errors import InputError

_HEAD_BYTES = 1 << 18
_LEAST_NULS = 0.25
"""Of all bytes, so many at even or at odd places are NUL in UTF-16 text of a western language."""
_DELIMITERS = ";\t|,"


@dataclass(frozen=True)
class Dialect:
    """The delimiter, whether the first line holds the names, and the names."""

    delimiter: str
    header: bool
    names: tuple[str, ...]
    may_have_header: bool = field(default=False, compare=False)
    """Whether the first line looks like names, although names are given."""


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
    if not records:
        raise InputError(f"{str(path)!r} holds empty lines alone: it has no columns and no rows")
    is_header = _is_header(records)
    if names is not None:
        if (
            any(records[0])
            and len(records[0]) == len(names)
            and all(cell in ("", name) for cell, name in zip(records[0], names, strict=True))
        ):
            raise InputError(
                f"the first line of {str(path)!r} holds these names already; leave --columns out, and name every column there"
            )
        return Dialect(delimiter, header=False, names=tuple(names), may_have_header=is_header is True)
    for number, cell in enumerate(records[0], start=1):
        if _is_number(cell):
            raise InputError(
                f"the first line of {str(path)!r} holds a number where the name of column {number} should stand; "
                + _ways(is_header, "write a name there that is no number")
            )
        if not cell.strip():
            raise InputError(
                f"column {number} has no name in the first line of {str(path)!r}; " + _ways(is_header, "write one there")
            )
    return Dialect(delimiter, header=True, names=tuple(records[0]))


def _ways(is_header: bool | None, named: str) -> str:
    """What to do about a first line that does not name every column, by what it looks like."""
    if is_header is None:
        return f"{named} where that line is a header, or give --columns a,b,c where it is a record"
    return named if is_header else "give --columns a,b,c, since that line looks like a record"


def _is_header(records: Sequence[Sequence[str]]) -> bool | None:
    """Whether the first line holds names, by the lines below; None where they do not tell.

    Text above numbers is a name. A number above numbers, or a text that stands below it too, is a value.
    """
    answers: set[bool] = set()
    for number, first in enumerate(records[0]):
        below = [record[number] for record in records[1:] if number < len(record) and not _is_mark(record[number])]
        if _is_mark(first) or not below:
            continue
        if all(map(_is_number, below)):
            answers.add(not _is_number(first))
        elif first in below:
            answers.add(False)
    return True in answers if answers else None


def _is_mark(cell: str) -> bool:
    """Whether a cell is empty, or a usual mark of a missing value."""
    return cell.strip().casefold() in ("", *FOLDED_MARKS)


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
        if (wide := _wide_encoding(read)) is not None:
            raise InputError(f"{str(path)!r} is not UTF-8 text, but {wide.upper()}; convert it first: iconv -f {wide} -t utf-8")
        return whole.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = whole.count(b"\n", 0, error.start) + 1
        raise InputError(f"{str(path)!r} is not UTF-8 text (line {line}); {_way_to_text(read)}") from error


def _wide_encoding(head: bytes) -> str | None:
    """The encoding of text in units of two or four bytes: by its byte order mark, or by where its NULs stand."""
    for mark, name in ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32")):
        if head.startswith(mark):
            return name
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) < _LEAST_NULS * len(head):
        return None
    return "utf-16be" if even > odd else "utf-16le"


def _way_to_text(head: bytes) -> str:
    """How to convert what is not UTF-8: from the code page of Windows where its bytes can be that."""
    control = any(byte < 0x20 and byte not in b"\t\n\r\f" for byte in head)
    try:
        head.decode("cp1252")
    except UnicodeDecodeError:
        control = True
    if control:
        return "save it as CSV in UTF-8 where it was made, or as Parquet"
    return "convert it first, where it comes from Windows in a western language: iconv -f cp1252 -t utf-8"


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

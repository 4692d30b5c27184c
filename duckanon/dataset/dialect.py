"""How a CSV file is written: its delimiter, whether its first line holds the names of the columns, and the names that it lacks."""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path

from duckanon.dataset.location import Source
from duckanon.dataset.missing import is_missing_token
from duckanon.dataset.names import unique_name, unique_names
from duckanon.dataset.private_copy import HEAD_BYTES, first_lines
from duckanon.errors import InputError

_DELIMITERS = ";\t|,"
_RARE = "#~^\u00a6\u00a7\x1f\x1e\x01"
"""Delimiters of few programs: taken if the first line has none of the others."""
_UNUSUAL = ":/ !*&"
"""What may separate columns, and is more often a part of one."""
_DECLARATION = "sep="
"""Begins the line that Excel writes before the header to name the delimiter."""
_NUMBER = re.compile(r"\s*[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+\s*")
_DATE = re.compile(r"\s*(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2}))([ T]\d{1,2}:\d{2}(:\d{2})?)?\s*")
_YEAR = re.compile(r"(18|19|20)\d\d")
_LEAST_YEARS = 2
_ROW_INDEX = "row"


@dataclass(frozen=True)
class Header:
    """The names of a CSV file's columns, in the order of its cells."""

    names: tuple[str, ...]
    is_record: bool
    """Whether the first line is a record."""
    row_index: str | None = None
    """The column that R and pandas write without a name: the number or name of each row."""
    unnamed: tuple[str, ...] = ()
    """Columns that have no name in the file; those without values are left out."""
    notes: tuple[str, ...] = ()

    def notes_of(self, file: str, left_out: Collection[str]) -> Iterator[str]:
        """Notes about the names that duckanon gave, for the columns of a file that are read."""
        yield from self.notes
        if self.row_index is not None and self.row_index not in left_out:
            yield f"the first column of {file} has no name; duckanon calls it {self.row_index!r}: it is read as a row index"
        if named := [name for name in self.unnamed if name not in left_out]:
            yield f"{file} has columns without a name; duckanon calls them {', '.join(named)}"


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
    # a byte that is no text is left to DuckDB, which names its line
    head, declared, skipped = first_lines(path, source).decode("utf-8-sig", errors="replace"), None, 0
    if head.casefold().startswith(_DECLARATION) and len(line := head.partition("\n")[0].rstrip("\r")) == len(_DECLARATION) + 1:
        declared, skipped = line[-1], 1
        head = head.partition("\n")[2]
    first = head.partition("\n")[0]
    commonest = max(reversed(_DELIMITERS), key=first.count)
    rare = None if commonest in first else consistent(head, _RARE)
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
        raise InputError(f"the first line of {file} holds these names already; leave `names` out")
    return replace(dialect, may_have_header=looks_like_header(records) is True)


def _records(head: str, delimiter: str) -> list[list[str]]:
    records = list[list[str]]()
    try:
        with longest_cell(HEAD_BYTES):
            for record in csv.reader(StringIO(head, newline=""), delimiter=delimiter):
                records += [record] if record else []
    except csv.Error as error:
        # the engine names the line of a fault behind the first ones
        if not records:
            raise InputError(
                f"the first line of the CSV file cannot be read ({error}); check that each quote is closed"
            ) from error
    return records


@contextmanager
def longest_cell(size: int) -> Iterator[None]:
    """Have Python read cells up to this size: the limit is the same for all readers of its module."""
    before = csv.field_size_limit(size)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def consistent(head: str, candidates: str) -> str | None:
    """The first candidate that separates every record of the head into the same number of cells, more than one."""
    for delimiter in candidates:
        try:
            records = [record for record in csv.reader(StringIO(head), delimiter=delimiter) if record]
        except csv.Error:
            continue
        widths = {len(record) for record in records}
        if len(widths) == 1 and widths != {1}:
            return delimiter
    return None


def header_of(records: Sequence[Sequence[str]], file: str) -> Header:
    """The header of a file, which messages call `file`, by its first records; raises `InputError` if it may be a record too."""
    first = list(records[0])
    is_header = looks_like_header(records)
    number = next((number for number, cell in enumerate(first, start=1) if _is_number(cell)), None)
    if is_header is None and number is not None:
        raise InputError(
            f"the first line of {file} holds a number where the name of column {number} should be; write a name there that is no "
            "number if that line is a header, or give --set 'names=[a, b, c]' if it is a record"
        )
    if is_header is False:
        names = tuple(f"column_{number}" for number in range(1, len(first) + 1))
        note = f"the first line of {file} is a record, not a header: duckanon calls the columns column_1, column_2, ...; name them with --set 'names=[a, b, c]'"
        return Header(names, is_record=True, notes=(note,))
    widths = Counter(map(len, records[1:]))
    return _named(first, max(widths, key=widths.__getitem__, default=len(first)), records[1:], file)


def _named(first: list[str], width: int, records: Sequence[Sequence[str]], file: str) -> Header:
    """The names of a header, with names for the columns that have none."""
    if len(first) == width + 1 and not first[-1].strip():
        first.pop()
    is_index = not first[0].strip() and len(first) > 1
    if width == len(first) + 1:
        # one name is missing: of the last column, if it is empty in all records, else of R's row names
        is_index = any(record[-1] for record in records if len(record) == width)
        first = ["", *first] if is_index else [*first, ""]
    notes = []
    names = unique_names([name for name in first if name.strip()])
    if renamed := [new for old, new in zip((name for name in first if name.strip()), names, strict=True) if old != new]:
        notes.append(f"{file} has columns with the same name; duckanon calls the later ones {', '.join(renamed)}")
    known, all_names, unnamed = iter(names), list[str](), list[str]()
    row_index = None
    for number, name in enumerate(first, start=1):
        if name.strip():
            all_names.append(next(known))
        elif number == 1 and is_index:
            row_index = unique_name(_ROW_INDEX, names)
            all_names.append(row_index)
        else:
            unnamed.append(unique_name(f"column_{number}", names))
            all_names.append(unnamed[-1])
    return Header(tuple(all_names), is_record=False, row_index=row_index, unnamed=tuple(unnamed), notes=tuple(notes))


def looks_like_header(records: Sequence[Sequence[str]]) -> bool | None:
    """Whether the first line holds names, by the lines below; None if they do not decide.

    Text above numbers or dates is a name. A number above numbers, a date above dates, or a text that is also below, is a value. A
    header that is repeated, as in joined files, is no record.
    """
    answers: set[bool] = set()
    first_record = records[0]
    others = [record for record in records[1:] if len(record) == 1 or record != first_record]
    # one cell more than names: row names before the others, unless all records end in a delimiter
    shift = int(all(len(record) == len(first_record) + 1 for record in others) and any(record[-1] for record in others))
    for number, first in enumerate(first_record):
        below = [
            record[number + shift]
            for record in others
            if number + shift < len(record) and not is_missing_token(record[number + shift])
        ]
        if is_missing_token(first) or not below:
            continue
        if all(map(_is_number, below)):
            answers.add(not _is_number(first))
        elif all(map(_DATE.fullmatch, below)):
            answers.add(_DATE.fullmatch(first) is None)
        elif first in below:
            answers.add(False)
    if answers == {False} and has_years(first_record):
        return True
    return True in answers if answers else None


def has_years(cells: Sequence[str]) -> bool:
    """Whether cells are names and years in order, as `country, 2019, 2020`."""
    years = [cell for cell in cells if _YEAR.fullmatch(cell)]
    others = [cell for cell in cells if cell not in years]
    return len(years) >= _LEAST_YEARS and years == sorted(set(years)) and bool(others) and not any(map(_is_number, others))


def _is_number(cell: str) -> bool:
    """Whether a cell is a number with a decimal point or comma."""
    if _NUMBER.fullmatch(cell):
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip().casefold() not in ("nan", "inf", "infinity")

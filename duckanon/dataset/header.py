"""The first line of a CSV file: whether it holds the names of the columns, and the names that it lacks."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from duckanon.dataset.marks import FOLDED_MARKS
from duckanon.dataset.names import unique_name, unique_names
from duckanon.errors import InputError

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


def header_of(records: Sequence[Sequence[str]], file: str) -> Header:
    """The header of a file, which messages call `file`, by its first records; raises `InputError` if it may be a record too."""
    first = list(records[0])
    is_header = looks_like_header(records)
    number = next((number for number, cell in enumerate(first, start=1) if _is_number(cell)), None)
    if is_header is None and number is not None:
        raise InputError(
            f"the first line of {file} holds a number where the name of column {number} should be; write a name there that is no "
            "number if that line is a header, or give --columns a,b,c if it is a record"
        )
    if is_header is False:
        names = tuple(f"column_{number}" for number in range(1, len(first) + 1))
        note = f"the first line of {file} is a record, not a header: duckanon calls the columns column_1, column_2, ...; name them with --columns a,b,c"
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
    shift = 1 if others and all(len(record) == len(first_record) + 1 for record in others) and not _is_trailing(others) else 0
    for number, first in enumerate(first_record):
        below = [
            record[number + shift] for record in others if number + shift < len(record) and not is_mark(record[number + shift])
        ]
        if is_mark(first) or not below:
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


def _is_trailing(records: Sequence[Sequence[str]]) -> bool:
    """Whether all records end in a delimiter."""
    return all(not record[-1] for record in records)


def has_years(cells: Sequence[str]) -> bool:
    """Whether cells are names and years in order, as `country, 2019, 2020`."""
    years = [cell for cell in cells if _YEAR.fullmatch(cell)]
    others = [cell for cell in cells if cell not in years]
    return len(years) >= _LEAST_YEARS and years == sorted(set(years)) and bool(others) and not any(map(_is_number, others))


def is_mark(cell: str) -> bool:
    """Whether a cell is empty, or a usual mark of a missing value."""
    return cell.strip().casefold() in ("", *FOLDED_MARKS)


def _is_number(cell: str) -> bool:
    """Whether a cell is a number with a decimal point or comma."""
    if _NUMBER.fullmatch(cell):
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip().casefold() not in ("nan", "inf", "infinity")

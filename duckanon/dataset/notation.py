"""Numbers and dates in a national format: which one a column of text has, by the first records."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from duckanon.choices import DateOrder, DecimalSign
from duckanon.dataset.header import is_mark

_COMMA = re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?")
_SURELY_COMMA = re.compile(r"-?(\d+,(\d{1,2}|\d{4,})|0,\d+|\d{4,},\d+|.*\.\d{3},\d+)")
_POINT = re.compile(r"-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?")
_SURELY_POINT = re.compile(r"-?\d{1,3}(,\d{3}){2,}|.*,\d{3}\.\d+")
_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2\d{4}( \d{1,2}:\d{2}(:\d{2})?)?")
_MONTHS, _DAYS = 12, 31
EXAMPLES = {"comma": "1.234,56", "point": "1,234.56", "day-first": "31.12.1980", "month-first": "12/31/1980"}
"""A value in each notation; SQL converts them: `sql/dataset/notations.jinja`."""


@dataclass(frozen=True)
class Notations:
    """What the user says of an input: the order of dates and the sign of decimals; None detects them."""

    dates: DateOrder | None = None
    decimal: DecimalSign | None = None

    def of(
        self, names: Sequence[str], records: Sequence[Sequence[str]], delimiter: str, missing: Mapping[str, Collection[str]]
    ) -> Mapping[str, str]:
        """The notation of each column that is not written as SQL writes it, by the first records.

        Marks of missing values have none, nor have the codes in `missing`.
        """
        notations = {}
        for number, name in enumerate(names):
            codes, values = missing.get(name, ()), (record[number] for record in records if number < len(record))
            cells = [value for value in values if not is_mark(value) and value not in codes]
            notation = (self._of_numbers(cells, delimiter) or self._of_dates(cells)) if cells else None
            if notation is not None:
                notations[name] = notation
        return notations

    def _of_numbers(self, cells: Sequence[str], delimiter: str) -> str | None:
        """`1,234` alone may be either; decimal commas are not expected between commas as delimiters."""
        if self.decimal == "text" or not any("," in cell for cell in cells):
            return None
        for notation, pattern, sure in (("comma", _COMMA, _SURELY_COMMA), ("point", _POINT, _SURELY_POINT)):
            if not all(map(pattern.fullmatch, cells)):
                continue
            is_sure = any(map(sure.fullmatch, cells)) and not (notation == "comma" and delimiter.startswith(","))
            if self.decimal == notation or (self.decimal is None and is_sure):
                return notation
        return None

    def _of_dates(self, cells: Sequence[str]) -> str | None:
        """Day first if dots separate the parts, or if some first part is no month; `01/02/1980` alone may be either."""
        matches = [_DATE.fullmatch(cell) for cell in cells]
        if self.dates == "text" or not all(matches):
            return None
        parts = [(int(match[1]), int(match[3])) for match in matches if match is not None]
        is_day_first = all(first <= _DAYS and second <= _MONTHS for first, second in parts)
        is_month_first = all(first <= _MONTHS and second <= _DAYS for first, second in parts)
        has_dots = all("." in cell for cell in cells)
        if is_day_first and (self.dates == "day-first" or (self.dates is None and (has_dots or not is_month_first))):
            return "day-first"
        if is_month_first and (self.dates == "month-first" or (self.dates is None and not is_day_first and not has_dots)):
            return "month-first"
        return None


DETECTED = Notations()


def is_converted(notation: str, type: str, *, holds_numbers: bool) -> bool:
    """Whether all cells of a column could be converted, by the type that the converted text got."""
    if notation in ("comma", "point"):
        return holds_numbers or type in ("bigint", "double") or type.startswith("decimal")
    return type in ("date", "timestamp")


def note(notations: Mapping[str, str], file: str) -> Iterator[str]:
    """One line about the columns that are converted."""
    if notations:
        listed = ", ".join(f"{name} (as {EXAMPLES[notation]})" for name, notation in list(notations.items())[:10])
        more = f" and {len(notations) - 10} more" if len(notations) > 10 else ""
        yield f"numbers and dates of {file} are converted: {listed}{more}; --decimal text and --dates text keep them as text"

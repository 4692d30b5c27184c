"""Numbers in a national format: which one a column of text has, by the first records."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from duckanon.choices import DateOrder, DecimalSign
from duckanon.dataset.header import is_mark

_COMMA = re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?")
_SURELY_COMMA = re.compile(r"-?(\d+,(\d{1,2}|\d{4,})|0,\d+|\d{4,},\d+|.*\.\d{3},\d+)")
_POINT = re.compile(r"-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?")
_SURELY_POINT = re.compile(r"-?\d{1,3}(,\d{3}){2,}|.*,\d{3}\.\d+")
_CURRENCY = r"(?:[€$£¥₹%]|EUR|USD|GBP|CHF|JPY|PLN|CZK|SEK|NOK|DKK|kr|zł|Kč)"
_THOUSANDS = "['\u2019 ]"
_DIGITS = rf"-?[0-9]+(?:(?:[.,]|{_THOUSANDS})[0-9]{{3}})*(?:[.,][0-9]+)?-?"
CURRENCY_AMOUNT = rf"-?{_CURRENCY} ?{_DIGITS}|{_DIGITS} ?{_CURRENCY}"
AMOUNT = (
    rf"{CURRENCY_AMOUNT}|-?[0-9]{{1,3}}(?:(?:,|{_THOUSANDS})[0-9]{{3}})+(?:[.,][0-9]+)?|-?[0-9]{{1,3}}(?:[.][0-9]{{3}}){{2,}}|"
    "-?[0-9.]+,[0-9]+"
)
"""Numbers with a currency, with separators of thousands, or with a decimal comma."""
EXAMPLES = {"comma": "1.234,56", "point": "1,234.56"}
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
            notation = self._of_numbers(cells, delimiter) if cells else None
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


DETECTED = Notations()


def is_converted(type: str, *, holds_numbers: bool) -> bool:
    """Whether all cells of a column could be converted, by the type that the converted text got."""
    return holds_numbers or type in ("bigint", "double") or type.startswith("decimal")

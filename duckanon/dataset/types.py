"""The types of columns of text: a type must print every cell as it is written, or be what a national format of numbers stands for."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from duckanon.choices import DateOrder, DecimalSign
from duckanon.dataset.missing import FOLDED_MISSING_TOKENS, is_missing_token
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, batches, render

_ISO = "timestamp_T"
"""A TIMESTAMP of which every cell has a `T` before the time; tried only where cells must keep their texts apart."""
_TYPES = ("boolean", "bigint", "double", "date", "timestamp", _ISO)
"""The types of a CSV cell in order of preference; decimals come after them."""
_REAL = "real"
"""A DOUBLE that keeps the number and not its decimal places: for numbers that a national format writes otherwise anyway."""
_TEXTS = ("mark", "number")
"""Columns that stay text: only marks of missing values, or numbers and such marks."""
_MOST_STRAY = 0.05
"""A note names a text column if at most this share of its cells is not a number."""
_SAMPLE_CELLS = 20_000
_SAMPLE_ROWS = 1_000
_COLUMNS_AT_ONCE = 50
"""Columns that one statement tries types on: the time to plan it grows with their square."""

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
"""A value in each notation; SQL converts them: `sql/dataset/readers.jinja`."""


@dataclass(frozen=True)
class ReadTypes:
    """What the text of columns is read as."""

    types: dict[str, str]
    numbers: tuple[str, ...]
    """Columns that stay text although all their cells are numbers, or marks of missing values."""
    stray: dict[str, int]
    """Columns of which few cells are no numbers, and how many."""
    empty: frozenset[str] = frozenset()
    """Columns without a value."""
    headers: int = 0
    """Rows that repeat the header, as in joined files."""


@dataclass
class _Tried:
    """How types fit the cells of columns."""

    filled: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    """Decimal places of the numbers of a column, at most."""
    unfit: dict[tuple[str, str], int] = field(default_factory=dict)
    """Cells that a type would change."""
    headers: int = 0


def types_of(
    engine: Engine,
    texts: Statement,
    names: Sequence[str],
    header: Mapping[str, str] | None = None,
    *,
    is_json: bool = False,
    as_written: bool = False,
) -> ReadTypes:
    """The type of each column that is read as text: decided on the first rows, then on all.

    `header`: the names of some columns as they are in the file; a row that holds them is counted.
    `as_written`: a type must keep different texts different, as `2020-01-01T00:00:00` and `2020-01-01 00:00:00`, `-0.0` and `0.0`.
    """
    engine.create_view(texts)
    rows = max(100, min(_SAMPLE_ROWS, _SAMPLE_CELLS // len(names)))
    pairs = [(name, type) for name in names for type in (*_TYPES, *_TEXTS) if as_written or type != _ISO]
    about = {"is_json": is_json, "as_written": as_written}
    sample = _tried(engine, pairs, rows, {}, about)
    candidates = [pair for pair, cells in sample.unfit.items() if cells == 0]
    candidates += [(name, "number") for name in names if 0 < 2 * sample.unfit[name, "number"] <= sample.filled[name]]
    candidates += [
        (name, f"decimal({width}, {places})")
        for name, places in sample.places.items()
        for width in (18, 38)
        if 0 < places < width and (name, "double") not in candidates
    ]
    candidates += [(name, _REAL) for name in texts.parameters["notations"] if name in names]
    whole = _tried(engine, candidates, None, header or {}, about)
    fitting = {pair for pair, cells in whole.unfit.items() if cells == 0 and whole.filled[pair[0]]}
    types_of = {
        name: min((type for column, type in fitting if column == name), key=_preference, default="varchar") for name in names
    }
    numbers = tuple(name for name in names if types_of[name] == "number")
    stray = {
        name: cells
        for (name, type), cells in whole.unfit.items()
        if type == "number" and 0 < cells <= _MOST_STRAY * whole.filled[name] and types_of[name] == "varchar"
    }
    read_as = dict.fromkeys(_TEXTS, "varchar") | {_REAL: "double", _ISO: "timestamp"}
    types = {name: read_as.get(type, type) for name, type in types_of.items()}
    empty = frozenset(name for name, cells in whole.filled.items() if not cells)
    return ReadTypes(types, numbers, stray, empty, whole.headers)


def _preference(type: str) -> tuple[int, str]:
    return len(_TYPES) if type.startswith("decimal") else (*_TYPES, "decimal", _REAL, *_TEXTS).index(type), type


def _tried(
    engine: Engine,
    candidates: Sequence[tuple[str, str]],
    rows: int | None,
    header: Mapping[str, str],
    about: Mapping[str, bool],
) -> _Tried:
    """How the candidates fit the first `rows` rows, or all rows; one scan for every 50 columns."""
    tried = _Tried()
    for part in batches(list(dict.fromkeys(name for name, _ in candidates)), _COLUMNS_AT_ONCE):
        pairs = [pair for pair in candidates if pair[0] in part]
        compared = {} if tried.filled else header
        statement = render(
            "dataset/unfit_cells",
            columns=part,
            candidates=pairs,
            rows=rows,
            header=compared,
            missing_tokens=FOLDED_MISSING_TOKENS,
            **about,
        )
        [row] = engine.query(statement, stage="learning the types of the columns" if rows is None else None)
        counts, unfit = row[: 2 * len(part)], row[2 * len(part) :]
        if compared:
            tried.headers, unfit = unfit[0], unfit[1:]
        tried.filled.update(zip(part, counts[::2], strict=True))
        tried.places.update(zip(part, (places or 0 for places in counts[1::2]), strict=True))
        tried.unfit.update(zip(pairs, unfit, strict=True))
    return tried


def reading_nulls(
    engine: Engine, statement: Statement, columns: Sequence[Column], codes: Mapping[str, Sequence[str]]
) -> Statement:
    """The statement that reads the codes as NULL, and gives each text column the type of its other values."""
    about = dict(statement.parameters)
    texts = [column.name for column in columns if column.name in codes and column.type == "VARCHAR"]
    nulls = {column.name: (list(codes[column.name]), column.type) for column in columns if column.name in codes}
    about["replaced"] = {name: as_text for name, as_text in about["replaced"].items() if name not in nulls}
    read = ReadTypes({}, (), {})
    if texts:
        read = types_of(engine, render("dataset/source", **about | {"nulls": about["nulls"] | nulls}), texts)
    about["nulls"] = about["nulls"] | {name: (tokens, read.types.get(name, type)) for name, (tokens, type) in nulls.items()}
    about["notations"] = {name: (kind, read.types.get(name, type)) for name, (kind, type) in about["notations"].items()}
    about["numbers"] = tuple(sorted({*about["numbers"]} - {*texts} | {*read.numbers}))
    about["stray"] = {name: cells for name, cells in about["stray"].items() if name not in texts}
    return render("dataset/source", **about)


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
            cells = [value for value in values if not is_missing_token(value) and value not in codes]
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

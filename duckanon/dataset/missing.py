"""Missing values: usual marks of them, the codes that stand out from the type of their column, and their treatment."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

from duckanon.choices import MissingPolicy
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import batches, render

USUAL_MISSING_TOKENS = (
    *("?", "NA", "N/A", "n/a", "null", "NULL", "None", "nan", "NaN", "-", "--", ".", ""),
    *("unknown", "Unknown", "missing"),
)
"""Texts that often stand for a missing value."""
FOLDED_MISSING_TOKENS = tuple(sorted({mark.casefold() for mark in USUAL_MISSING_TOKENS}))
"""The same in lower case."""
NOT_NUMBERS = ("nan", "-nan")
"""How a floating-point value that is no number prints; it is read as NULL."""

_DIGITS = 38
_SAMPLE_ROWS = 10_000
_COLUMNS_AT_ONCE = 50
_MOST_CODES, _LONGEST = 3, 12
_LEAST_ROWS = 2
"""Rows with a code that is not a usual mark of missing values."""
_LEAST_TYPED = 0.5
"""Of the filled cells, at least so many must be numbers or dates."""
_NEGATIVE = (-9, -99, -999, -9999)
_STAGE = "looking for codes of missing values"


@dataclass(frozen=True)
class ColumnTokens:
    """The missing values of one column, as values of its type or as texts, and whether NULL is one."""

    tokens: tuple[str | Decimal | float, ...]
    null: bool
    as_text: bool = False


@dataclass(frozen=True)
class MissingRule:
    """The tokens as text, None for NULL; without tokens, only NULL is missing."""

    tokens: tuple[str | None, ...] = ()
    policy: MissingPolicy = "value"
    replaced: tuple[str, ...] = ()
    """The columns of which some texts are read as NULL or as another text: `replaced_texts_<column>`."""

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(token for token in self.tokens if token is not None)

    @property
    def null(self) -> bool:
        # NaN is read as NULL
        return None in self.tokens or not self.tokens or any(map(is_nan, self.texts))

    def dropping(self, columns: list[Column]) -> list[tuple[str, ColumnTokens]]:
        """The columns whose missing values drop a row, each with its tokens; empty unless the policy is `drop`."""
        if self.policy != "drop":
            return []
        rules = [(column.name, self._of(column)) for column in columns]
        return [(name, tokens) for name, tokens in rules if tokens.tokens or tokens.null]

    def generalized(self, column: Column, *, always: bool = False) -> ColumnTokens | None:
        """The values that generalize to the top: the missing ones under the policy `top`, and NULL if `always`."""
        if always:
            return self.tokens_of(column)
        return self._of(column) if self.policy == "top" else None

    def tokens_of(self, column: Column) -> ColumnTokens:
        """The tokens in the type of the column, and NULL."""
        return replace(self._of(column), null=True)

    def _of(self, column: Column) -> ColumnTokens:
        if column.is_text or not column.is_number:
            return ColumnTokens(self.texts, self.null, as_text=not column.is_text)
        numbers = map(_float if column.is_floating else _decimal, self.texts)
        return ColumnTokens(tuple(number for number in numbers if number is not None), self.null)


def is_nan(text: str) -> bool:
    """Whether a token names NaN."""
    return text.strip().casefold() in NOT_NUMBERS


def is_missing_token(cell: str) -> bool:
    """Whether a cell is empty, or a usual mark of a missing value."""
    return cell.strip().casefold() in FOLDED_MISSING_TOKENS


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _decimal(text: str) -> Decimal | None:
    """A number of a whole or decimal column."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and number.adjusted() < _DIGITS else None


def detected_codes(engine: Engine, columns: Sequence[Column]) -> dict[str, tuple[str, ...]]:
    """The codes of missing values by column, as text; reads the view `source`."""
    texts = [column.name for column in columns if column.type == "VARCHAR" and not column.is_row_index]
    typed = [*_stray_texts(engine, texts, _SAMPLE_ROWS)]
    codes = {
        name: tuple(text for text, _ in strays)
        for name, strays in _stray_texts(engine, typed, None).items()
        if 0 < len(strays) <= _MOST_CODES and all(_is_code(*stray) for stray in strays)
    }
    for part in batches(
        [column.name for column in columns if column.is_whole and "HUGEINT" not in column.type], _COLUMNS_AT_ONCE
    ):
        [cells] = engine.query(render("dataset/negative_codes", columns=part), stage=_STAGE)
        for name, code, rows, greatest in zip(part, cells[::3], cells[1::3], cells[2::3], strict=True):
            if code in _NEGATIVE and rows >= _LEAST_ROWS and greatest >= 0:
                codes[name] = (str(code),)
    return codes


def _stray_texts(engine: Engine, columns: Sequence[str], rows: int | None) -> dict[str, list[tuple[str, int]]]:
    """The most frequent texts, with their rows, of each column whose other cells are numbers or dates, of the first rows or of all."""
    texts: dict[str, list[tuple[str, int]]] = {}
    for part in batches(columns, _COLUMNS_AT_ONCE):
        statement = render("dataset/stray_texts", columns=part, rows=rows, most=_MOST_CODES + 1)
        for number, text, text_rows, filled, strays in engine.query(statement, stage=_STAGE):
            if filled > strays and filled - strays >= _LEAST_TYPED * filled:
                texts.setdefault(part[number], []).extend([(text, int(text_rows))] if text is not None else [])
    return texts


def _is_code(text: str, rows: int) -> bool:
    return is_missing_token(text) or (len(text) <= _LONGEST and not any(map(str.isdigit, text)) and rows >= _LEAST_ROWS)

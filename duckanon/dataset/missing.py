"""Missing values and their treatment."""

from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

from duckanon.choices import MissingPolicy
from duckanon.engine.protocol import Column

_DIGITS = 38


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
        if column.is_text:
            return ColumnTokens(self.texts, self.null)
        if column.is_floating:
            return ColumnTokens(tuple(real for text in self.texts if (real := _float(text)) is not None), self.null)
        if column.is_number:
            return ColumnTokens(tuple(number for text in self.texts if (number := _decimal(text)) is not None), self.null)
        return ColumnTokens(self.texts, self.null, as_text=True)


def is_nan(text: str) -> bool:
    """Whether a token names NaN."""
    return text.strip().casefold() in ("nan", "-nan")


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

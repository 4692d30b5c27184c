"""Missing values: what counts as one, and what becomes of it."""

from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

from duckanon.choices import MissingPolicy
from duckanon.engine.protocol import Column

_DIGITS = 38


@dataclass(frozen=True)
class ColumnTokens:
    """What counts as missing in one column: values of the column's kind, or texts of its values; and whether NULL does."""

    tokens: tuple[str | Decimal | float, ...]
    null: bool
    as_text: bool = False


@dataclass(frozen=True)
class MissingRule:
    """The tokens, as text, with None for NULL; without tokens NULL is what is missing."""

    tokens: tuple[str | None, ...] = ()
    policy: MissingPolicy = "value"

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(token for token in self.tokens if token is not None)

    @property
    def null(self) -> bool:
        return None in self.tokens or not self.tokens

    def dropping(self, columns: list[Column]) -> list[tuple[str, ColumnTokens]]:
        """The columns whose values can make a row go, each with its tokens; empty unless the policy is `drop`."""
        if self.policy != "drop":
            return []
        rules = [(column.name, self._of(column)) for column in columns]
        return [(name, tokens) for name, tokens in rules if tokens.tokens or tokens.null]

    def generalized(self, column: Column, *, always: bool = False) -> ColumnTokens | None:
        """What goes to the top of the column's hierarchy: what is missing, under the policy `top`; NULL too, where `always`."""
        if always:
            return replace(self._of(column), null=True)
        return self._of(column) if self.policy == "top" else None

    def _of(self, column: Column) -> ColumnTokens:
        if column.is_text:
            return ColumnTokens(self.texts, self.null)
        if column.is_floating:
            return ColumnTokens(tuple(real for text in self.texts if (real := _float(text)) is not None), self.null)
        if column.is_number:
            return ColumnTokens(tuple(number for text in self.texts if (number := _decimal(text)) is not None), self.null)
        return ColumnTokens(self.texts, self.null, as_text=True)


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _decimal(text: str) -> Decimal | None:
    """A number that a whole or decimal column can hold."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and number.adjusted() < _DIGITS else None

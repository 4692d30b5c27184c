"""Missing values: what counts as one, and what becomes of it."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from duckanon.engine.protocol import Column

Policy = Literal["value", "drop", "top"]
"""A value like any other; the row goes when any input column is missing; generalized to the top."""


@dataclass(frozen=True)
class ColumnTokens:
    """What counts as missing in one column: literals of the column's kind, and whether NULL does."""

    tokens: tuple[str | Decimal, ...]
    null: bool


@dataclass(frozen=True)
class MissingRule:
    """The tokens, as text, with None for NULL; without tokens NULL is what is missing."""

    tokens: tuple[str | None, ...] = ()
    policy: Policy = "value"

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
        found = [(column.name, self._of(column)) for column in columns]
        return [(name, tokens) for name, tokens in found if tokens.tokens or tokens.null]

    @property
    def generalized(self) -> "ColumnTokens | None":
        """What the policy `top` sends to the top of a hierarchy, as text; None under another policy."""
        return ColumnTokens(self.texts, self.null) if self.policy == "top" else None

    def _of(self, column: Column) -> ColumnTokens:
        if column.is_text:
            return ColumnTokens(self.texts, self.null)
        if column.is_number:
            return ColumnTokens(tuple(number for text in self.texts if (number := _number(text)) is not None), self.null)
        return ColumnTokens((), self.null)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None

"""Missing values of a column in an SQL export."""

from dataclasses import dataclass
from decimal import Decimal

from duckanon.dataset.missing import ColumnTokens
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.workflows.sql_export.bounds import Bound, bound_of, portable_type


@dataclass(frozen=True)
class MissingTokens:
    """The missing values of a column, in its own type."""

    tokens: tuple[Bound, ...]
    null: bool


def missing_of(engine: Engine, column: Column, tokens: ColumnTokens, dialect: str) -> MissingTokens:
    """The missing values of a column, as values of its type if it can hold them; raises `JobError`."""
    if not tokens.as_text:
        is_held = [not column.is_whole or Decimal(str(token)) % 1 == 0 for token in tokens.tokens]
        typed = tuple(_token(column, token) for token, held in zip(tokens.tokens, is_held, strict=True) if held)
        if dialect in ("bigquery", "trino") and any(bound.value == "NaN" and bound.type for bound in typed):
            raise JobError(f"NaN is missing in column {column.name!r}, and in {dialect} NaN equals nothing; use duckanon apply")
        return MissingTokens(typed, tokens.null)
    about = {"texts": [str(token) for token in tokens.tokens], "type": column.type}
    held = [text for (text,) in engine.query(render("sql_export/held_texts", **about))] if tokens.tokens else []
    if held and portable_type(column) is None:
        raise JobError(
            f"column {column.name!r} is {column.type}, and its missing values cannot be compared as {dialect} writes them; "
            "drop the column from the first data and release that, or use duckanon apply"
        )
    return MissingTokens(tuple(bound_of(column, text) for text in held), tokens.null)


def _token(column: Column, token: str | Decimal | float) -> Bound:
    if isinstance(token, float):
        names = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
        return Bound(names.get(str(token), str(token)), column.type.lower())
    return Bound(token)

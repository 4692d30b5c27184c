"""Typed values and missing values in the SQL of an export, so that no engine has to convert values to text to compare them."""

from dataclasses import dataclass
from decimal import Decimal

from duckanon.dataset.missing import ColumnTokens
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal, render
from duckanon.errors import JobError
from duckanon.hierarchy.bounds import Scale

TEXTS = ("BOOLEAN", "DATE")
"""Types that all engines convert to the same text, besides whole numbers and text."""

_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_MOMENTS = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")


@dataclass(frozen=True)
class Bound:
    """A value as a literal, with the type that it is cast to; None if the literal has the type."""

    value: str | int | bool | Decimal
    type: str | None = None

    @property
    def sql(self) -> str:
        """The literal in its type."""
        return f"cast({literal(self.value)} as {self.type})" if self.type else literal(self.value)


def portable_type(column: Column) -> str | None:
    """The type in which all engines can write and compare the values of a column; None if there is no such type."""
    if column.is_text:
        return "varchar"
    if column.is_whole or column.type.startswith("DECIMAL"):
        return "number"
    if column.type in ("BOOLEAN", "DATE", "DOUBLE"):
        return column.type.lower()
    return "timestamp" if column.type in _MOMENTS else None


def bound_of(column: Column, text: str) -> Bound:
    """A value of a column from its text; the column has a portable type."""
    match portable_type(column):
        case "varchar":
            return Bound(text)
        case "number":
            return Bound(Decimal(text))
        case "boolean":
            return Bound(text == "true")
        case "double":
            return Bound(_NOT_FINITE.get(text, text), "double")
        case type:
            return Bound(text, type)


def bound_at(column: Column, scale: Scale, step: int) -> Bound:
    """A step on a scale, as a bound for the values of a column."""
    shown = scale.shown(step)
    if scale.unit == "number":
        return Bound(shown, "double") if column.is_floating and scale.places else Bound(Decimal(shown))
    return Bound(shown, "date" if scale.unit == "day" and column.type == "DATE" else "timestamp")


def last_moment(type: str) -> Bound:
    """The last date or timestamp of a range without an end; all engines support it."""
    return Bound("9999-12-31" if type == "date" else "9999-12-31 23:59:59.999999", type)


def placeholder(type: str | None) -> Bound | None:
    """A value of a portable type."""
    values: dict[str | None, Bound] = {
        "varchar": Bound(""),
        "number": Bound(0),
        "boolean": Bound(False),
        "double": Bound("0", "double"),
        "date": Bound("1970-01-01", "date"),
        "timestamp": Bound("1970-01-01 00:00:00", "timestamp"),
    }
    return values.get(type)


def check_reads_alike(column: Column, dialect: str, why: str) -> None:
    """Raise `JobError` for a column whose text differs between engines; `why` says what needs the text."""
    is_alike = column.is_text or column.is_whole or column.type in TEXTS
    if not is_alike and (dialect != "duckdb" or "TIME ZONE" in column.type):
        raise JobError(
            f"column {column.name!r} is {column.type}, which {dialect} converts to different text, and {why}; "
            "cast it to text in the first data and release that, or use duckanon apply"
        )


@dataclass(frozen=True)
class MissingTokens:
    """The missing values of a column, in its own type."""

    tokens: tuple[Bound, ...]
    null: bool

    def condition(self, value: str) -> str:
        """The SQL condition that a value is missing."""
        conditions = [f"{value} is null"] if self.null else []
        conditions += [f"{value} in ({', '.join(token.sql for token in self.tokens)})"] if self.tokens else []
        return " or ".join(conditions) or "false"

    def excluding(self, value: str) -> str:
        """The SQL condition that a value is present."""
        if not self.tokens:
            return f"{value} is not null"
        is_other = f"{value} not in ({', '.join(token.sql for token in self.tokens)})"
        return is_other if self.null else f"({is_other} or {value} is null)"


def missing_of(engine: Engine, column: Column, tokens: ColumnTokens, dialect: str) -> MissingTokens:
    """The missing values of a column, as values of its type if it can hold them; raises `JobError`."""
    if not tokens.as_text:
        is_held = [not column.is_whole or Decimal(str(token)) % 1 == 0 for token in tokens.tokens]
        typed = tuple(_token(column, token) for token, held in zip(tokens.tokens, is_held, strict=True) if held)
        if dialect in ("bigquery", "trino") and any(bound.value == "NaN" and bound.type for bound in typed):
            raise JobError(f"NaN is missing in column {column.name!r}, and in {dialect} NaN equals nothing; use duckanon apply")
        return MissingTokens(typed, tokens.null)
    about = {"texts": [str(token) for token in tokens.tokens], "type": column.type}
    held = [text for (text,) in engine.query(render("export/held_texts", **about))] if tokens.tokens else []
    if held and portable_type(column) is None:
        raise JobError(
            f"column {column.name!r} is {column.type}, and its missing values cannot be compared as {dialect} writes them; "
            "drop the column from the first data and release that, or use duckanon apply"
        )
    return MissingTokens(tuple(bound_of(column, text) for text in held), tokens.null)


def _token(column: Column, token: str | Decimal | float) -> Bound:
    if isinstance(token, float):
        return Bound(_NOT_FINITE.get(str(token), str(token)), column.type.lower())
    return Bound(token)

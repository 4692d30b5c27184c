"""Profiles of the columns of an input: one scan of all columns, and one for every 16 columns whose values can be counted exactly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from duckanon.dataset.missing import USUAL_MISSING_TOKENS
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import batches, render
from duckanon.metrics.figures import separation

FEW = 5
"""A value with fewer rows is rare."""
FEW_RECORDS = 10
"""Records of a value: with more, fewer than `MANY_VALUES` values may be groups of persons, as employers or wards are."""
MANY_VALUES = 100

_MOST_EXACT = 1_000_000
_LEAST_DIGITS, _LEAST_KEYS = 6, 10
"""Digits and rows of a column of keys, at least."""
_COLUMNS_AT_ONCE = 16


@dataclass(frozen=True)
class ColumnProfile:
    """A column over all rows that take part."""

    column: Column
    rows: int
    missing: int
    """Rows that hold NULL."""
    distinct: int | None
    """Distinct values without NULL; None for nested columns."""
    is_exact: bool
    """Whether `distinct` was counted; else it is an estimate (HyperLogLog)."""
    squares: float | None = None
    """Sum of the squared rows over the values, NULL included; None if the values were not counted."""
    rare_rows: int | None = None
    """Rows with a rare value."""
    rare_values: int | None = None
    """Rare values."""
    missing_tokens: tuple[str, ...] = ()
    """Usual marks of missing values in the column."""
    least: float | None = None
    """The least number."""
    greatest: float | None = None

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def distinction(self) -> float | None:
        """Distinct values, NULL included, divided by the rows."""
        if self.distinct is None or not self.rows:
            return None
        return min(1.0, (self.distinct + (self.missing > 0)) / self.rows)

    @property
    def separation(self) -> float | None:
        """Share of the pairs of rows that differ in the column."""
        return None if self.squares is None else separation(self.squares, self.rows)

    @property
    def is_nearly_unique(self) -> bool:
        """Whether fewer than `FEW` rows share a value on average."""
        return self.distinct is not None and self.distinct * FEW > self.rows - self.missing

    @property
    def is_of_groups(self) -> bool:
        """Whether many records share a value, on average, of few values: the values are groups or categories, not persons."""
        filled = self.rows - self.missing
        return self.distinct is not None and self.distinct < MANY_VALUES and self.distinct * FEW_RECORDS <= filled

    @property
    def is_key(self) -> bool:
        """Whether each row has a different positive whole number, all with the same number of digits, at least six."""
        if not (self.column.is_whole and self.is_exact and self.distinct == self.rows >= _LEAST_KEYS):
            return False
        if self.least is None or self.greatest is None or self.least <= 0:
            return False
        lengths = {len(str(int(end))) for end in (self.least, self.greatest)}
        return len(lengths) == 1 and min(lengths) >= _LEAST_DIGITS

    @property
    def is_row_number(self) -> bool:
        """Whether it counts the rows: the whole numbers from 0 or 1 on, each once."""
        is_sequence = self.least in (0, 1) and self.greatest == (self.least or 0) + self.rows - 1
        return self.column.is_whole and self.is_exact and self.distinct == self.rows and is_sequence


@dataclass(frozen=True)
class SetProfile:
    """A set of columns: how well its combinations of values distinguish rows."""

    columns: tuple[str, ...]
    distinction: float
    separation: float


def profiles(engine: Engine, columns: Sequence[Column]) -> list[ColumnProfile]:
    """A profile of every column of `records`."""
    counted = engine.query(render("dataset/column_counts", columns=list(columns)), stage="profiling the columns")
    rows = int(counted[0][0])
    approximate = [_counted(column, rows, *cells) for column, cells in zip(columns, batches(counted[0][1:], 4), strict=True)]
    exact = [profile for profile in approximate if profile.distinct is not None and profile.distinct <= _MOST_EXACT]
    parts = batches(exact if rows else [], _COLUMNS_AT_ONCE)
    counts = {profile.name: profile for part in parts for profile in _exactly(engine, part)}
    return [counts.get(profile.name, profile) for profile in approximate]


def set_profiles(engine: Engine, sets: Sequence[Sequence[str]], rows: int) -> list[SetProfile]:
    """A profile of every set of columns, counted exactly, each with a pass over its columns."""
    if not sets:
        return []
    counted = engine.query(
        render("dataset/set_counts", sets=[list(columns) for columns in sets]), stage="counting combinations"
    )
    return [
        SetProfile(tuple(columns), combinations / rows, separation(squares, rows))
        for columns, (_, combinations, squares) in zip(sets, counted, strict=True)
    ]


def _counted(
    column: Column, rows: int, filled: int, distinct: int | None, least: float | None, greatest: float | None
) -> ColumnProfile:
    estimate = None if distinct is None else min(distinct, filled)
    return ColumnProfile(column, rows, rows - filled, estimate, is_exact=False, least=least, greatest=greatest)


def _exactly(engine: Engine, batch: Sequence[ColumnProfile]) -> Iterator[ColumnProfile]:
    names = [profile.name for profile in batch]
    statement = render("dataset/value_counts", columns=names, rare=FEW, missing_tokens=USUAL_MISSING_TOKENS)
    for profile, (_, distinct, squares, rare_rows, rare_values, *missing_tokens) in zip(
        batch, engine.query(statement, stage="counting the values of the columns"), strict=True
    ):
        yield replace(
            profile,
            distinct=int(distinct) - (profile.missing > 0),
            is_exact=True,
            squares=float(squares),
            rare_rows=int(rare_rows),
            rare_values=int(rare_values),
            missing_tokens=tuple(mark for mark, held in zip(USUAL_MISSING_TOKENS, missing_tokens, strict=True) if held),
        )

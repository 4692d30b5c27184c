"""The population that a table was taken from: another input, with the same quasi-identifiers."""

from collections.abc import Sequence
from dataclasses import dataclass

from duckanon.dataset.location import STANDARD_INPUT, Source
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.opening import named_source, source_statement
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError, did_you_mean


def find_population(name: str) -> Source:
    """The population of that name; raises `InputError` or `JobError` where it cannot be one."""
    if name == STANDARD_INPUT:
        raise JobError("--population cannot be standard input; name a file")
    source = named_source(name, None)
    if source.kind == "duckdb":
        raise JobError(f"--population {name!r} is a table of a database; write it as Parquet or CSV first")
    return source


@dataclass(frozen=True)
class Population:
    """A population, opened: how it is read, as `population_file`, and its columns."""

    name: str
    statement: Statement
    columns: tuple[Column, ...]

    @property
    def is_text(self) -> bool:
        """Whether its file holds text, which `columns` are read from without a change."""
        return str(self.statement.parameters["kind"]) == "csv"


def open_population(engine: Engine, source: Source) -> Population:
    """Makes the view `population_file`. The view `source` is used on the way, so that the input itself is opened after it."""
    as_read = source_statement(engine, source)
    statement = render("dataset/population_file", **as_read.parameters)
    engine.create_view(statement)
    return Population(source.name, statement, tuple(engine.describe(statement)))


def create_population(engine: Engine, population: Population, columns: Sequence[Column], missing: MissingRule) -> None:
    """Makes the view `population`; raises `JobError` where its quasi-identifiers are not those of the input."""
    statement = population_statement(population, columns, missing)
    engine.create_view(statement)
    fitted = [column for column in _fitted(population, columns) if column.is_number]
    if not fitted:
        return
    unfit = render("dataset/unfit_population", columns=fitted)
    for column, rows in zip(fitted, engine.query(unfit)[0], strict=True):
        if rows:
            raise JobError(
                f"column {column.name!r} of population {population.name!r} has {rows:,} rows with numbers that {column.type} does not hold, "
                "its type in the input; make them alike"
            )


def population_size(engine: Engine, given: int | None, rows: int, *, is_open: bool) -> int | None:
    """The rows of the population: as said, or of the one that is open; raises `JobError` where the table has more."""
    size = given
    if size is None and is_open:
        [(size,)] = engine.query(render("dataset/population_rows"))
    if size is not None and size < rows:
        raise JobError(f"a population of {size:,} is smaller than the table, of which {rows:,} rows take part; name all of it")
    return size


def population_statement(population: Population, columns: Sequence[Column], missing: MissingRule) -> Statement:
    """Its quasi-identifiers in the types of the input, after the same rule for missing values.

    Raises `JobError` where it lacks one, or has it in another type.
    """
    return render("dataset/population", columns=_fitted(population, columns), dropped=missing.dropping(list(columns)))


def _fitted(population: Population, columns: Sequence[Column]) -> list[Column]:
    """The columns with the types that the population's take."""
    by_name = {column.name: column for column in population.columns}
    for column in columns:
        if column.name not in by_name:
            raise JobError(
                f"population {population.name!r} lacks the quasi-identifier {column.name!r}{did_you_mean(column.name, by_name)}"
            )
        other = by_name[column.name]
        # a type that a CSV file is read as prints its cells as they are written
        is_alike = (column.is_number and other.is_number) or (column.is_text and (other.is_text or population.is_text))
        if other.type != column.type and not is_alike:
            raise JobError(
                f"column {column.name!r} is {column.type} in the input and {other.type} in population {population.name!r}; "
                "make them alike"
            )
    return [Column(column.name, "VARCHAR") if column.is_text else column for column in columns]

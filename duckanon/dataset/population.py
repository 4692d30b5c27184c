"""The population that a table was taken from: another input, with the same quasi-identifiers."""

from collections.abc import Sequence
from dataclasses import dataclass

from duckanon.dataset.location import STANDARD_INPUT, Source
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.opening import named_source, source_statement
from duckanon.engine.protocol import Column, Engine, row_count
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError, did_you_mean


def find_population(name: str) -> Source:
    """The population with this name; raises `InputError` or `JobError` if it cannot be a population."""
    if name == STANDARD_INPUT:
        raise JobError("--population cannot be standard input; name a file")
    source = named_source(name, None)
    if source.kind == "duckdb":
        raise JobError(f"--population {name!r} is a table of a database; write it as Parquet or CSV first")
    return source


@dataclass(frozen=True)
class Population:
    """An opened population: the statement that reads it as `population_file`, and its columns."""

    name: str
    statement: Statement
    columns: tuple[Column, ...]

    @property
    def is_text(self) -> bool:
        """Whether its file contains text, from which `columns` are read unchanged."""
        return str(self.statement.parameters["kind"]) == "csv"


def open_population(engine: Engine, source: Source) -> Population:
    """Create the view `population_file`. This uses the view `source`, so open the input afterwards."""
    as_read = source_statement(engine, source)
    statement = render("dataset/source", "population_file", **as_read.parameters)
    engine.create_view(statement)
    return Population(source.name, statement, tuple(engine.describe(statement)))


def create_population(engine: Engine, population: Population, columns: Sequence[Column], missing: MissingRule) -> None:
    """Create the view `population`; raises `JobError` if its quasi-identifiers differ from those of the input."""
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
    """The rows of the population, as stated or as counted; raises `JobError` if the table has more."""
    size = given
    if size is None and is_open:
        size = row_count(engine, "population")
    if size is not None and size < rows:
        raise JobError(f"a population of {size:,} is smaller than the table, of which {rows:,} rows take part; name all of it")
    return size


def population_statement(population: Population, columns: Sequence[Column], missing: MissingRule) -> Statement:
    """The population's quasi-identifiers with the types of the input, under the same rule for missing values.

    Raises `JobError` if the population lacks one, or has another type.
    """
    return render("dataset/population", columns=_fitted(population, columns), dropped=missing.dropping(list(columns)))


def _fitted(population: Population, columns: Sequence[Column]) -> list[Column]:
    """The quasi-identifiers with the types of the input, text as VARCHAR; raises `JobError` as `population_statement`."""
    by_name = {column.name: column for column in population.columns}
    for column in columns:
        if column.name not in by_name:
            raise JobError(
                f"population {population.name!r} lacks the quasi-identifier {column.name!r}{did_you_mean(column.name, by_name)}"
            )
        other = by_name[column.name]
        # the type of a CSV column prints its cells as they are in the file
        is_alike = (column.is_number and other.is_number) or (column.is_text and (other.is_text or population.is_text))
        if other.type != column.type and not is_alike:
            raise JobError(
                f"column {column.name!r} is {column.type} in the input and {other.type} in population {population.name!r}; "
                "make them alike"
            )
    return [Column(column.name, "VARCHAR") if column.is_text else column for column in columns]

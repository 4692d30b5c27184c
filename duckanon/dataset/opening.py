"""Open an input as the relation `source`, its columns named and typed; what DuckDB does not read is converted first.

The population that a table was taken from is another input, with the same quasi-identifiers.
"""

import shutil
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from duckanon.dataset import dates
from duckanon.dataset.csv import MALFORMED_LINES, csv_statement
from duckanon.dataset.file_format import LABELS, Kind
from duckanon.dataset.formats import arrow, spreadsheet, sqlite, statistics
from duckanon.dataset.formats.json import json_statement
from duckanon.dataset.formats.parquet import parquet_statement
from duckanon.dataset.location import STANDARD_INPUT, Source, locate, spooled
from duckanon.dataset.missing import NOT_NUMBERS, MissingRule, detected_codes
from duckanon.dataset.names import check_names
from duckanon.dataset.private_copy import private_file
from duckanon.dataset.statement import exact, read_as
from duckanon.dataset.types import reading_nulls
from duckanon.engine.protocol import SPOOLED, Column, Engine, row_count
from duckanon.engine.scratch import OWNER_ONLY
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, InputError, JobError, did_you_mean
from duckanon.formatting import first_of
from duckanon.observers import staged

_ATTACHED = "input"
Converter = Callable[[Engine, Source, Path], str | None]
"""Write an input to a Parquet file; return the column that is a row index without a name."""

_CONVERTERS: Mapping[Kind, Converter] = {
    "arrow": arrow.convert,
    "sqlite": sqlite.convert,
    "spreadsheet": spreadsheet.convert,
    "spss": statistics.convert,
    "stata": statistics.convert,
    "sas": statistics.convert,
}
_CHUNK_BYTES = 1 << 20


def named_source(name: str, names: Sequence[str] | None) -> Source:
    """The input of that name; standard input stands empty until it is opened."""
    if name == STANDARD_INPUT:
        return Source(name, "csv", (), names=tuple(names) if names is not None else None)
    return locate(name, names)


def open_source(engine: Engine, source: Source) -> list[Column]:
    """Create the view `source` and return its columns.

    Raises `InputError` if the input is damaged, its files do not agree, or a name is taken.
    """
    # that of another input, which was opened before
    engine.drop(MALFORMED_LINES)
    statement = source_statement(engine, source)
    columns = columns_of(engine, statement)
    engine.create_view(statement)
    codes = dict(source.missing) | (detected_codes(engine, columns) if source.detects_missing else {})
    read = statement.parameters["nulls"]
    codes = {column.name: codes[column.name] for column in columns if column.name in codes and column.name not in read}
    if not source.as_written:
        # a value that is no number has no place among numbers: it destroys each mean and range
        codes |= {name: (*codes.get(name, ()), *NOT_NUMBERS) for name in _with_nan(engine, columns)}
    if codes:
        statement = reading_nulls(engine, statement, columns, codes)
        columns = columns_of(engine, statement)
    _tell(engine, source, statement)
    if statement.parameters["copy"]:
        engine.create_view(render("dataset/source", "source_file", **{**statement.parameters, "copy": None}))
    if statement.parameters["is_copied"]:
        _copy(engine, statement, columns)
    else:
        engine.create_view(statement)
    return columns


def source_statement(engine: Engine, source: Source) -> Statement:
    """The input as it is read; text becomes numbers and dates only where that keeps every cell as it is written."""
    if source.name == STANDARD_INPUT and not source.files:
        source = _spool(engine, source)
    is_typed, is_text = source.kind in ("parquet", "arrow", "duckdb"), source.kind in ("csv", "json")
    source = native(engine, source)
    try:
        match source.kind:
            case "parquet":
                statement = parquet_statement(engine, source)
            case "csv":
                statement = csv_statement(engine, source)
            case "json":
                statement = json_statement(engine, source)
            case _:
                statement = _table(engine, source)
        return dates.reading_dates(
            engine, source, statement, columns_of(engine, statement), is_typed=is_typed, has_read_iso=is_typed or is_text
        )
    except EngineError as error:
        raise InputError(f"{source.name!r} cannot be read as {LABELS[source.kind]}: {error}") from error


def columns_of(engine: Engine, statement: Statement) -> list[Column]:
    """The columns of an opened input, those of text that hold numbers marked."""
    numbers, row_index, nulls = (statement.parameters[name] for name in ("numbers", "row_index", "nulls"))
    return [
        replace(
            column,
            holds_numbers=column.name in numbers,
            is_row_index=column.name == row_index,
            missing=tuple(nulls[column.name][0]) if column.name in nulls else (),
            unread=statement.parameters["unread"].get(column.name),
        )
        for column in engine.describe(statement)
    ]


def _with_nan(engine: Engine, columns: Sequence[Column]) -> list[str]:
    """The floating-point columns that hold NaN."""
    names = [column.name for column in columns if column.is_floating]
    if not names:
        return []
    [held] = engine.query(render("dataset/not_numbers", columns=names), stage="looking for values that are no numbers")
    return [name for name, is_held in zip(names, held, strict=True) if is_held]


def _tell(engine: Engine, source: Source, statement: Statement) -> None:
    """Name the columns that are converted, those of numbers that stay text, and the codes that are read as missing."""
    for line in dates.notes(statement.parameters["notations"], repr(source.name) if source.files else "standard input"):
        engine.observer.note(line)
    if nulls := statement.parameters["nulls"]:
        if named := {
            name: texts for name, (codes, _) in nulls.items() if (texts := [t for t in codes if t not in NOT_NUMBERS])
        }:
            listed = [f"{name} ({', '.join(map(repr, texts))})" for name, texts in named.items()]
            engine.observer.note(f"read as missing values: {first_of(listed)}; --missing none keeps them as values")
        if nans := [name for name, (codes, _) in nulls.items() if NOT_NUMBERS[0] in codes]:
            engine.observer.note(f"NaN is read as a missing value: {first_of(nans)}")
    if numbers := statement.parameters["numbers"]:
        engine.observer.note(
            f"{first_of(numbers)}: text that is all numbers, or marks as NA; it is released as it is written, and ordered as numbers"
        )
    if stray := statement.parameters["stray"]:
        cells = [f"{name} ({count:,} {'cell' if count == 1 else 'cells'})" for name, count in stray.items()]
        engine.observer.note(
            f"{first_of(cells)}: text, since these cells are not numbers; name codes of missing values as `missing.columns` in the job file"
        )


def _copy(engine: Engine, statement: Statement, columns: Sequence[Column]) -> None:
    """Create the table `source`, with declared types: only these remove a collation that is inside a list, a struct or a map."""
    engine.drop(statement.relation)
    engine.create_table(render("dataset/empty", statement.relation, columns=columns))
    engine.append(statement, stage="reading the table of the database")


def _spool(engine: Engine, source: Source) -> Source:
    """Standard input, kept among what the engine removes when it closes: the rows are read more than once."""
    path = engine.scratch.path / SPOOLED
    with path.open("wb") as file:
        path.chmod(OWNER_ONLY)
        shutil.copyfileobj(sys.stdin.buffer, file, _CHUNK_BYTES)
    return spooled(source.name, path, source.names)


def _table(engine: Engine, source: Source) -> Statement:
    path, table = source.files[0], str(source.table)
    try:
        engine.attach(path, _ATTACHED)
    except EngineError as error:
        raise InputError(f"{str(path)!r} cannot be opened as a DuckDB file: {error}") from error
    tables = engine.tables(_ATTACHED)
    schema, _, name = table.rpartition(".")
    place = (_ATTACHED, schema or "main", name)
    views = {(schema, name): is_view for schema, name, is_view in tables}
    if place[1:] not in views:
        known = [name if schema == "main" else f"{schema}.{name}" for schema, name in views]
        raise InputError(f"{str(path)!r} has no table {table!r}{did_you_mean(table, known)}")
    about = {"kind": "duckdb", "table": place}
    columns = engine.describe(read_as(**about))
    check_names([column.name for column in columns])
    # a view may give other rows each time it is read
    is_copied = views[place[1:]] or any(column.is_nested and "VARCHAR" in column.type for column in columns)
    return read_as(replaced=exact(columns), is_copied=is_copied, names=tuple(column.name for column in columns), **about)


def native(engine: Engine, source: Source) -> Source:
    """The input in files that DuckDB reads: itself, or a copy in the engine's private folder, which the engine removes."""
    if source.member is not None:
        source = _unpacked(engine, source)
    convert = _CONVERTERS.get(source.kind)
    if convert is None:
        return source
    path = private_file(engine, Path(f"{source.files[0].name}.parquet"))
    with staged(engine.observer, f"converting {LABELS[source.kind]}"):
        row_index = convert(engine, source, path)
    return replace(source, kind="parquet", files=(path,), table=None, is_copy=True, row_index=row_index)


def _unpacked(engine: Engine, source: Source) -> Source:
    """The only file of a ZIP archive, unpacked."""
    path = private_file(engine, Path(str(source.member)))
    try:
        with zipfile.ZipFile(source.files[0]) as archive, archive.open(str(source.member)) as inside, path.open("wb") as file:
            shutil.copyfileobj(inside, file, _CHUNK_BYTES)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise InputError(f"{source.name!r} cannot be read as a ZIP archive; is it complete?") from error
    return replace(source, files=(path,), member=None, is_copy=True)


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
    """Create the view `population`: its quasi-identifiers with the types of the input, under the same rule and with the same codes for missing values.

    Raises `JobError` if they differ from those of the input.
    """
    fitted = _fitted(population, columns)
    nulls = {column.name: (column.missing, column.type) for column in columns if column.missing}
    engine.create_view(render("dataset/population", columns=fitted, nulls=nulls, dropped=missing.dropping(list(columns))))
    numbers = [column for column in fitted if column.is_number]
    if not numbers:
        return
    for column, rows in zip(numbers, engine.query(render("dataset/unfit_population", columns=numbers))[0], strict=True):
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


def _fitted(population: Population, columns: Sequence[Column]) -> list[Column]:
    """The quasi-identifiers with the types of the input, text as VARCHAR; raises `JobError` if the population lacks one, or has another type."""
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

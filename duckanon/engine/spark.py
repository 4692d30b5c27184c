"""Apache Spark for the passes over rows. The results are collected into the embedded engine, which makes the decisions."""

import glob
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from duckanon.engine.cluster import Address, Session
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.owner import Owned
from duckanon.engine.portable import Parsed, Target
from duckanon.engine.protocol import Column, Form, Settings, Step
from duckanon.engine.templates import Statement, has_own_sql, render, rendered_for
from duckanon.errors import EngineError, InputError, JobError
from duckanon.observers import Observer, Silent, staged
from duckanon.signals import block_signals

_INPUT = "dataset/source"
_SOURCE_FILE = "source_file"
_FILES = (_INPUT, "release/release")
"""Templates that name files. Each engine opens the files itself."""

_ROWS = ("source", "records", "population_file", "population", "recoded")
"""Relations of rows, which are never collected."""

_ALWAYS_COLLECTED = ("dataset/distinct_values", "dataset/value_groups", "dataset/sampled_records")
"""Templates whose results are always collected, of any size: the values for building hierarchies, and a sample."""

_COMPARED = ("dataset/value_counts", "dataset/population", "release/written_groups", "release/expected_classes")
"""Templates that only compare the text of numbers: with marks that both engines write alike, or with text that Spark wrote."""

_UNREADABLE = {
    "TIMESTAMP_NS": "cast({} as timestamp)",
    "TIMESTAMPTZ_NS": "cast({} as timestamptz)",
    "TIME WITH TIME ZONE": "cast({} as varchar)",
    "TIME_NS": "cast({} as varchar)",
    "TIME": "cast({} as varchar)",
    "UUID": "cast({} as varchar)",
    "INTERVAL": "cast({} as varchar)",
    "VARIANT": "cast({} as json)",
    "GEOMETRY": "cast({} as varchar)",
}
"""Types that Spark rejects or reads as other types, and the DuckDB expression that makes them readable."""

_SPARKS = {
    "BOOLEAN": "boolean",
    "TINYINT": "tinyint",
    "SMALLINT": "smallint",
    "INTEGER": "int",
    "BIGINT": "bigint",
    "FLOAT": "float",
    "DOUBLE": "double",
    "DATE": "date",
    "TIMESTAMP": "timestamp_ntz",
    "TIMESTAMP WITH TIME ZONE": "timestamp",
    "VARCHAR": "string",
    "BLOB": "binary",
}
"""Spark's names of the same types."""

_ODD_FOLDER = re.compile(r"%[89A-Fa-f]|\\")
_WORDS = re.compile(rf"\b(?:{'|'.join(_UNREADABLE)})\b")
_NO_TYPES = re.compile(r'"(?:[^"]|"")*"|TIMESTAMP WITH TIME ZONE')
"""Names inside a struct, and a type that contains the name of another type."""
_BRACKETED = re.compile(r"\[([*?\[])\]")


class SparkEngine:
    """A relation stays where it is made: rows on the cluster, results counted from them locally unless they are too large.

    A statement that reads a relation of the cluster runs there, and the other relations that it reads are uploaded. Both sides
    exchange Parquet files in a folder that the workers see too.
    """

    sorts_codes = False

    def __init__(self, address: Address, settings: Settings, observer: Observer | None, shared: Path) -> None:
        self._limit = settings.collect_limit
        self.observer = observer or Silent()
        self._session = Session(address, settings.threads)
        try:
            self._local = DuckDBEngine(settings, observer)
        except BaseException:
            self._session.stop()
            raise
        try:
            place = (settings.temp_directory or shared) / "exchange"
            self._exchange = self._local.scratch.staging_folder_for(place, is_beside=True)
        except BaseException:
            self._local.close()
            self._session.stop()
            raise
        self.steps, self.scratch = self._local.steps, self._local.scratch
        self.restrict, self.allow, self.keep = self._local.restrict, self._local.allow, self._local.keep
        self.attach, self.detach, self.tables = self._local.attach, self._local.detach, self._local.tables
        self.save, self.discard, self.copy_tables = self._local.save, self._local.discard, self._local.copy_tables
        self._number = 0
        self._remote: set[str] = set()
        """Relations on the cluster."""
        self._makers: dict[str, Statement] = {}
        self.owner: Owned | None = None
        self._uploaded: set[str] = set()
        """Local relations that were uploaded to the cluster unchanged."""

    def __enter__(self) -> Self:
        try:
            self._check_storage()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def describe(self, statement: Statement, stage: str | None = None) -> list[Column]:
        columns = self._local.describe(statement, stage)
        return _spark_columns(columns) if statement.template == _INPUT else columns

    def create_view(self, statement: Statement) -> None:
        if statement.template in _FILES:
            self._open(statement)
        elif (parsed := self._remote_statement(statement)) is None:
            self._forget(statement.relation)
            self._local.create_view(statement)
            return
        else:
            sql = self._text(statement, parsed)
            with self._timed(statement, sql):
                self._session.name(statement.relation, sql)
            if self._local.names.issuperset(parsed.reads):
                self._local.mirror(statement)
        self._remote.add(statement.relation)
        self._uploaded.discard(statement.relation)

    def create_table(self, statement: Statement, stage: str | None = None, bound: Mapping[str, bytes] | None = None) -> int:
        parsed = self._remote_statement(statement)
        self._uploaded.discard(statement.relation)
        self._remote.discard(statement.relation)
        self._makers[statement.relation] = statement
        if parsed is None:
            return self._local.create_table(statement, stage, bound)
        folder = self._place()
        sql = self._text(statement, parsed)
        with self._timed(statement, sql) as made, self._staged(stage):
            self._session.store(sql, folder, statement.relation)
            made[0] = rows = self._local.stored_rows(_files_of(folder))
        if rows <= self._limit or statement.template in _ALWAYS_COLLECTED:
            self._local.fetch(statement.relation, _files_of(folder))
        else:
            self._local.drop(statement.relation)
            self._session.open(statement.relation, folder)
            self._remote.add(statement.relation)
        return rows

    def append(self, statement: Statement, stage: str | None = None) -> int:
        if statement.relation in self._remote or self._remote_statement(statement) is not None:
            raise JobError(
                f"{statement.relation}, or the rows to add to it, are on the cluster, because a relation exceeds --collect-limit {self._limit:,}; "
                "raise the limit, or generalize from the start (min-level in the job)"
            )
        self._uploaded.discard(statement.relation)
        return self._local.append(statement, stage)

    def load(self, relation: str, rows: Sequence[Mapping[str, object]], types: Mapping[str, type]) -> None:
        self._forget(relation)
        self._local.load(relation, rows, types)

    def query(self, statement: Statement, stage: str | None = None) -> list[tuple[Any, ...]]:
        parsed = self._remote_statement(statement)
        if parsed is None:
            return self._local.query(statement, stage)
        sql = self._text(statement, parsed)
        with self._timed(statement, sql) as made, self._staged(stage):
            rows = self._session.rows(sql, statement.relation)
            made[0] = len(rows)
        return rows

    def write(self, statement: Statement, path: Path, form: Form, stage: str, bound: Mapping[str, bytes] | None = None) -> int:
        if bound:
            raise EngineError("a key is never sent to a cluster; pseudonyms and shifted dates are made by --engine duckdb")
        parsed = self._remote_statement(statement)
        if parsed is None:
            return self._local.write(statement, path, form, stage)
        sql = self._text(statement, parsed)
        with self._timed(statement, sql) as made, self._staged(stage):
            self._session.write(sql, path, form, statement.relation)
            made[0] = rows = self._local.stored_rows(_files_of(path))
        return rows

    def drop(self, relation: str) -> None:
        self._forget(relation)
        self._makers.pop(relation, None)
        self._local.drop(relation)

    def rename(self, relation: str, name: str) -> None:
        self._uploaded.discard(relation)
        self._local.rename(relation, name)
        # a relation of the earlier name is another one
        self._makers.pop(name, None)
        if maker := self._makers.pop(relation, None):
            self._makers[name] = maker

    @property
    def names(self) -> set[str]:
        return self._remote | self._local.names

    def stands(self, statement: Statement) -> bool:
        return statement.relation in self.names and self._makers.get(statement.relation) is statement

    def is_remote(self, relation: str) -> bool:
        return relation in self._remote

    def relations(self) -> dict[str, int | None]:
        return dict.fromkeys(self._remote) | self._local.relations()

    def close(self) -> None:
        with block_signals():
            self._local.close()
            self._session.stop()

    def _remote_statement(self, statement: Statement) -> Parsed | None:
        """The parsed statement for Spark if it reads relations on the cluster; None if it runs locally."""
        # parse only if a name occurs, because a search runs thousands of local statements
        if not any(name in statement.sql for name in self._remote):
            return None
        dialect: Target = "spark" if has_own_sql("spark", statement) else "duckdb"
        parsed = Parsed(rendered_for("spark", statement), dialect)
        return parsed if self._remote.intersection(parsed.reads) else None

    def _text(self, statement: Statement, parsed: Parsed) -> str:
        """The text of the statement for Spark. Uploads the local relations that it reads."""
        try:
            sql = parsed.translated("spark")
        except EngineError as error:
            raise EngineError(
                f"{statement.template} has no Spark translation ({error}); raise --collect-limit to run it locally"
            ) from error
        for relation in parsed.reads:
            if relation not in self._remote and relation not in self._uploaded:
                path = self._place().with_suffix(".parquet")
                self._local.store(relation, path)
                self._session.open(relation, path)
                self._uploaded.add(relation)
        if statement.template not in _COMPARED and parsed.columns_as_text:
            self._check_texts(parsed)
        return sql

    def _check_texts(self, parsed: Parsed) -> None:
        """Raise `EngineError` if numbers would be cast to text, which Spark formats differently."""
        for relation in self._remote.intersection(parsed.reads):
            for name, type in self._session.types(relation).items():
                if name in parsed.columns_as_text and type in ("float", "double", "timestamp"):
                    way = "use --engine duckdb" if relation in _ROWS else "raise --collect-limit"
                    raise EngineError(
                        f"column {name!r} holds {type} values, which Spark writes as text differently from DuckDB; "
                        f"write the file again with decimals or timestamps without a zone, or {way}"
                    )

    def _open(self, statement: Statement) -> None:
        """Open the files that a statement names, on the cluster and for a workspace. Rejects files that Spark reads differently."""
        columns, parameters = self.describe(statement), statement.parameters
        if statement.template == _INPUT:
            files = [parameters["files"]] if isinstance(parameters["files"], str) else parameters["files"]
            paths, partitions = [Path(_unescaped(file)) for file in files], parameters["partitions"]
            _check_file_names(paths, partitions)
        else:
            paths, partitions = [Path(_unescaped(parameters["path"].removesuffix("/**/*.parquet")))], None
        nulls = parameters.get("nulls")
        with self._timed(statement, statement.sql):
            self._session.open(_SOURCE_FILE if nulls else statement.relation, *paths, partitions=partitions)
            if nulls:
                coded = render("dataset/coded_source", "source", columns=[column.name for column in columns], nulls=nulls)
                self._session.name(statement.relation, Parsed(coded.sql, "duckdb").translated("spark"))
        if statement.template == _INPUT:
            _check_types(columns, self._session.types(statement.relation))
        self._local.mirror(statement)

    def _check_storage(self) -> None:
        """Raise `EngineError` if the workers do not see local files, or the reverse."""
        folder = self._place()
        expected, returned = self._session.echo(folder), 0
        with suppress(EngineError):
            returned = self._local.stored_rows(_files_of(folder))
        if returned != expected:
            raise EngineError(
                f"what the workers of {self._session.address.name!r} write to {str(folder.parent)!r} is not visible locally; "
                "put input, output and --temp-directory on storage that all of them mount at the same place"
            )

    def _forget(self, relation: str) -> None:
        """Drop a relation from the cluster."""
        if relation in self._remote or relation in self._uploaded:
            self._session.forget(relation)
        self._remote.discard(relation)
        self._uploaded.discard(relation)

    def _place(self) -> Path:
        """A new path in the exchange folder."""
        self._number += 1
        return self._exchange / str(self._number)

    def _staged(self, stage: str | None) -> AbstractContextManager[object]:
        return nullcontext() if stage is None else staged(self.observer, f"{stage}, on Spark")

    @contextmanager
    def _timed(self, statement: Statement, sql: str) -> Iterator[list[int | None]]:
        """Log a statement that Spark runs. The caller stores the number of its rows in the list."""
        started, made = time.perf_counter(), list[int | None]([None])
        yield made
        seconds = time.perf_counter() - started
        self.steps.append(Step(len(self.steps) + 1, statement.relation, statement.template, sql, seconds, made[0]))
        self.observer.step(statement.relation, made[0], seconds)


def _files_of(folder: Path) -> str:
    """The Parquet files of a folder that Spark wrote, as a pattern for DuckDB."""
    return f"{glob.escape(str(folder.absolute()))}/**/part-*.parquet"


def _unescaped(text: str) -> str:
    """A path whose wildcards were put in brackets for DuckDB, without the brackets."""
    return _BRACKETED.sub(r"\1", text)


def _spark_columns(columns: Sequence[Column]) -> list[Column]:
    """The columns of an input in Spark's types; raises `InputError` if Spark cannot read one."""
    for column in columns:
        if match := _WORDS.search(_NO_TYPES.sub("", column.type)):
            name, is_whole = column.name, match[0] == column.type
            way = f"with {_UNREADABLE[match[0]].format(name)} as {name}" if is_whole else f"without its {match[0]}"
            raise InputError(
                f"column {name!r} of the input is {column.type}, which Spark does not read; write the file again {way}, or use --engine duckdb"
            )
    return [Column(column.name, column.wide_type) for column in columns]


def _check_types(columns: Sequence[Column], spark_types: Mapping[str, str]) -> None:
    """Raise `InputError` if Spark reads a column as another type; `spark_types` are Spark's names of the types."""
    for column in columns:
        expected = _SPARKS.get(column.type, column.type.casefold() if column.type.startswith("DECIMAL") else None)
        if expected is not None and spark_types.get(column.name) != expected:
            raise InputError(
                f"column {column.name!r} of the input is {column.type}, and Spark reads it as {spark_types.get(column.name, 'nothing')}; "
                "write the file again with DuckDB, or use --engine duckdb"
            )


def _check_file_names(paths: Sequence[Path], partitions: Mapping[str, str] | None) -> None:
    """Raise `InputError` for files that Spark silently ignores, or whose folders give it other values."""
    for path in paths:
        if path.name.startswith(("_", ".")) or ":" in path.name:
            raise InputError(
                f"Spark does not read {path.name!r}: it ignores names that begin with _ or . or contain a colon; rename it"
            )
        folders = path.parts[-1 - len(partitions or ()) : -1]
        names = [folder.partition("=")[0] for folder in folders]
        is_odd = any(_ODD_FOLDER.search(folder) or folder.endswith("=") for folder in folders)
        if is_odd or (partitions and (names != [*partitions] or any("=" in part for part in path.parts[: -1 - len(names)]))):
            raise InputError(
                f"the folders of {str(path)!r} are read differently by DuckDB and Spark (other letters after %, no value, a repeated column, or a "
                "folder in between); rename them, or use --engine duckdb"
            )

"""Apache Spark for the passes over rows; what they find comes home to the embedded engine, which decides."""

import glob
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from duckanon.engine.address import Address
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.held import check_held, check_names, held
from duckanon.engine.portable import Parsed, Target
from duckanon.engine.protocol import Column, Form, Step
from duckanon.engine.session import Session
from duckanon.engine.settings import Settings
from duckanon.engine.templates import Statement, has_own_words, rendered_for
from duckanon.errors import EngineError, JobError
from duckanon.observers import Observer, Silent, staged
from duckanon.signals import undisturbed

_INPUTS = ("dataset/source", "dataset/population_file")
_FILES = (*_INPUTS, "release/release")
"""Templates that name files: each engine opens those itself."""

_ROWS = ("source", "records", "population_file", "population", "recoded")
"""Relations of rows, which never come home."""

_HOMEWARD = ("dataset/distinct_values", "dataset/population_values", "dataset/value_groups", "dataset/sampled_records")
"""Templates of what comes home however large: the values that hierarchies are built on, and a sample."""

_COMPARED = ("dataset/value_counts", "release/written_groups", "release/expected_groups")
"""Templates that only compare the text of numbers: with marks that both engines write alike, or with what Spark writes of them."""

_BRACKETED = re.compile(r"\[([*?\[])\]")


class SparkEngine:
    """A relation stands where it is made: rows on the cluster, what is counted of them at home, if it is not too large.

    A statement that reads a relation of the cluster runs there, and is handed what else it reads. Both sides exchange
    Parquet files in a folder that the workers see too.
    """

    sorts_codes = False

    def __init__(self, address: Address, settings: Settings, observer: Observer | None, shared: Path) -> None:
        self._limit = settings.collect_limit
        self.observer = observer or Silent()
        self._session = Session(address, settings.threads)
        try:
            self._home = DuckDBEngine(settings, observer)
        except BaseException:
            self._session.stop()
            raise
        try:
            place = (settings.temp_directory or shared) / "exchange"
            self._exchange = self._home.scratch.home_for(place, is_beside=True)
        except BaseException:
            self._home.close()
            self._session.stop()
            raise
        self.steps, self.scratch = self._home.steps, self._home.scratch
        self.confine, self.admit, self.keep = self._home.confine, self._home.admit, self._home.keep
        self.attach, self.detach, self.tables = self._home.attach, self._home.detach, self._home.tables
        self._number = 0
        self._away: set[str] = set()
        """Relations that stand on the cluster."""
        self._lent: set[str] = set()
        """Relations of home that the cluster was handed as they are."""

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
        columns = self._home.describe(statement, stage)
        return held(columns) if statement.template in _INPUTS else columns

    def create_view(self, statement: Statement) -> None:
        if statement.template in _FILES:
            self._open(statement)
        elif (parsed := self._run_away(statement)) is None:
            self._forget(statement.relation)
            self._home.create_view(statement)
            return
        else:
            sql = self._text(statement, parsed)
            with self._timed(statement, sql):
                self._session.name(statement.relation, sql)
            if all(map(self._home.stands, parsed.reads)):
                self._home.mirror(statement)
        self._away.add(statement.relation)
        self._lent.discard(statement.relation)

    def create_table(self, statement: Statement, stage: str | None = None, bound: Mapping[str, bytes] | None = None) -> int:
        parsed = self._run_away(statement)
        self._lent.discard(statement.relation)
        self._away.discard(statement.relation)
        if parsed is None:
            return self._home.create_table(statement, stage, bound)
        folder = self._place()
        sql = self._text(statement, parsed)
        with self._timed(statement, sql) as made, self._staged(stage):
            self._session.store(sql, folder, statement.relation)
            made[0] = rows = self._home.stored_rows(_files_of(folder))
        if rows <= self._limit or statement.template in _HOMEWARD:
            self._home.fetch(statement.relation, _files_of(folder))
        else:
            self._home.drop(statement.relation)
            self._session.open(statement.relation, folder)
            self._away.add(statement.relation)
        return rows

    def append(self, statement: Statement, stage: str | None = None) -> int:
        if statement.relation in self._away or self._run_away(statement) is not None:
            raise JobError(
                f"{statement.relation} has more rows than --collect-limit {self._limit:,} lets come home, and what is added to it is found there; "
                "raise the limit, or generalize from the start (min-level in the job)"
            )
        self._lent.discard(statement.relation)
        return self._home.append(statement, stage)

    def load(self, relation: str, rows: Sequence[Mapping[str, object]], types: Mapping[str, type]) -> None:
        self._forget(relation)
        self._home.load(relation, rows, types)

    def query(self, statement: Statement, stage: str | None = None) -> list[tuple[Any, ...]]:
        parsed = self._run_away(statement)
        if parsed is None:
            return self._home.query(statement, stage)
        sql = self._text(statement, parsed)
        with self._timed(statement, sql) as made, self._staged(stage):
            rows = self._session.rows(sql, statement.relation)
            made[0] = len(rows)
        return rows

    def write(self, statement: Statement, path: Path, form: Form, stage: str, bound: Mapping[str, bytes] | None = None) -> int:
        if bound:
            raise EngineError("a key is never sent to a cluster; pseudonyms and shifted dates are made by --engine duckdb")
        parsed = self._run_away(statement)
        if parsed is None:
            return self._home.write(statement, path, form, stage)
        sql = self._text(statement, parsed)
        with self._timed(statement, sql) as made, self._staged(stage):
            self._session.write(sql, path, form, statement.relation)
            made[0] = rows = self._home.stored_rows(_files_of(path))
        return rows

    def drop(self, relation: str) -> None:
        self._forget(relation)
        self._home.drop(relation)

    def stands(self, relation: str) -> bool:
        return relation in self._away or self._home.stands(relation)

    def is_away(self, relation: str) -> bool:
        return relation in self._away

    def standing(self) -> dict[str, int | None]:
        return dict.fromkeys(self._away) | self._home.standing()

    def close(self) -> None:
        with undisturbed():
            self._home.close()
            self._session.stop()

    def _run_away(self, statement: Statement) -> Parsed | None:
        """The statement in the words that Spark is to run, parsed, where it reads what stands there; None where it is run at home."""
        # a tree is made only where a name occurs at all: a search asks thousands of statements at home
        if not any(name in statement.sql for name in self._away):
            return None
        dialect: Target = "spark" if has_own_words("spark", statement) else "duckdb"
        parsed = Parsed(rendered_for("spark", statement), dialect)
        return parsed if self._away.intersection(parsed.reads) else None

    def _text(self, statement: Statement, parsed: Parsed) -> str:
        """What Spark is told; what the statement reads of home is handed over."""
        try:
            sql = parsed.translated("spark")
        except EngineError as error:
            raise EngineError(
                f"{statement.template} has not been said for Spark ({error}); --collect-limit brings more home, where it runs"
            ) from error
        for relation in parsed.reads:
            if relation not in self._away and relation not in self._lent:
                path = self._place().with_suffix(".parquet")
                self._home.store(relation, path)
                self._session.open(relation, path)
                self._lent.add(relation)
        if statement.template not in _COMPARED and parsed.columns_as_text:
            self._check_texts(parsed)
        return sql

    def _check_texts(self, parsed: Parsed) -> None:
        """Raises `EngineError` where numbers would become text, which Spark writes in another way."""
        for relation in self._away.intersection(parsed.reads):
            for name, type in self._session.types(relation).items():
                if name in parsed.columns_as_text and type in ("float", "double", "timestamp"):
                    way = "use --engine duckdb" if relation in _ROWS else "raise --collect-limit"
                    raise EngineError(
                        f"column {name!r} holds {type} values, which Spark writes as text in another way than DuckDB; "
                        f"write the file again with decimals or timestamps without a zone, or {way}"
                    )

    def _open(self, statement: Statement) -> None:
        """Names the files that a statement names, on the cluster and for a workspace; refuses what Spark reads otherwise."""
        columns, parameters = self.describe(statement), statement.parameters
        if statement.template in _INPUTS:
            files = [parameters["files"]] if isinstance(parameters["files"], str) else parameters["files"]
            paths, partitions = [Path(_unescaped(file)) for file in files], parameters["partitions"]
            check_names(paths, partitions)
        else:
            paths, partitions = [Path(_unescaped(parameters["path"].removesuffix("/**/*.parquet")))], None
        with self._timed(statement, statement.sql):
            self._session.open(statement.relation, *paths, partitions=partitions)
        if statement.template in _INPUTS:
            check_held(columns, self._session.types(statement.relation))
        self._home.mirror(statement)

    def _check_storage(self) -> None:
        """Raises `EngineError` where the workers do not see what is written here, or the reverse."""
        folder = self._place()
        expected, returned = self._session.echo(folder), 0
        with suppress(EngineError):
            returned = self._home.stored_rows(_files_of(folder))
        if returned != expected:
            raise EngineError(
                f"what the workers of {self._session.address.name!r} write to {str(folder.parent)!r} is not seen here; "
                "put input, output and --temp-directory on storage that all of them mount at the same place"
            )

    def _forget(self, relation: str) -> None:
        """Removes a relation from the cluster's names."""
        if relation in self._away or relation in self._lent:
            self._session.forget(relation)
        self._away.discard(relation)
        self._lent.discard(relation)

    def _place(self) -> Path:
        """A new place in the folder of exchange."""
        self._number += 1
        return self._exchange / str(self._number)

    def _staged(self, stage: str | None) -> AbstractContextManager[object]:
        return nullcontext() if stage is None else staged(self.observer, f"{stage}, on Spark")

    @contextmanager
    def _timed(self, statement: Statement, sql: str) -> Iterator[list[int | None]]:
        """Logs a statement that Spark runs; the list takes the rows that it made."""
        started, made = time.perf_counter(), list[int | None]([None])
        yield made
        seconds = time.perf_counter() - started
        self.steps.append(Step(len(self.steps) + 1, statement.relation, statement.template, sql, seconds, made[0]))
        self.observer.step(statement.relation, made[0], seconds)


def _files_of(folder: Path) -> str:
    """The Parquet files of a folder that Spark wrote, as a pattern of DuckDB's."""
    return f"{glob.escape(str(folder.absolute()))}/**/part-*.parquet"


def _unescaped(text: str) -> str:
    """A path whose wildcards were put in brackets for DuckDB, as it is."""
    return _BRACKETED.sub(r"\1", text)

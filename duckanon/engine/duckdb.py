"""The embedded engine: DuckDB."""

import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb

from duckanon.engine import catalog, resources
from duckanon.engine.faults import headline, translated
from duckanon.engine.owner import Owned
from duckanon.engine.protocol import Column, Form, Settings, Step
from duckanon.engine.scratch import Scratch
from duckanon.engine.templates import Statement, escaped, ident, literal, render
from duckanon.engine.workspace import SCHEMA, WorkspaceFile
from duckanon.errors import JobError
from duckanon.observers import Observer, Silent, staged
from duckanon.signals import block_signals, was_interrupted

if TYPE_CHECKING:
    from duckanon.engine.spark import SparkEngine

Count = Callable[[list[tuple[Any, ...]]], int]

_POLL_SECONDS = 0.1
_WRITTEN = "written"
_AS_WRITTEN = "set disabled_optimizers = 'join_order'"
_LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
"""The endings of the files in which the database notes the changes of a database file, beside it."""


class DuckDBEngine:
    """One connection, in memory or to the workspace's file, and the log of its statements."""

    sorts_codes = True

    def __init__(self, settings: Settings | None = None, observer: Observer | None = None) -> None:
        settings = settings or Settings()
        self.steps: list[Step] = []
        self.observer = observer or Silent()
        self.scratch = Scratch(settings.temp_directory)
        if self.scratch.cleared:
            self.observer.note("removed the temporary files of a run that was stopped")
        self._threads = settings.threads
        self._attached: set[str] = set()
        self._kinds: dict[str, str] = {}
        """The existing relations: table or view."""
        self._makers: dict[str, Statement] = {}
        self.owner: Owned | None = None
        self._worker = ThreadPoolExecutor(max_workers=1)
        """Runs the passes over the rows; a thread for each of them takes longer than a pass over a small table."""
        self._is_kept = False
        self._reach: tuple[Path, ...] | None = None
        """The files and folders that the database may open, once they are set."""
        try:
            self._file = WorkspaceFile(settings.workspace, self.scratch) if settings.workspace is not None else None
            self._connection = self._connect(settings)
        except BaseException:
            self.scratch.close()
            raise
        self._run(f"create schema {SCHEMA}")
        self._run(f"set schema = {literal(SCHEMA)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def restrict(self, paths: Iterable[Path]) -> None:
        reach = [
            way for path in (*paths, resources.folder("hierarchies")) for way in (path.absolute(), path.resolve())
        ] + self.scratch.folders
        self._reach = tuple(dict.fromkeys(reach))
        # a path that does not exist yet may become a file or a folder
        files = [
            name
            for path in self._reach
            if not path.is_dir()
            for name in (str(path), escaped(path), *(f"{path}{ending}" for ending in _LOGS))
        ]
        folders = [name for path in self._reach if not path.is_file() for name in (str(path), escaped(path))]
        self._run(f"set allowed_paths = [{', '.join(map(literal, dict.fromkeys(files)))}]")
        self._run(f"set allowed_directories = [{', '.join(map(literal, dict.fromkeys(folders)))}]")
        self._run("set enable_external_access = false")

    def allow(self, path: Path) -> Path:
        if self._reach is None or not path.is_file() or {path.absolute(), *path.absolute().parents}.intersection(self._reach):
            return path
        copy = self.scratch.staged_path(self.scratch.path / path.name)
        shutil.copyfile(path, copy)
        return copy

    def describe(self, statement: Statement, stage: str | None = None) -> list[Column]:
        sql = f"describe {statement.sql}"
        rows = self._run(sql).fetchall() if stage is None else self._watched(sql, stage)
        return [Column(name, type) for name, type, *_ in rows]

    def create_view(self, statement: Statement) -> None:
        self._logged(statement, f"create or replace view {ident(statement.relation)} as\n{statement.sql}")
        self._made("view", statement.relation)

    def mirror(self, statement: Statement) -> None:
        """Create the view of a statement that another engine runs, so that a workspace contains the relation too. Logs nothing."""
        self._run(f"create or replace view {ident(statement.relation)} as\n{statement.sql}")
        self._made("view", statement.relation)

    def create_table(self, statement: Statement, stage: str | None = None, bound: Mapping[str, bytes] | None = None) -> int:
        sql = f"create or replace table {ident(statement.relation)} as\n{statement.sql}"
        rows = self._logged(statement, sql, stage, count=_count, bound=bound)
        self._made("table", statement.relation)
        self._makers[statement.relation] = statement
        return _count(rows)

    def append(self, statement: Statement, stage: str | None = None) -> int:
        return _count(self._logged(statement, f"insert into {ident(statement.relation)}\n{statement.sql}", stage, count=_count))

    def load(self, relation: str, rows: Sequence[Mapping[str, object]], types: Mapping[str, type]) -> None:
        # lists as parameters: Arrow imports pandas where that is installed, which takes longer than all of this
        kinds = {str: "varchar", int: "bigint", float: "double", bool: "boolean", Decimal: "decimal(38, 9)"}
        cells = [
            f"unnest(cast($column_{number} as {kinds[kind]}[])) as {ident(name)}"
            for number, (name, kind) in enumerate(types.items())
        ]
        columns = {f"column_{number}": [row.get(name) for row in rows] for number, name in enumerate(types)}
        self._run(f"create or replace table {ident(relation)} as select {', '.join(cells)}", columns)
        self._made("table", relation)

    def query(self, statement: Statement, stage: str | None = None) -> list[tuple[Any, ...]]:
        return self._logged(statement, statement.sql, stage, count=len)

    def write(self, statement: Statement, path: Path, form: Form, stage: str, bound: Mapping[str, bytes] | None = None) -> int:
        if form.table is not None:
            self._run(f"attach {literal(str(path))} as {ident(_WRITTEN)}")
            sql = f"create table {ident(_WRITTEN)}.main.{ident(form.table)} as\n{statement.sql}"
        else:
            sql = f"copy (\n{statement.sql}\n) to {literal(str(path))} ({_copy_options(form)})"
        # rows probe the small tables, so that unshuffled rows keep their order
        self._run("set disabled_optimizers = 'join_order,build_side_probe_side'")
        try:
            return _count(self._logged(statement, sql, stage, count=_count, bound=bound))
        finally:
            self._run(_AS_WRITTEN)
            if form.table is not None:
                self._run(f"detach {ident(_WRITTEN)}")

    def store(self, relation: str, path: Path) -> None:
        """Write an existing relation to a Parquet file."""
        self._run(f"copy (from {ident(relation)}) to {literal(str(path))} (format parquet)")

    def fetch(self, relation: str, files: str) -> None:
        """Store the rows of Parquet files, named by a pattern, as a table."""
        self._run(
            f"create or replace table {ident(relation)} as from read_parquet({literal(files)}, hive_partitioning = false)"
        )
        self._made("table", relation)

    def stored_rows(self, files: str) -> int:
        """The number of rows of Parquet files, named by a pattern, from their footers."""
        return _count(self._run(render("log/stored_rows", files=files).sql).fetchall())

    def attach(self, path: Path, name: str, *, is_writable: bool = False) -> None:
        self._run(f"attach {literal(str(path))} as {ident(name)}{'' if is_writable else ' (read_only)'}")
        self._attached.add(name)

    def save(self, statement: Statement, name: str, stage: str | None = None) -> int:
        sql = f"create or replace table {ident(name)}.main.{ident(statement.relation)} as\n{statement.sql}"
        return _count(self._logged(statement, sql, stage, count=_count))

    def discard(self, relation: str, name: str) -> None:
        self._run(f"drop table if exists {ident(name)}.main.{ident(relation)}")

    def copy_tables(self, name: str, path: Path) -> None:
        self._run(f"attach {literal(str(path))} as {ident(_WRITTEN)}")
        try:
            self._run(f"copy from database {ident(name)} to {ident(_WRITTEN)}")
        finally:
            self._run(f"detach {ident(_WRITTEN)}")

    def detach(self, name: str) -> None:
        if name in self._attached:
            self._run(f"detach {ident(name)}")
            self._attached.remove(name)

    def tables(self, name: str) -> list[tuple[str, str, bool]]:
        return [table[:3] for table in self._run(render("log/tables", database=name).sql).fetchall()]

    def drop(self, relation: str) -> None:
        self._makers.pop(relation, None)
        if kind := self._kinds.pop(relation, None):
            self._run(f"drop {kind} {ident(relation)}")

    def rename(self, relation: str, name: str) -> None:
        self._run(f"alter {self._kinds[relation]} {ident(relation)} rename to {ident(name)}")
        self._kinds[name] = self._kinds.pop(relation)
        # a relation of the earlier name is another one
        self._makers.pop(name, None)
        if maker := self._makers.pop(relation, None):
            self._makers[name] = maker

    @property
    def names(self) -> set[str]:
        return set(self._kinds)

    def stands(self, statement: Statement) -> bool:
        return statement.relation in self._kinds and self._makers.get(statement.relation) is statement

    def is_remote(self, relation: str) -> bool:  # noqa: ARG002
        return False

    def relations(self) -> dict[str, int | None]:
        rows = self._run(render("log/tables", database=None).sql).fetchall()
        return {name: None if is_view else int(count) for schema, name, is_view, count in rows if schema == SCHEMA}

    def keep(self) -> None:
        self._is_kept = True

    def interrupt(self) -> None:
        """Stop the statement that runs in another thread, which then raises `KeyboardInterrupt`; does nothing if none runs."""
        self._connection.interrupt()

    def close(self) -> None:
        with block_signals():
            try:
                self._worker.shutdown()
                self._connection.close()
                if self._file is not None and self._is_kept:
                    self._file.publish()
            finally:
                self.scratch.close()

    def _connect(self, settings: Settings) -> duckdb.DuckDBPyConnection:
        config: dict[str, Any] = {
            "temp_directory": str(self.scratch.path / "spill"),
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "python_enable_replacements": False,
            # an interrupt while these threads write a file can block the statement for ever (DuckDB 2.0)
            "async_threads": 0,
        }
        if self._file is not None:
            # each of a hundred small tables takes a block, which has 256 KiB otherwise
            config["default_block_size"] = 16_384
        if settings.threads is not None:
            config["threads"] = settings.threads
        if settings.memory_limit is not None:
            config["memory_limit"] = settings.memory_limit
        try:
            connection = duckdb.connect(str(self._file.staged) if self._file else ":memory:", config=config)
            # the text of a timestamp with time zone, and so its label, must not depend on the machine
            connection.execute("set timezone = 'UTC'")
            # joins run as written, where each finds at most one row per row before it: an order by estimates can multiply rows
            connection.execute(_AS_WRITTEN)
        except duckdb.Error as error:
            given = f"threads {settings.threads}, memory limit {settings.memory_limit!r}"
            way = (
                "use at least one thread"
                if settings.threads is not None and settings.threads < 1
                else "write --memory-limit 4GB"
            )
            raise JobError(f"DuckDB rejects {given} ({headline(error)}); {way}") from error
        # in a notebook, progress needs a package that may not be installed
        with suppress(duckdb.InvalidInputException):
            connection.execute("set enable_progress_bar = true")
            connection.execute("set enable_progress_bar_print = false")
        return connection

    def _run(self, sql: str, bound: Mapping[str, object] | None = None) -> duckdb.DuckDBPyConnection:
        if was_interrupted():
            # a library may have caught the KeyboardInterrupt
            raise KeyboardInterrupt
        try:
            return self._connection.execute(sql, dict(bound) if bound else None)
        except duckdb.InterruptException as error:
            raise KeyboardInterrupt from error
        except duckdb.Error as error:
            # the engine's message may quote a record and would appear in a traceback
            raise translated(error, self._threads) from None
        except RuntimeError as error:
            # raised by DuckDB if a signal stops a statement
            if "interrupted" in str(error):
                raise KeyboardInterrupt from error
            raise

    def _logged(
        self,
        statement: Statement,
        sql: str,
        stage: str | None = None,
        *,
        count: Count | None = None,
        bound: Mapping[str, bytes] | None = None,
    ) -> list[tuple[Any, ...]]:
        """Run and log a statement; `count` reads the number of created rows from the database's answer."""
        started = time.perf_counter()
        rows = self._run(sql, bound).fetchall() if stage is None else self._watched(sql, stage, bound)
        seconds = time.perf_counter() - started
        made = count(rows) if count is not None else None
        self.steps.append(Step(len(self.steps) + 1, statement.relation, statement.template, sql, seconds, made))
        self.observer.step(statement.relation, made, seconds)
        return rows

    def _watched(self, sql: str, stage: str, bound: Mapping[str, bytes] | None = None) -> list[tuple[Any, ...]]:
        """Run a pass over the rows in a separate thread, so that its progress is reported and a signal stops it at once."""
        with staged(self.observer, stage):
            running = self._worker.submit(lambda: self._run(sql, bound).fetchall())
            try:
                while not wait([running], timeout=_POLL_SECONDS).done:
                    percentage = self._connection.query_progress()
                    if percentage >= 0:
                        self.observer.advance(percentage / 100)
            except BaseException:
                with block_signals():
                    self._connection.interrupt()
                    wait([running])
                raise
            return running.result()

    def _made(self, kind: str, relation: str) -> None:
        """Record a relation and, in a workspace, comment it with the meaning of one row."""
        self._makers.pop(relation, None)
        self._kinds[relation] = kind
        if self._file is None:
            return
        sentence = f"one row per {catalog.find(relation).row}"
        self._run(f"comment on {kind} {ident(relation)} is {literal(sentence)}")


def _count(rows: list[tuple[Any, ...]]) -> int:
    return int(rows[0][0]) if rows else 0


def _copy_options(form: Form) -> str:
    if form.format == "parquet":
        folders = f", partition_by ({', '.join(ident(column) for column in form.partition_by)})" if form.partition_by else ""
        return f"format parquet{folders}"
    compression = f", compression {form.compression}" if form.compression else ""
    return f"format csv, header {literal(form.header)}, delimiter {literal(form.delimiter)}{compression}"


def open_engine(settings: Settings, observer: Observer | None, shared: Path | None = None) -> "DuckDBEngine | SparkEngine":
    """Open DuckDB, or a Spark cluster together with DuckDB; `shared` is a folder that the cluster's workers see.

    Raises `JobError` for an unknown engine, and `EngineError` if the engine does not answer.
    """
    if not settings.is_cluster:
        return DuckDBEngine(settings, observer)
    from duckanon.engine.cluster import address_of
    from duckanon.engine.spark import SparkEngine

    return SparkEngine(address_of(settings.engine), settings, observer, shared or Path())

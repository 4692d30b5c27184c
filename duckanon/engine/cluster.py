"""A Spark cluster: its address, a session that runs one call at a time, settings with the same meaning everywhere, and errors without values of the input."""

import logging
import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from duckanon.choices import DUCKDB
from duckanon.engine.protocol import Form
from duckanon.engine.templates import backticked
from duckanon.errors import EngineError, JobError, did_you_mean
from duckanon.signals import block_signals

T = TypeVar("T")

_SCHEMES = {"sc": 15002, "spark": 7077}
"""Spark Connect and the standalone master, with their usual ports."""

_LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)\])?")
_HOST = re.compile(r"(?P<host>[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>\d{1,5}))?")
_PATIENCE = 5.0


@dataclass(frozen=True)
class Address:
    """A cluster's address in the form that Spark expects. `hosts` must be reachable before Spark connects."""

    url: str
    is_connect: bool = False
    hosts: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """The address without its parameters, which may contain a token."""
        return _shown(self.url)


def address_of(engine: str) -> Address:
    """The address of a cluster in the value of `--engine`. Raises `JobError` for an invalid value."""
    if _LOCAL.fullmatch(engine):
        return Address(engine)
    scheme, mark, rest = engine.partition("://")
    if not mark or scheme not in _SCHEMES:
        known = [DUCKDB, "sc://HOST:15002", "spark://HOST:7077", "local[*]"]
        raise JobError(
            f"--engine {_shown(engine)!r} is not an engine{did_you_mean(_shown(engine), known)}; use Spark Connect (sc://) for other cluster managers"
        )
    places, slash, parameters = rest.partition("/")
    names = places.split(",") if scheme == "spark" else [places]
    if slash and not (scheme == "sc" and (not parameters or parameters.startswith(";"))):
        raise JobError(f"--engine {_shown(engine)!r} has text after its port; write {scheme}://HOST:{_SCHEMES[scheme]}")
    return Address(engine, scheme == "sc", tuple(_host(scheme, name) for name in names))


def check_reachable(address: Address) -> None:
    """Raise `EngineError` if nothing answers at the address. Spark itself waits for minutes or indefinitely."""
    failures = []
    for host, port in address.hosts:
        try:
            socket.create_connection((host, port), timeout=_PATIENCE).close()
        except OSError as error:
            failures.append(f"{host}:{port}: {error.strerror or error}")
        else:
            return
    if failures:
        what = "no Spark Connect server" if address.is_connect else "no Spark master"
        raise EngineError(
            f"{what} answers at {address.name!r} ({'; '.join(failures)}); start it, or check host and port (--engine duckdb needs none)"
        )


def _host(scheme: str, name: str) -> tuple[str, int]:
    match = _HOST.fullmatch(name)
    if match is None:
        behind = ", with Spark Connect parameters after /;" if scheme == "sc" else ""
        raise JobError(f"--engine {scheme}://... has no host and port; write {scheme}://HOST:{_SCHEMES[scheme]}{behind}")
    return match["host"].strip("[]"), int(match["port"] or _SCHEMES[scheme])


def _shown(engine: str) -> str:
    """The part before anything that could be a secret."""
    return re.split("[;?@]", engine, maxsplit=1)[0].rstrip("/")


_GLOB = re.compile(r"([*?\[\]{}\\])")
_ESCAPE = r"\\\1"
_FOLDER_TYPES = {"bigint": "bigint", "date": "date", "varchar": "string"}
_PROBES = 16
_EXECUTORS_WITHIN = 120
_SETTINGS = {
    # literals are values of the input: without this, Spark would replace ${env:...} in them with environment variables of the server
    "spark.sql.variable.substitute": "false",
    "spark.sql.session.timeZone": "UTC",
    # overflow and failing casts are errors, as in DuckDB
    "spark.sql.ansi.enabled": "true",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}
_AT_START = {
    "spark.app.name": "duckanon",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # the log of a failed task quotes values of the input
    "spark.log.level": "OFF",
}

_UNSEEN = re.compile(r"FileNotFoundException|does not exist|PATH_NOT_FOUND|FAILED_READ_FILE.FILE_NOT_EXIST", re.IGNORECASE)
_DENIED = re.compile(r"AccessControlException|Permission denied|Mkdirs failed", re.IGNORECASE)
_LOST = re.compile(
    r"SparkContext was (shut down|stopped)|Lost executor|ExecutorLostFailure|Connection refused|UNAVAILABLE|"
    r"NO_ACTIVE_SESSION|INVALID_HANDLE|Answer from Java side is empty|Socket closed",
    re.IGNORECASE,
)
_REFUSED = re.compile("All masters are unresponsive|stopped SparkContext")
_FULL = re.compile(r"No space left", re.IGNORECASE)
_MEMORY = re.compile(r"OutOfMemoryError|GC overhead", re.IGNORECASE)
_DAMAGED = re.compile(r"CANNOT_READ_FILE_FOOTER|not a Parquet file|FAILED_READ_FILE", re.IGNORECASE)
_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_.]+)\]")


def connect(address: Address, threads: int | None = None) -> tuple[Any, bool]:
    """A session of this run, and whether this run must also stop the cluster.

    Raises `EngineError` if the cluster does not answer or has another version, and `JobError` if Spark is not installed.
    """
    check_reachable(address)
    pyspark = _pyspark()
    from pyspark.sql import SparkSession

    # the log of a failing statement quotes the statement, including its values
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "pyspark"):
        logging.getLogger(name).disabled = True
    with translated(address):
        active = None if address.is_connect else SparkSession.getActiveSession()
        if active is not None:
            session, is_ours = active.newSession(), False
        elif address.is_connect:
            session, is_ours = SparkSession.builder.remote(address.url).create(), True
        else:
            builder = SparkSession.builder.master(f"local[{threads}]" if threads and address.url == "local[*]" else address.url)
            for name, value in (_AT_START | _SETTINGS).items():
                builder = builder.config(name, value)
            # Spark's own Ctrl-C handler calls the cluster in the middle of another call
            with _silenced(), _signal_handlers_restored():
                session, is_ours = builder.getOrCreate(), True
            _await_executors(address, session)
        try:
            check_version(address, str(session.version), str(pyspark.__version__))
            for name, value in _SETTINGS.items():
                session.conf.set(name, value)
        except BaseException:
            if is_ours:
                session.stop()
            raise
    return session, is_ours


@contextmanager
def _silenced() -> Iterator[None]:
    """Discard the output of Java at its start. Java logs to standard error, and its log may contain values."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextmanager
def _signal_handlers_restored() -> Iterator[None]:
    """Restore the Ctrl-C handler afterwards."""
    kept = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        with suppress(ValueError):  # outside the main thread, nothing was changed
            signal.signal(signal.SIGINT, kept)


def _await_executors(address: Address, session: Any) -> None:
    """Raise `EngineError` if no worker starts for this session. Spark itself waits indefinitely."""
    deadline = time.monotonic() + _EXECUTORS_WITHIN
    # the driver is included in the count
    while address.hosts and len(session.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) < 2:
        if time.monotonic() > deadline:
            session.stop()
            raise EngineError(
                f"no worker of {address.name!r} started for this session within {_EXECUTORS_WITHIN} s; check that the workers have free cores and memory "
                f"and run Spark {_pyspark().__version__}, which is installed here; see the log of {address.name!r}"
            )
        time.sleep(0.2)


def _interrupt(address: Address, session: Any) -> None:
    """Cancel the session's work on the cluster."""
    with suppress(Exception):
        if address.is_connect:
            session.interruptAll()
        else:
            session.sparkContext.cancelAllJobs()


def _pyspark() -> Any:
    try:
        import pyspark
    except ImportError as error:
        raise JobError(
            "Spark is not installed; install it with pip install 'duckanon[spark]', and Java 17 or newer for all but sc://"
        ) from error
    return pyspark


def check_version(address: Address, server: str, client: str) -> None:
    """Raise `EngineError` if server and client have different major versions. Equal results are known only within one major version."""
    if server.split(".")[:1] != client.split(".")[:1]:
        raise EngineError(
            f"{address.name!r} runs Spark {server}, and Spark {client} is installed here; install pyspark {'.'.join(server.split('.')[:2])}, "
            f"or use a cluster of {client.split('.')[0]}.x"
        )


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """Convert Spark errors to an `EngineError` of one line that quotes no value."""
    try:
        yield
    except (EngineError, JobError, KeyboardInterrupt):
        raise
    except Exception as error:
        if not _is_sparks(error):
            raise
        raise EngineError(_line(address, str(error))) from None


def _is_sparks(error: Exception) -> bool:
    """Whether Spark, its bridge to Java, or its protocol raised the error."""
    return type(error).__module__.partition(".")[0] in ("pyspark", "py4j", "grpc") or isinstance(error, ConnectionError)


def _line(address: Address, message: str) -> str:
    where = f"Spark at {address.name!r}"
    if "JAVA_GATEWAY_EXITED" in message:
        return "Spark could not be started here: it needs Java 17 or newer; install it, or set JAVA_HOME (sc:// needs none)"
    if _REFUSED.search(message):
        return f"{where} rejected or dropped this client; check that it runs Spark {_pyspark().__version__}, which is installed here"
    if _FULL.search(message):
        return f"{where}: no space left on a device of the cluster; free some"
    if _MEMORY.search(message):
        return f"{where} ran out of memory; give its executors more, or generalize from the start (min-level in the job)"
    if _DENIED.search(message):
        return f"{where}: its workers lack permission to read or write a folder; run them as the user who runs duckanon, or give them access"
    if _UNSEEN.search(message):
        return (
            f"{where}: its workers do not see a file that duckanon sees; put input, output and --temp-directory on storage "
            "that all of them mount at the same place"
        )
    if _DAMAGED.search(message):
        return f"{where} cannot read a file of the input; check that it is complete"
    if _LOST.search(message):
        return f"{where} lost its connection during the run; nothing was released, run it again"
    condition = _CONDITION.search(message)
    return f"{where} failed{f' ({condition[1]}; its message may contain values and is not shown)' if condition else ''}"


class Session:
    """Every method raises `EngineError` if Spark fails. Ctrl-C also cancels the work on the cluster."""

    def __init__(self, address: Address, threads: int | None) -> None:
        self.address = address
        self._spark, self._is_ours = connect(address, threads)
        # a single thread makes all calls, because Spark labels a job by the thread that started it
        self._worker = ThreadPoolExecutor(max_workers=1)

    def rows(self, sql: str, relation: str) -> list[tuple[Any, ...]]:
        """The rows of a statement, collected locally. Spark's web pages show the relation as the name of the job."""
        return [tuple(row) for row in self._call(lambda: self._spark.sql(sql).collect(), relation)]

    def store(self, sql: str, folder: Path, relation: str) -> None:
        """Write the rows of a statement to a folder of Parquet files."""
        self._call(lambda: self._spark.sql(sql).write.parquet(_place(folder)), relation)

    def write(self, sql: str, path: Path, form: Form, relation: str) -> None:
        """Write the rows of a statement for the recipient: in folders by columns if the form has them, without Spark's marker files."""

        def written() -> None:
            writer = self._spark.sql(sql).write.option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false")
            writer.partitionBy(*form.partition_by).parquet(_place(path))

        self._call(written, relation)
        for checksum in path.rglob(".*.crc"):
            checksum.unlink()

    def name(self, relation: str, sql: str) -> None:
        """Create the view of a statement."""
        self._name(relation, lambda: self._spark.sql(sql))

    def open(self, relation: str, *paths: Path, partitions: Mapping[str, str] | None = None) -> None:
        """Create a view of Parquet files, with the columns from their folder names and the types of these columns."""

        def opened() -> Any:
            reader = self._spark.read
            if partitions:
                reader = reader.option("basePath", _url(paths[0].parents[len(partitions)]))
            frame = reader.parquet(*map(_url, paths))
            for column, type in (partitions or {}).items():
                frame = frame.withColumn(column, frame[backticked(column)].cast(_FOLDER_TYPES[type]))
            return frame

        self._name(relation, opened)

    def forget(self, relation: str) -> None:
        """Drop a view."""
        self._call(lambda: self._spark.catalog.dropTempView(backticked(relation)), relation)

    def types(self, relation: str) -> dict[str, str]:
        """The columns of a view, with Spark's names of their types."""
        return dict(self._call(lambda: self._spark.table(backticked(relation)).dtypes, relation))

    def echo(self, folder: Path) -> int:
        """Let the workers copy a file beside a folder into the folder; return the number of rows to expect."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        sent = folder.with_suffix(".parquet")
        pq.write_table(pa.table({"number": range(_PROBES)}), sent)
        self._call(lambda: self._spark.read.parquet(_url(sent)).repartition(_PROBES).write.parquet(_place(folder)), "echo")
        return _PROBES

    def stop(self) -> None:
        """Stop the session if this run started it."""
        self._worker.shutdown()
        if self._is_ours:
            with suppress(Exception):
                self._spark.stop()

    def _name(self, relation: str, frame: Callable[[], Any]) -> None:
        self._call(lambda: frame().createOrReplaceTempView(backticked(relation)), relation)

    def _call(self, call: Callable[[], T], relation: str) -> T:
        def described() -> T:
            if not self.address.is_connect:
                self._spark.sparkContext.setJobDescription(relation)
            return call()

        with translated(self.address):
            running = self._worker.submit(described)
            try:
                wait([running])
            except BaseException:
                with block_signals():
                    _interrupt(self.address, self._spark)
                    wait([running])
                raise
            return running.result()


def _place(path: Path) -> str:
    """The URL of a path to write to, independent of Spark's default file system."""
    return f"file://{path.absolute()}"


def _url(path: Path) -> str:
    """The URL of a path to read. Its characters are not wildcards."""
    return _GLOB.sub(_ESCAPE, _place(path))

"""A Spark cluster: its address, the connection, settings with the same meaning everywhere, and errors without values of the input."""

import logging
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.choices import DUCKDB
from duckanon.errors import EngineError, JobError, did_you_mean

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


def interrupt(address: Address, session: Any) -> None:
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

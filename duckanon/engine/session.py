"""A session on a Spark cluster: runs one call at a time, and knows the names of its relations."""

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from duckanon.engine import cluster
from duckanon.engine.cluster import Address
from duckanon.engine.protocol import Form
from duckanon.engine.templates import backticked
from duckanon.signals import block_signals

T = TypeVar("T")

_GLOB = re.compile(r"([*?\[\]{}\\])")
_ESCAPE = r"\\\1"
_FOLDER_TYPES = {"bigint": "bigint", "date": "date", "varchar": "string"}
_PROBES = 16


class Session:
    """Every method raises `EngineError` if Spark fails. Ctrl-C also cancels the work on the cluster."""

    def __init__(self, address: Address, threads: int | None) -> None:
        self.address = address
        self._spark, self._is_ours = cluster.connect(address, threads)
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

        with cluster.translated(self.address):
            running = self._worker.submit(described)
            try:
                wait([running])
            except BaseException:
                with block_signals():
                    cluster.interrupt(self.address, self._spark)
                    wait([running])
                raise
            return running.result()


def _place(path: Path) -> str:
    """The URL of a path to write to, independent of Spark's default file system."""
    return f"file://{path.absolute()}"


def _url(path: Path) -> str:
    """The URL of a path to read. Its characters are not wildcards."""
    return _GLOB.sub(_ESCAPE, _place(path))

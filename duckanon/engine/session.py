"""A session on a Spark cluster: what it is asked, one question at a time, and the names that it knows."""

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from duckanon.engine import cluster
from duckanon.engine.address import Address
from duckanon.engine.protocol import Form
from duckanon.engine.templates import backticked
from duckanon.signals import undisturbed

T = TypeVar("T")

_GLOB = re.compile(r"([*?\[\]{}\\])")
_ESCAPE = r"\\\1"
_FOLDER_TYPES = {"bigint": "bigint", "date": "date", "varchar": "string"}
_PROBES = 16


class Session:
    """Every method raises `EngineError` where Spark does; Ctrl-C ends on the cluster too what it does for us."""

    def __init__(self, address: Address, threads: int | None) -> None:
        self.address = address
        self._spark, self._is_ours = cluster.connect(address, threads)
        # one thread asks all: Spark describes a job by the thread that started it
        self._worker = ThreadPoolExecutor(max_workers=1)

    def rows(self, sql: str, relation: str) -> list[tuple[Any, ...]]:
        """What a statement gives, brought here; its relation is what Spark's own pages call the job."""
        return [tuple(row) for row in self._call(lambda: self._spark.sql(sql).collect(), relation)]

    def store(self, sql: str, folder: Path, relation: str) -> None:
        """Writes what a statement gives to a folder of Parquet files."""
        self._call(lambda: self._spark.sql(sql).write.parquet(_place(folder)), relation)

    def write(self, sql: str, path: Path, form: Form, relation: str) -> None:
        """The same for who is to read it: in folders by columns where asked for, and without Spark's own marks."""

        def written() -> None:
            writer = self._spark.sql(sql).write.option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false")
            writer.partitionBy(*form.partition_by).parquet(_place(path))

        self._call(written, relation)
        for checksum in path.rglob(".*.crc"):
            checksum.unlink()

    def name(self, relation: str, sql: str) -> None:
        """Names a statement."""
        self._name(relation, lambda: self._spark.sql(sql))

    def open(self, relation: str, *paths: Path, partitions: Mapping[str, str] | None = None) -> None:
        """Names Parquet files, with the columns that the names of their folders give and the types of those."""

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
        """Gives a name up."""
        self._call(lambda: self._spark.catalog.dropTempView(backticked(relation)), relation)

    def types(self, relation: str) -> dict[str, str]:
        """The columns of what has a name, with Spark's names of their types."""
        return dict(self._call(lambda: self._spark.table(backticked(relation)).dtypes, relation))

    def echo(self, folder: Path) -> int:
        """Has the workers write a file beside a folder again, into the folder; gives the rows that have to be there."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        sent = folder.with_suffix(".parquet")
        pq.write_table(pa.table({"number": range(_PROBES)}), sent)
        self._call(lambda: self._spark.read.parquet(_url(sent)).repartition(_PROBES).write.parquet(_place(folder)), "echo")
        return _PROBES

    def stop(self) -> None:
        """Ends the session, if it is not another's."""
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
                with undisturbed():
                    cluster.interrupt(self.address, self._spark)
                    wait([running])
                raise
            return running.result()


def _place(path: Path) -> str:
    """A path that is written to, as Spark names it, whatever its default file system."""
    return f"file://{path.absolute()}"


def _url(path: Path) -> str:
    """A path that is read; none of its characters is a wildcard."""
    return _GLOB.sub(_ESCAPE, _place(path))

"""A real Spark cluster on loopback: a standalone master and two workers from the PyPI package, and a Spark Connect server."""

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

_DEFAULTS = """
spark.driver.host 127.0.0.1
spark.driver.bindAddress 127.0.0.1
spark.cores.max 2
spark.executor.cores 1
spark.executor.memory 768m
spark.driver.memory 768m
spark.sql.shuffle.partitions 2
spark.ui.showConsoleProgress false
spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1
"""
"""What suits small data on a small machine: compiled quickly, in few parts."""

_PATIENCE = 600


def lacking() -> str | None:
    """What a cluster needs and is not here."""
    if importlib.util.find_spec("pyspark") is None:
        return "pyspark is not installed (duckanon[spark])"
    return None if shutil.which("java") or os.environ.get("JAVA_HOME") else "there is no Java"


@dataclass
class Cluster:
    """A master and workers that run, by their processes."""

    folder: Path
    environment: dict[str, str]
    url: str = ""
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def workers(self) -> list[subprocess.Popen[bytes]]:
        return self.started[1:3]

    def start(self, *arguments: str, name: str, before: Sequence[str] = ()) -> Path:
        """Starts a part of Spark; gives the file of what it says. `before` is what starts the program."""
        log = self.folder / f"{name}.log"
        spark = Path(self.environment["SPARK_HOME"])
        with log.open("wb") as log_file:
            program = [*before, str(spark / "bin/spark-class"), *arguments]
            self.started.append(subprocess.Popen(program, stdout=log_file, stderr=subprocess.STDOUT, env=self.environment))
        return log

    def stop(self) -> None:
        """Ends what runs, the last first."""
        for process in reversed(self.started):
            process.terminate()
        for process in self.started:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def running(folder: Path, workers: int = 2, hidden: Path | None = None) -> Iterator[Cluster]:
    """A cluster with settings of its own, gone afterwards; its workers find another, empty folder where `hidden` is."""
    import pyspark

    (folder / "conf").mkdir(parents=True)
    (folder / "conf/spark-defaults.conf").write_text(_DEFAULTS, encoding="utf-8")
    environment = os.environ | {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_CONF_DIR": str(folder / "conf"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "640m",
        "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
    }
    cluster = Cluster(folder, environment)
    try:
        master = ("org.apache.spark.deploy.master.Master", "-h", "127.0.0.1", "-p", "0", "--webui-port", "0")
        log = cluster.start(*master, name="master")
        cluster.url = logged(log, r"Starting Spark master at (spark://\S+)")
        blind = ("unshare", "--mount", "sh", "-c", f"mount -t tmpfs none '{hidden}' && exec \"$@\"", "sh") if hidden else ()
        for number in range(workers):
            worker = ("org.apache.spark.deploy.worker.Worker", "-h", "127.0.0.1", "-c", "6", "-m", "4g", "--webui-port", "0")
            cluster.start(*worker, "-d", str(folder / f"worker-{number}"), cluster.url, name=f"worker-{number}", before=blind)
        for number in range(workers):
            logged(folder / f"worker-{number}.log", "(Successfully registered)")
        yield cluster
    finally:
        cluster.stop()


def connect_server(cluster: Cluster) -> str:
    """Starts a Spark Connect server on the cluster; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.ui.enabled": "false",
    }
    options = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    server = "org.apache.spark.sql.connect.service.SparkConnectServer"
    cluster.start(
        *("org.apache.spark.deploy.SparkSubmit", "--master", cluster.url, "--class", server, *options, "spark-internal"),
        name="connect",
    )
    until(lambda: _listens(port), "the Spark Connect server listens")
    return f"sc://127.0.0.1:{port}"


def logged(log: Path, pattern: str) -> str:
    """What a log says, as soon as it says it."""
    matches: list[str] = []

    def is_said() -> bool:
        matches[:] = re.findall(pattern, log.read_text(encoding="utf-8", errors="replace"))
        return bool(matches)

    until(is_said, f"{log.name} says {pattern!r}")
    return matches[0]


def until(happens: Callable[[], bool], what: str) -> None:
    """Waits for something; fails where it does not happen."""
    deadline = time.monotonic() + _PATIENCE
    while not happens():
        if time.monotonic() > deadline:
            pytest.fail(f"waited {_PATIENCE} s in vain: {what}")
        time.sleep(0.1)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

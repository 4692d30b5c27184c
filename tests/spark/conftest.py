"""One cluster and one session for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import cluster as clusters
from tests.support.absence import absent
from tests.support.cluster import Cluster
from tests.support.command_line import Cli, Finished, run_process


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers."""
    if lacking := clusters.lacking():
        absent(lacking)
    with clusters.running(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="session")
def spark(cluster: Cluster) -> Iterator[str]:
    """The cluster's address, with a session that all runs share: each would start its own."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        for name in ("SPARK_CONF_DIR", "SPARK_LOCAL_IP"):
            patch.setenv(name, cluster.environment[name])
        session = SparkSession.builder.master(cluster.url).config("spark.ui.enabled", "false").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield cluster.url
        session.stop()


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Runs `duckanon ARGUMENTS` in a process of its own: in this one, it would find the session of the tests."""

    def run(*arguments: str | Path, cwd: Path = tmp_path, code: int | None = None) -> Finished:
        return run_process(cwd, *arguments, code=code)

    return run

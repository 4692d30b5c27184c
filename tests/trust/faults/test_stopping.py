"""SIGINT, SIGTERM and SIGHUP at many moments of a run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.command_line import without_warnings
from tests.support.demo import Demo
from tests.support.tables_of_trust import RecordRow
from tests.trust.faults.outcomes import BEFORE, Outcomes
from tests.trust.faults.scenarios import SCENARIOS, is_complete, state

GUESSED = SCENARIOS["guessed roles"]
QUICK = ("--algorithm", "optimal", "--set", "recoding.max-nodes=1", "-q")
"""Detected roles, and a search that ends at once: writing and verifying take most of the run."""
EARLY = (0.05, 0.1, 0.2, 0.3, 0.4)
"""Seconds after the start: the program may still be on its way to the line where it listens."""
LATER = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8)
"""Seconds after the private folder was made."""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_stopped_leaves_nothing(tmp_path: Path, sent: signal.Signals, record_row: RecordRow, demo: Demo) -> None:
    demo(tmp_path / "people.parquet", 60_000)
    (tmp_path / "temp").mkdir()
    before = state(tmp_path)
    outcomes = Outcomes(f"{sent.name} at {len(EARLY + LATER)} moments")
    for is_early, moment in [*((True, step) for step in EARLY), *((False, step) for step in LATER)]:
        process = subprocess.Popen(
            [sys.executable, "-m", "duckanon", "anonymize", "people.parquet", *QUICK, "-o", "out.parquet"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(tmp_path / "temp")},
        )
        while not is_early and process.poll() is None and not list((tmp_path / "temp").iterdir()):
            time.sleep(0.001)
        time.sleep(moment)
        process.send_signal(sent)
        _, errors = process.communicate(timeout=60)
        is_there = (tmp_path / "out.parquet").exists()
        outcomes.add(
            as_before=state(tmp_path) == before,
            is_new=is_there and is_complete(tmp_path, GUESSED),
            left=(tmp_path / "temp").iterdir(),
        )
        if is_there:
            # it came after the release had its name
            for path in tmp_path.glob("out.parquet*"):
                subprocess.run(["rm", "-r", path], check=True)
        elif not is_early:
            assert process.returncode == 130, errors
            assert without_warnings(errors.decode()) == ["duckanon: error: interrupted; no unfinished file is left"]
    outcomes.tell(record_row)
    assert outcomes.ends[BEFORE] >= 8


INTERRUPTED_WRITES = """
import os, random, sys, threading, time
from duckanon.engine.duckdb import DuckDBEngine

connection = DuckDBEngine()._connection
connection.execute("create table records as select range as number, md5(range::varchar) as text from range(1000000)")


def write():
    try:
        connection.execute("copy records to 'records.parquet' (format parquet, row_group_size 20480)")
    except Exception as error:
        assert "nterrupt" in str(error), error


chance = random.Random(1)
for _ in range(40):
    writing = threading.Thread(target=write, daemon=True)
    writing.start()
    time.sleep(chance.random() * 0.4)
    connection.interrupt()
    writing.join(20)
    if writing.is_alive():
        os._exit(1)
os._exit(0)
"""


def test_an_interrupt_never_blocks_a_statement_that_writes(tmp_path: Path) -> None:
    """DuckDB 2.0 did within 20 interrupts while its asynchronous threads wrote."""
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED_WRITES], cwd=tmp_path, timeout=100, check=False)
    assert ended.returncode == 0


STOPPED_WHERE_NOTHING_CAN_BE_RAISED = """
import os, signal
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.signals import install_signal_handlers, was_interrupted


class Short:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)


install_signal_handlers()
engine = DuckDBEngine()
Short()
assert was_interrupted()
try:
    engine._run("select 1")
except KeyboardInterrupt:
    os._exit(0)
"""


def test_a_signal_that_python_swallows_stops_the_next_statement() -> None:
    """Where it comes within a callback of a weak reference or a destructor, Python prints the error and goes on."""
    ended = subprocess.run(
        [sys.executable, "-c", STOPPED_WHERE_NOTHING_CAN_BE_RAISED], capture_output=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


STOPPED_BEFORE_THE_ENGINE_IS_ENTERED = """
import os, signal, sys
from duckanon.cli import main
from duckanon.engine.duckdb import DuckDBEngine

engines = []


def stop(engine, sql):
    engines.append(engine)
    os.kill(os.getpid(), signal.SIGTERM)


DuckDBEngine._run = stop
sys.argv = ["duckanon", "anonymize", "people.parquet", "-q", "-o", "out.parquet"]
main()
"""


STOPPED_WHILE_THE_FOLDER_IS_MADE = """
import os, signal, sys
from duckanon.cli import main
from duckanon.engine import scratch

made = scratch._made


def stop(root):
    os.kill(os.getpid(), signal.SIGTERM)
    return made(root)


scratch._made = stop
sys.argv = ["duckanon", "anonymize", "people.parquet", "-q", "-o", "out.parquet"]
main()
"""


@pytest.mark.parametrize(
    "program", [STOPPED_WHILE_THE_FOLDER_IS_MADE, STOPPED_BEFORE_THE_ENGINE_IS_ENTERED], ids=["made", "entered"]
)
def test_a_signal_around_the_making_of_the_private_folder_stops_the_run_and_leaves_none(
    tmp_path: Path, demo: Demo, program: str
) -> None:
    """Before the engine is entered, the test keeps a reference to it, as a traceback can."""
    demo(tmp_path / "people.parquet", 1_000)
    (tmp_path / "temp").mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temp")},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (130, b"duckanon: error: interrupted; no unfinished file is left\n")
    assert list((tmp_path / "temp").iterdir()) == []
    assert not (tmp_path / "out.parquet").exists()

"""Runs with the same output, and a clock that is changed during a run."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.support.absence import absent
from tests.support.command_line import without_warnings
from tests.support.demo import Demo
from tests.support.tables_of_trust import RecordRow
from tests.trust.faults.outcomes import Outcomes
from tests.trust.faults.scenarios import SCENARIOS, is_complete

RUNS = 4


def start(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "duckanon",
            "anonymize",
            "people.parquet",
            "--qi",
            "age,sex",
            "--keep",
            "hours-per-week",
            "-q",
            *arguments,
        ],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder.parent / "temp"), **environment},
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def work(tmp_path: Path, demo: Demo) -> Path:
    """A folder with people, beside one for temporary files."""
    (tmp_path / "temp").mkdir()
    (tmp_path / "work").mkdir()
    demo(tmp_path / "work" / "people.parquet", 20_000)
    return tmp_path / "work"


@pytest.mark.parametrize(
    ("name", "overwrite"), [("a new Parquet file", False), ("a Parquet file replaced", True), ("a folder replaced", True)]
)
def test_runs_that_want_the_same_place_leave_one_whole_release(
    work: Path, name: str, overwrite: bool, record_row: RecordRow
) -> None:
    """Each asks for another k, so that a manifest of one beside the release of another would be seen."""
    scenario = SCENARIOS[name]
    parted = ["--set", "output.partition-by=sex"] if "partition_by" in scenario.options else []
    outcomes = Outcomes(f"{RUNS} runs at once, {name}")
    for _ in range(3):
        arguments = ["-o", scenario.output, *parted, *(["--overwrite"] if overwrite else [])]
        if overwrite:
            first = start(work, *arguments, "--k", "7")
            assert (without_warnings(first.communicate()[1]), first.returncode) == ([], 0)
        started = [start(work, *arguments, "--k", str(5 + number)) for number in range(RUNS)]
        ended = [(process.communicate()[1], process.returncode) for process in started]
        assert {code for _, code in ended} <= {0, 3}, ended
        assert all(code == 0 or len(without_warnings(errors)) == 1 for errors, code in ended)
        succeeded = [code for _, code in ended].count(0)
        assert succeeded >= 1 if overwrite else succeeded == 1
        strangers = {path.name for path in work.iterdir()} - scenario.companions - {"people.parquet"}
        outcomes.add(as_before=False, is_new=is_complete(work, scenario), left=[*strangers, *(work.parent / "temp").iterdir()])
        if not overwrite:
            for path in work.glob("out*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    outcomes.tell(record_row)


@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_is_set_while_a_run_goes_on_changes_nothing(work: Path, days: int, record_row: RecordRow) -> None:
    """By libfaketime, which stands between a process and the clock of the system."""
    libraries = [*Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), *Path("/usr/lib").glob("faketime/libfaketimeMT.so.1")]
    if not libraries:
        absent("libfaketime is absent (apt install libfaketime)")
    clock = work.parent / "clock"
    clock.write_text("+0")
    process = start(
        work,
        "-o",
        "out.parquet",
        LD_PRELOAD=str(libraries[0]),
        FAKETIME_TIMESTAMP_FILE=str(clock),
        FAKETIME_NO_CACHE="1",
        FAKETIME_DONT_FAKE_MONOTONIC="1",
    )
    ticking = threading.Event()

    def tick() -> None:
        number = 0
        while not ticking.wait(0.01):
            number += 1
            clock.write_text(f"{days if number % 2 else -days:+d}d")

    setter = threading.Thread(target=tick)
    setter.start()
    time.sleep(0.1)
    _, errors = process.communicate(timeout=100)
    ticking.set()
    setter.join()
    assert process.returncode == 0, errors
    seconds = json.loads((work / "out.parquet.manifest.json").read_text())["seconds"]
    assert all(0 <= second < 100 for second in seconds.values()), seconds
    outcomes = Outcomes(f"the clock jumps by {abs(days)} days, first {'back' if days < 0 else 'ahead'}")
    is_new = is_complete(work, SCENARIOS["a new Parquet file"])
    outcomes.add(as_before=False, is_new=is_new, left=(work.parent / "temp").iterdir())
    outcomes.tell(record_row)

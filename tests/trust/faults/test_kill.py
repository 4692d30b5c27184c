"""`kill -9` at every step of a run: never a partial file, never a lost one, nothing left after the next start."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support import levels
from tests.support.demo import Demo
from tests.support.paths import ROOT
from tests.support.tables_of_trust import RecordRow
from tests.trust.faults.outcomes import BEFORE, NEW, Outcomes
from tests.trust.faults.scenarios import SCENARIOS, state

QUICK = ("--algorithm", "optimal", "--set", "recoding.max-nodes=1", "-q")
"""Detected roles, and a search that ends at once: writing and verifying take most of the run."""


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_run_that_is_killed_at_any_step_leaves_all_of_the_old_or_all_of_the_new(
    tmp_path: Path, name: str, record_row: RecordRow
) -> None:
    every = levels.current().kill_every
    finished = subprocess.run(
        [sys.executable, "-m", "tests.trust.faults.killing", tmp_path / "root", name, str(every)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    outcome = json.loads(finished.stdout)
    outcomes = Outcomes(f"kill -9, {name}")
    for end, left in zip(outcome["ends"], outcome["left"], strict=True):
        outcomes.add(as_before=end == BEFORE, is_new=end == NEW, left=left)
    outcomes.tell(record_row)
    assert outcome["problems"] == []
    assert outcomes.ends[NEW] >= 1, "no step came after the release had its name"
    assert outcomes.ends[BEFORE] > 20 // every


@pytest.mark.parametrize("output", ["out.parquet", "out.csv", "out.duckdb::people", "out"])
def test_a_run_that_is_killed_while_the_database_writes_leaves_what_was_there(
    tmp_path: Path, output: str, record_row: RecordRow, demo: Demo
) -> None:
    """At five sizes of the half-written file."""
    rows, sizes = 300_000, (1, 200_000, 400_000, 800_000, 1_200_000)
    demo(tmp_path / "people.parquet", rows)
    outcomes = Outcomes(f"kill -9 while the database writes {output}")
    for size in sizes:
        temp, work = tmp_path / f"temp-{size}", tmp_path / f"work-{size}"
        temp.mkdir()
        work.mkdir()
        (work / "people.parquet").hardlink_to(tmp_path / "people.parquet")
        before = state(work)
        arguments = [
            "--qi",
            "age,sex",
            "--others",
            "keep",
            "--keep",
            "fnlwgt",
            "-o",
            output,
            *(["--set", "output.partition-by=sex"] if output == "out" else []),
        ]
        process = subprocess.Popen(
            [sys.executable, "-m", "duckanon", "anonymize", "people.parquet", *arguments, "-q"],
            cwd=work,
            env={**os.environ, "TMPDIR": str(temp)},
        )
        while process.poll() is None and _written(temp, output.partition("::")[0]) < size:
            time.sleep(0.0005)
        process.kill()
        if process.wait() == 0:
            continue
        assert process.returncode == -signal.SIGKILL
        assert state(work) == before
        assert [path.stat().st_mode & 0o777 for path in temp.iterdir()] == [0o700]
        again = subprocess.run(
            [sys.executable, "-m", "duckanon", "hierarchy", "list"],
            env={**os.environ, "TMPDIR": str(temp)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert again.returncode == 0
        outcomes.add(as_before=state(work) == before, left=temp.iterdir())
    outcomes.tell(record_row)
    assert outcomes.ends[BEFORE] >= 3


def test_a_run_that_is_killed_while_it_parses_leaves_no_copy_to_the_next(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "people.csv", 300_000)
    temp = tmp_path / "temp"
    temp.mkdir()
    about: dict[str, Any] = {"cwd": tmp_path, "env": {**os.environ, "TMPDIR": str(temp)}}
    process = subprocess.Popen([sys.executable, "-m", "duckanon", "anonymize", "people.csv", "--qi", "age,sex", "-q"], **about)
    # DuckDB renames it when it is complete
    while process.poll() is None and _written(temp, "tmp_people.csv.parquet") < 100_000:
        time.sleep(0.0005)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert len(list(temp.rglob("tmp_people.csv.parquet"))) == 1
    assert [path.stat().st_mode & 0o777 for path in temp.iterdir()] == [0o700]
    subprocess.run([sys.executable, "-m", "duckanon", "hierarchy", "list"], **about, capture_output=True, check=True)
    assert list(temp.iterdir()) == []


def _written(temp: Path, name: str) -> int:
    """The bytes of the draft so far."""
    count = 0
    for path in temp.rglob("*"):
        if name in path.parts and not path.name.startswith("duckdb_temp"):
            try:
                count += path.stat().st_size if path.is_file() else 0
            except FileNotFoundError:
                continue
    return count


def test_the_next_run_says_that_it_tidied_up(tmp_path: Path) -> None:
    """And leaves alone what is not ours, however it is called."""
    for name in ("duckanon-of_mine", "duckanon-abcdefgh", "duckanon"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis.txt").write_text("years of work")
    left = tmp_path / "duckanon-12345678"
    left.mkdir(mode=0o700)
    (left / "lock").write_text("duckanon\n")
    (left / "spilled").write_text("a name")
    finished = subprocess.run(
        [sys.executable, "-m", "duckanon", "demo", "--rows", "100", "-o", tmp_path / "people.parquet"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "of a run that was stopped" in finished.stderr
    assert not left.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"duckanon-of_mine", "duckanon-abcdefgh", "duckanon", "people.parquet"}
    assert (tmp_path / "duckanon-abcdefgh" / "thesis.txt").read_text() == "years of work"


def test_what_a_killed_run_left_in_a_folder_of_its_own_choice_is_found_without_naming_it(tmp_path: Path, demo: Demo) -> None:
    """The next run is given no --temp-directory."""
    (tmp_path / "usual").mkdir()
    (tmp_path / "chosen").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "usual")}
    demo(tmp_path / "people.parquet", 100_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "duckanon", "anonymize", "people.parquet", "--temp-directory", "chosen", *QUICK],
        cwd=tmp_path,
        env=environment,
    )
    while process.poll() is None and _written(tmp_path / "chosen", "people.anonymized.parquet") == 0:
        time.sleep(0.001)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert len(list((tmp_path / "chosen").iterdir())) == 1
    subprocess.run([sys.executable, "-m", "duckanon", "hierarchy", "list"], env=environment, capture_output=True, check=True)
    assert list((tmp_path / "chosen").iterdir()) == []
    assert list((tmp_path / "usual").iterdir()) == []


def test_the_folder_of_a_run_that_lives_is_left_alone(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "people.parquet", 200_000)
    (tmp_path / "temp").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temp")}
    process = subprocess.Popen(
        [sys.executable, "-m", "duckanon", "anonymize", "people.parquet", *QUICK],
        cwd=tmp_path,
        env=environment,
    )
    while process.poll() is None and not list((tmp_path / "temp").iterdir()):
        time.sleep(0.001)
    subprocess.run([sys.executable, "-m", "duckanon", "hierarchy", "list"], env=environment, capture_output=True, check=True)
    assert process.wait() == 0
    assert list((tmp_path / "temp").iterdir()) == []

"""A register of releases while runs are killed, and while two runs start at once: what was released is registered."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.support.command_line import run_process
from tests.support.demo import Demo

RUN = (sys.executable, "-m", "duckanon", "anonymize", "people.parquet", "--qi", "age,sex", "--keep", "hours-per-week", "-q")
MOMENTS = 8


def started(folder: Path, output: str) -> "subprocess.Popen[bytes]":
    """A run with a register, in a process of its own."""
    environment = {**os.environ, "TMPDIR": str(folder / "temp"), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*RUN, "-o", output, "--register", "releases.duckdb"]
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, env=environment)


def registered(folder: Path) -> list[str]:
    listed = run_process(folder, "register", "list", "releases.duckdb", "--json", code=0)
    return [each["release"] for each in json.loads(listed.out)]


def test_what_is_released_is_registered_when_runs_are_killed(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "people.parquet", 20_000)
    (tmp_path / "temp").mkdir()
    first = started(tmp_path, "first.parquet")
    began = time.monotonic()
    _, errors = first.communicate()
    assert first.returncode == 0, errors
    whole = time.monotonic() - began
    ends = {"released": 0, "not released": 0}
    for moment in range(MOMENTS):
        output = f"killed-{moment}.parquet"
        process = started(tmp_path, output)
        # most moments while the release is written, verified and registered
        time.sleep(whole * (0.4 + 0.6 * moment / MOMENTS))
        process.kill()
        process.communicate()
        is_there = (tmp_path / output).exists()
        ends["released" if is_there else "not released"] += 1
        names = registered(tmp_path)
        assert "first.parquet" in names
        assert not is_there or output in names
    assert ends["not released"] > 0
    last = started(tmp_path, "last.parquet")
    _, errors = last.communicate()
    assert last.returncode == 0, errors
    assert "last.parquet" in registered(tmp_path)
    assert not list(tmp_path.glob("releases.duckdb?*"))


def test_of_two_runs_at_once_each_is_registered_or_refused(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "people.parquet", 20_000)
    (tmp_path / "temp").mkdir()
    runs = {name: started(tmp_path, name) for name in ("one.parquet", "two.parquet")}
    ends = {name: (run.communicate()[1].decode(), run.returncode) for name, run in runs.items()}
    assert 0 in [code for _, code in ends.values()]
    for name, (errors, code) in ends.items():
        if code:
            assert code == 3
            assert "releases.duckdb' is in use by another run; wait until it ends" in errors
        assert (tmp_path / name).exists() is (code == 0)
    assert sorted(registered(tmp_path)) == sorted(name for name, (_, code) in ends.items() if code == 0)

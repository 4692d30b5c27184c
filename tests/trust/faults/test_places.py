"""Places that fail: a full disk, a read-only one, a folder that disappears, too little memory."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.templates import Statement
from tests.support.command_line import Cli, refused, without_warnings
from tests.support.demo import Demo
from tests.support.tables_of_trust import RecordRow
from tests.trust.faults.outcomes import BEFORE, NEW, Outcomes
from tests.trust.faults.scenarios import SCENARIOS, is_complete, state

ASKED = ("--qi", "age,sex", "--others", "keep", "--keep", "fnlwgt", "-q")

REPLACED = {"out": "a folder replaced", "out.parquet": "a Parquet file replaced", "out.csv.gz": "a CSV file replaced"}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of 2 MB until it is mounted anew."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("no right to mount a file system here")
    yield place
    subprocess.run(["umount", place], check=True)


def run(folder: Path, *arguments: object, temp: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "duckanon", "anonymize", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(temp)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("where", "output"),
    [
        ("the output", "out.parquet"),
        ("the output", "out"),
        ("both", "out.parquet"),
        ("both", "out"),
        ("temporary files", "out.parquet"),
        ("temporary files", "out.csv.gz"),
    ],
)
def test_a_disk_that_fills_up_anywhere_leaves_the_old_release(
    tmp_path: Path, disk: Path, where: str, output: str, record_row: RecordRow, demo: Demo
) -> None:
    """The disk grows until the run succeeds, so that it is full at one moment after another."""
    # a CSV input is parsed into the folder of temporary files
    source = tmp_path / ("people.csv" if output == "out.csv.gz" else "people.parquet")
    spills = where == "temporary files" and output == "out.parquet"
    demo(source, 1_500_000 if spills else 100_000)
    (tmp_path / "temp").mkdir()
    (tmp_path / "work").mkdir()
    work = disk if where != "temporary files" else tmp_path / "work"
    temp = disk if where != "the output" else tmp_path / "temp"
    parted = ["--set", "output.partition-by=sex"] if output == "out" else []
    limits = ["--memory-limit", "110MB", "--threads", "1"] if spills else []
    old = run(work, source, "--qi", "age,sex", "-q", "-o", output, *parted, temp=tmp_path / "temp")
    assert old.returncode == 0, old.stderr
    before = state(work)
    outcomes = Outcomes(f"a full disk for {where}, {output}")
    scenario = SCENARIOS[REPLACED[output]]
    for size in (200, 400, 600, 800, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800):
        subprocess.run(["mount", "-o", f"remount,size={size}k", disk], check=True)
        finished = run(work, source, *ASKED, "-o", output, *parted, *limits, "--overwrite", temp=temp)
        left = [path.name for path in {temp, tmp_path / "temp"} for path in [*path.glob("duckanon-*"), *path.glob(".*")]]
        succeeded = finished.returncode == 0
        outcomes.add(as_before=state(work) == before, is_new=succeeded and is_complete(work, scenario), left=left)
        if succeeded:
            break
        assert finished.returncode == 3, finished.stderr
        assert len(without_warnings(finished.stderr)) == 1, finished.stderr
        assert "no space left" in finished.stderr.casefold()
    outcomes.tell(record_row)
    assert outcomes.ends[NEW] == 1, "the largest disk was too small"
    assert outcomes.ends[BEFORE] >= 3


def test_a_csv_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, cli: Cli, demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is added when all lines are parsed; the same command releases the complete file."""
    demo(tmp_path / "people.csv", 1_000)
    write, added = DuckDBEngine.write, [b"\n"]

    def changed(self: DuckDBEngine, statement: Statement, *arguments: Any, **named: Any) -> int:
        rows = write(self, statement, *arguments, **named)
        if statement.template == "dataset/input_cells" and added:
            with (tmp_path / "people.csv").open("ab") as file:
                file.write(added.pop())
        return rows

    monkeypatch.setattr(DuckDBEngine, "write", changed)
    refused(cli("anonymize", "people.csv", *ASKED), 3, "'people.csv' was changed while it was read", "run again")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]
    assert cli("anonymize", "people.csv", *ASKED, "-o", "out.csv").code == 0


def test_a_private_copy_that_differs_from_the_csv_file_is_refused(
    tmp_path: Path, cli: Cli, demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One cell of the copy is another one; every row has a checksum."""
    demo(tmp_path / "people.csv", 1_000)
    write = DuckDBEngine.write

    def damaged(self: DuckDBEngine, statement: Statement, path: Path, *arguments: Any, **named: Any) -> int:
        rows = write(self, statement, path, *arguments, **named)
        if statement.template == "dataset/input_cells":
            copy = pq.read_table(path)
            ages = ["99", *copy["age"].to_pylist()[1:]]
            pq.write_table(copy.set_column(copy.schema.names.index("age"), "age", pa.array(ages)), path)
        return rows

    monkeypatch.setattr(DuckDBEngine, "write", damaged)
    refused(cli("anonymize", "people.csv", *ASKED), 3, "the private copy of 'people.csv' differs", "--temp-directory")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_read_only_disk_is_refused_before_any_work(
    tmp_path: Path, disk: Path, cli: Cli, record_row: RecordRow, demo: Demo
) -> None:
    demo(tmp_path / "people.parquet", 1_000)
    (disk / "out.parquet").write_bytes(b"old")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    finished = cli("anonymize", "people.parquet", *ASKED, "-o", disk / "out.parquet", "--overwrite")
    assert finished.code == 3
    assert "cannot be written to" in finished.err
    assert len(without_warnings(finished.err)) == 1
    outcomes = Outcomes("a read-only disk")
    outcomes.add(as_before=state(disk) == {"out.parquet": b"old"})
    outcomes.tell(record_row)


def test_a_folder_without_the_right_to_write_is_refused(tmp_path: Path, record_row: RecordRow, demo: Demo) -> None:
    """Root gives up the right to write everywhere for it."""
    limited = [] if os.geteuid() != 0 else ["setpriv", "--bounding-set=-dac_override"]
    if limited and shutil.which("setpriv") is None:
        pytest.skip("root cannot give up a right here")
    for name in ("closed", "temp"):
        (tmp_path / name).mkdir()
    (tmp_path / "closed" / "out.parquet").write_bytes(b"old")
    (tmp_path / "closed").chmod(0o555)
    demo(tmp_path / "people.parquet", 1_000)
    before = state(tmp_path / "closed")
    finished = subprocess.run(
        [
            *limited,
            sys.executable,
            "-m",
            "duckanon",
            "anonymize",
            "people.parquet",
            *ASKED,
            "-o",
            "closed/out.parquet",
            "--overwrite",
        ],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temp")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 3, finished.stderr
    assert "cannot be written to" in finished.stderr
    outcomes = Outcomes("a folder without the right to write")
    outcomes.add(as_before=state(tmp_path / "closed") == before, left=(tmp_path / "temp").iterdir())
    (tmp_path / "closed").chmod(0o755)
    outcomes.tell(record_row)


@pytest.mark.parametrize("which", ["output", "temp"])
def test_a_folder_that_disappears_is_reported(tmp_path: Path, which: str, record_row: RecordRow, demo: Demo) -> None:
    """While the release is written."""
    demo(tmp_path / "people.parquet", 1_000_000)
    for name in ("output", "temp"):
        (tmp_path / name).mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "duckanon", "anonymize", "people.parquet", *ASKED, "-o", "output/out.parquet"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temp")},
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not list((tmp_path / "temp").rglob("out.parquet")):
        time.sleep(0.001)
    shutil.rmtree(tmp_path / which)
    _, errors = process.communicate(timeout=100)
    assert process.returncode in (1, 3), errors
    [error] = without_warnings(errors)
    assert error.startswith("duckanon: error: ")
    outcomes = Outcomes(f"the folder of {which} removed")
    outcomes.add(as_before=not any((tmp_path / "output").glob("*")), left=(tmp_path / "temp").glob("*"))
    outcomes.tell(record_row)


def test_too_little_memory_leaves_the_old_release(tmp_path: Path, record_row: RecordRow, demo: Demo) -> None:
    """The limit grows until the run succeeds."""
    demo(tmp_path / "people.parquet", 400_000)
    (tmp_path / "temp").mkdir()
    (tmp_path / "out.parquet").write_bytes(b"old")
    outcomes = Outcomes("too little memory")
    for limit in (1, 16, 32, 64, 96, 512):
        before = state(tmp_path)
        finished = run(
            tmp_path,
            "people.parquet",
            *ASKED,
            "-o",
            "out.parquet",
            "--overwrite",
            "--memory-limit",
            f"{limit}MB",
            temp=tmp_path / "temp",
        )
        succeeded = finished.returncode == 0
        outcomes.add(
            as_before=state(tmp_path) == before,
            is_new=succeeded and is_complete(tmp_path, SCENARIOS["a Parquet file replaced"]),
            left=(tmp_path / "temp").iterdir(),
        )
        if succeeded:
            break
        assert finished.returncode == 3, finished.stderr
        assert len(without_warnings(finished.stderr)) == 1, finished.stderr
        assert "memory" in finished.stderr
    one_thread = run(
        tmp_path,
        "people.parquet",
        *ASKED,
        "-o",
        "new.parquet",
        "--memory-limit",
        "16MB",
        "--threads",
        "1",
        temp=tmp_path / "temp",
    )
    assert without_warnings(one_thread.stderr) == ["duckanon: error: out of memory: raise --memory-limit"]
    outcomes.tell(record_row)
    assert outcomes.ends[NEW] == 1
    assert outcomes.ends[BEFORE] >= 2

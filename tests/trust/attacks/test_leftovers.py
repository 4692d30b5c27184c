"""What remains after a run: work databases, spilled rows, temporary files, and documents that others may read."""

import contextlib
import json
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pytest

from tests.support.command_line import Cli
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import (
    COLUMNS,
    JOB,
    SECRET_ILLNESS,
    SECRET_NAME,
    SECRET_ZIP,
    SECRETS,
    Row,
    bands,
    patients,
    write,
)
from tests.trust.attacks.storage import files_under, secrets_in

MANY = 1_000_000


@pytest.fixture(scope="module")
def people() -> list[Row]:
    return patients()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, people: list[Row]) -> Path:
    """A folder with an input, a job, and a temporary folder of its own that everything uses."""
    (tmp_path / "in").mkdir()
    (tmp_path / "temporary").mkdir()
    (tmp_path / "out").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    write(tmp_path / "in" / "people.parquet", people)
    (tmp_path / "in" / "job.json").write_text(json.dumps(JOB))
    return tmp_path


def found_in(*folders: Path, secrets: Sequence[str] = SECRETS) -> list[str]:
    """The secrets in the bytes of anything in these folders, hidden or not, wherever in a file."""
    return [
        secret
        for secret in secrets
        if any(secret.encode() in file.read_bytes() for folder in folders for file in files_under(folder))
    ]


def test_a_work_database_keeps_dropped_rows(cli: Cli, place: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: a work file beside the release; its table is dropped, and the file is checkpointed and handed on."""
    frame = pd.DataFrame(people)
    naive = place / "naive"
    naive.mkdir()
    with duckdb.connect(str(naive / "work.duckdb")) as connection:
        connection.execute("create table people as from frame")
    with duckdb.connect(str(naive / "work.duckdb")) as connection:
        connection.execute("create table release as select age // 10 as age, sex, illness from people where age < 90")
        connection.execute("drop table people")
        connection.execute("checkpoint")
    del frame
    cli("anonymize", "../in/people.parquet", "--job", "../in/job.json", "-o", "ours.duckdb::people", cwd=place / "out", code=0)
    before = found_in(naive)
    after = found_in(place / "out", place / "temporary")
    assert SECRET_NAME in before
    assert after == []
    assert [file.name for file in files_under(place / "out") if file.suffix == ".duckdb"] == ["ours.duckdb"]
    record_row("attacks", channel="work database", naive=f"{len(before)} secrets in its bytes", ours=f"{len(after)}")


def test_a_workspace_stands_apart_and_says_what_it_holds(cli: Cli, place: Path, record_row: RecordRow) -> None:
    """A workspace holds original values because it is asked for; the release beside it does not, nor does anything else."""
    job = ("../in/people.parquet", "--job", "../in/job.json")
    run = cli("anonymize", *job, "-o", "ours.duckdb::people", "--workspace", "../work.duckdb", cwd=place / "out", code=0)
    assert "'../work.duckdb' contains original values" in run.err
    before, after = secrets_in(place / "work.duckdb"), secrets_in(place / "out") + found_in(place / "temporary")
    assert SECRET_ZIP in before
    assert after == []
    assert sorted(path.name for path in place.iterdir()) == ["in", "out", "temporary", "work.duckdb"]
    record_row(
        "attacks", channel="workspace beside the release", naive=f"{len(before)} secrets in the workspace", ours=f"{len(after)}"
    )


FAILURES = {
    "success": ([], 0),
    "infeasible": (["--k", "4001"], 1),
    "a column that is not there": (["--qi", "age,sex,zip,agee"], 2),
    "a column that discloses another": (["--keep", "code", "--levels", "age=1,sex=0,zip=3"], 2),
    "an output that is a folder": (["-o", "."], 2),
}


@pytest.mark.parametrize("end", FAILURES)
def test_temporary_files_hold_people_after_the_end(
    cli: Cli, place: Path, people: list[Row], end: str, record_row: RecordRow
) -> None:
    """Naive: rows go through a temporary file, which the last line of the script removes; it fails before."""
    more, code = FAILURES[end]
    naive = place / "naive"
    naive.mkdir()
    with contextlib.suppress(ValueError):
        write(naive / "step-1.csv", people)
        if end != "success":
            raise ValueError("the last line is not reached")
        write(naive / "step-2.csv", bands(people))
    rows = [row | {"code": row["zip"]} for row in people]
    write(place / "in" / "people.parquet", rows)
    given = ["-o", "ours.parquet"] if "-o" not in more else []
    run = cli("anonymize", "../in/people.parquet", "--job", "../in/job.json", *given, *more, cwd=place / "out")
    assert run.code == code, run.err
    before, after = found_in(naive), secrets_in(place / "out") + found_in(place / "temporary")
    assert set(before) == set(SECRETS)
    assert after == []
    assert files_under(place / "temporary") == []
    assert bool(files_under(place / "out")) == (code == 0)
    record_row("attacks", channel=f"temporary files, {end}", naive=f"{len(before)} secrets", ours=f"{len(after)}")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A million rows, one of which has a name to look for."""
    path = tmp_path_factory.mktemp("many") / "many.parquet"
    duckdb.execute(f"""
        copy (
            select
                18 + number % 70 as age,
                'town ' || (number % 500) as town,
                if(number = 777_777, '{SECRET_NAME}', 'Person ' || number) as name,
                md5(number::varchar) || md5((number + 1)::varchar) as note
            from range({MANY}) as numbers (number)
        ) to '{path}'
    """)
    return path


class Watch:
    """Copies what lies in a folder while something runs: how much, and whether a secret is among it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._stop = folder, threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.most = 0

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stop.wait(0.02):
            with contextlib.suppress(OSError):
                self.most = max(self.most, sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file()))


@pytest.mark.parametrize(("end", "limit", "code"), [("success", "100MB", 0), ("out of memory", "60MB", 3)])
def test_spilled_rows_stay_behind(place: Path, many: Path, end: str, limit: str, code: int, record_row: RecordRow) -> None:
    """Naive: chunks are sorted through files in a temporary folder, and a chunk that does not fit ends the script."""
    naive, spill = place / "naive", place / "spill"
    naive.mkdir()
    spill.mkdir()
    duckdb.execute(
        f"copy (from '{many}' where name not like 'Person 1%') to '{naive / 'chunk-0.parquet'}' (compression uncompressed)"
    )
    columns = {
        "age": COLUMNS["age"],
        "town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        "note": {"role": "insensitive"},
        "name": {"role": "insensitive"},
    }
    (place / "in" / "job.json").write_text(json.dumps({"columns": columns}))
    command = [sys.executable, "-m", "duckanon", "anonymize", str(many), "--job", "../in/job.json", "-o", "ours.parquet"]
    command += ["--memory-limit", limit, "--threads", "1", "--temp-directory", str(spill), "-q"]
    with Watch(spill) as watch:
        run = subprocess.run(command, cwd=place / "out", capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stderr
    assert watch.most > 10_000_000, "rows were spilled"
    # the name is kept, so a release that is made shows it; what must not hold it is everything else
    left = [file for file in files_under(place / "out") if file.name != "ours.parquet"]
    before = found_in(naive, secrets=[SECRET_NAME])
    after = found_in(spill, place / "temporary", *left, secrets=[SECRET_NAME])
    assert before == [SECRET_NAME]
    assert after == []
    assert files_under(spill) == files_under(place / "temporary") == []
    assert (place / "out" / "ours.parquet").exists() == (code == 0)
    assert code == 0 or left == []
    record_row(
        "attacks",
        channel=f"spilled rows, {end}",
        naive="a name in the bytes",
        ours=f"nothing ({watch.most // 10**6} MB were spilled)",
    )


def test_the_spill_folder_is_for_its_owner_while_it_stands(place: Path, many: Path, record_row: RecordRow) -> None:
    """Naive: a folder that is made as folders are made, into which everyone looks. Attack: list it while rows lie in it."""
    naive, spill = place / "naive", place / "spill"
    naive.mkdir()
    spill.mkdir()
    spill.chmod(0o755)
    naive.chmod(0o755)
    (naive / "chunk").mkdir(mode=0o755)
    seen: set[int] = set()
    (place / "in" / "job.json").write_text(json.dumps({"columns": {"age": COLUMNS["age"], "name": {"role": "insensitive"}}}))
    command = [sys.executable, "-m", "duckanon", "anonymize", str(many), "--job", "../in/job.json", "-o", "ours.parquet"]
    process = subprocess.Popen([*command, "-q", "--temp-directory", str(spill)], cwd=place / "out")
    while process.poll() is None:
        with contextlib.suppress(OSError):
            seen |= {stat.S_IMODE(folder.stat().st_mode) for folder in spill.iterdir()}
        time.sleep(0.005)
    assert process.returncode == 0
    assert open_to_others(naive / "chunk")
    assert seen == {0o700}
    record_row("attacks", channel="spill folder, read by others", naive="0755", ours="0700")


def open_to_others(path: Path) -> bool:
    """Whether somebody else of the machine may read a file or look into a folder."""
    return bool(stat.S_IMODE(path.stat().st_mode) & 0o044)


def readable_by_others(root: Path) -> Iterator[Path]:
    """The files that others may read: those that are open, in folders that are open."""
    for file in files_under(root):
        above = [folder for folder in file.parents if folder == root or root in folder.parents]
        if open_to_others(file) and all(folder.stat().st_mode & 0o011 for folder in above):
            yield file


def test_the_frozen_recoding_is_read_by_others(cli: Cli, place: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: the mapping from values to labels is kept as CSV beside the release, with the modes that files have.

    Ours keeps value tables too, of ZIP codes that are listed: in a folder for its owner. Attack: read what others may read.
    """
    os.umask(0o022)
    naive = write(
        place / "naive" / "mapping.csv", [{"zip": zip, "label": f"{zip[:3]}**"} for zip in {row["zip"] for row in people}]
    )
    codes = sorted({row["zip"] for row in people})
    listed = {"kind": "table", "rows": [[code, f"{code[:3]}**", "*"] for code in codes]}
    columns = COLUMNS | {"zip": {"role": "quasi-identifier", "hierarchy": listed}}
    (place / "in" / "job.json").write_text(json.dumps(JOB | {"columns": columns}))
    for end in (["-o", "ours.parquet"], ["-o", "mondrian.parquet", "--algorithm", "mondrian"]):
        cli("anonymize", "../in/people.parquet", "--job", "../in/job.json", *end, cwd=place / "out", code=0)
    held = secrets_in(place / "out" / "ours.parquet.recoding")
    assert SECRET_ZIP in held, "the recoding does hold original values"
    before, after = (
        [secret for file in readable_by_others(root) for secret in secrets_in(file, (SECRET_ZIP,))]
        for root in (naive.parent, place / "out")
    )
    assert before == [SECRET_ZIP]
    assert after == []
    record_row("attacks", channel="saved recoding, read by others", naive="1 secret", ours="0 (mode 0700)")


def test_a_guessed_job_beside_the_release_holds_no_value(
    cli: Cli, place: Path, people: list[Row], record_row: RecordRow
) -> None:
    """Naive: a proposal for a job lists the values that were seen, for the reader's convenience. Others may read ours too."""
    naive = place / "naive" / "job.json"
    naive.parent.mkdir()
    naive.write_text(json.dumps({name: sorted({str(row[name]) for row in people}) for name in ("zip", "illness")}))
    cli("anonymize", "../in/people.parquet", "-o", "ours.parquet", cwd=place / "out", code=0)
    before, after = (
        secrets_in(naive),
        found_in(place / "out" / "ours.parquet.job.yaml", place / "out" / "ours.parquet.manifest.json"),
    )
    assert set(before) == {SECRET_ZIP, SECRET_ILLNESS}
    assert after == []
    record_row("attacks", channel="guessed job", naive=f"{len(before)} secrets", ours="0")

"""What the run itself or the next run reverts, and what neither changes."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.journal import Journal, Move, identity
from duckanon.engine.protocol import Settings
from duckanon.engine.scratch import Scratch
from duckanon.engine.staging import StagedFiles
from duckanon.errors import OutputError
from tests.support.command_line import Cli

HARMLESS = ["one.txt", "two.txt"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two old files, beside one for temporary files."""
    (tmp_path / "temp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temp"))
    (tmp_path / "place").mkdir()
    for name in HARMLESS:
        (tmp_path / "place" / name).write_text("old")
    return tmp_path / "place"


def without_links(patch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    patch.setattr(os, "link", refused)


def failing_at(patch: pytest.MonkeyPatch, name: str) -> None:
    """The move to that name fails, as where something that cannot be replaced was put there."""
    make: Callable[[Move], None] = Move.make

    def failing(move: Move) -> None:
        if move.final.name == name:
            raise OSError(errno.EISDIR, "Is a directory")
        make(move)

    patch.setattr(Move, "make", failing)


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("failing", HARMLESS)
def test_where_one_name_cannot_be_had_all_old_files_are_there(
    place: Path, monkeypatch: pytest.MonkeyPatch, links: bool, failing: str
) -> None:
    """Also on a file system without hard links."""
    if not links:
        without_links(monkeypatch)
    failing_at(monkeypatch, failing)
    with StagedFiles() as staged:
        for name in HARMLESS:
            staged.write(place / name, "new", overwrite=True)
        with pytest.raises(OutputError, match="the previous files are unchanged"):
            staged.publish()
    assert {path.name: path.read_text() for path in place.iterdir()} == dict.fromkeys(HARMLESS, "old")
    assert list((place.parent / "temp").iterdir()) == []


def killed_while_publishing(place: Path, name: str) -> tuple[Path, Path]:
    """What a run leaves that is killed after a folder got its name and before the next file did."""
    scratch = Scratch()
    staged = scratch.staged_path(place / name)
    staged.mkdir()
    (staged / "data.parquet").write_bytes(b"new")
    move = Move(staged, place / name, None, identity(staged))
    scratch.journal.moves([move])
    move.make()
    # as if its process, and with it its lock, were gone
    left = scratch.path.rename(place.parent / "temp" / "duckanon-00000000")
    scratch.close.detach()
    return left, place / name


def test_a_folder_that_somebody_has_put_a_file_into_since_is_left_alone(place: Path) -> None:
    left, final = killed_while_publishing(place, "out")
    (final / "thesis.txt").write_text("years of work")
    Journal(left).undo()
    assert (final / "thesis.txt").read_text() == "years of work"


def test_a_folder_that_nobody_has_touched_is_taken_back(place: Path) -> None:
    left, final = killed_while_publishing(place, "out")
    Journal(left).undo()
    assert not final.exists()


@pytest.mark.parametrize("lock", [None, "", "duckanon\n", "something else"])
@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_folder_that_only_looks_like_ours_is_left_alone(place: Path, lock: str | None, mode: int) -> None:
    folder = place.parent / "temp" / "duckanon-releases"
    folder.mkdir(mode=mode)
    folder.chmod(mode)
    (folder / "thesis.txt").write_text("years of work")
    if lock is not None:
        (folder / "lock").write_text(lock)
    Scratch().close()
    is_ours = lock == "duckanon\n" and mode == 0o700
    assert (folder / "thesis.txt").exists() != is_ours


def test_a_journal_removes_nothing_but_what_runs_make(place: Path) -> None:
    """An account that can write to a folder of duckanon must not make it remove other files."""
    scratch = Scratch()
    scratch.journal.outside(place / HARMLESS[0])
    mine = place / f".duckanon-{'0' * 16}"
    mine.mkdir()
    scratch.journal.outside(mine)
    scratch.close()
    assert sorted(path.name for path in place.iterdir()) == HARMLESS


@pytest.mark.parametrize("output", ["out.duckdb::people", "work.duckdb"])
def test_the_log_of_a_killed_session_on_a_database_is_not_left_beside_a_new_one(tmp_path: Path, cli: Cli, output: str) -> None:
    """The database would not open any more."""
    assert cli("demo", "--rows", "500", "-o", "people.parquet").code == 0
    file = output.partition("::")[0]
    (tmp_path / f"{file}.wal").write_bytes(b"old")
    arguments = ["-o", output] if "::" in output else ["--workspace", output]
    assert f"{file}.wal" in cli("anonymize", "people.parquet", "--qi", "age,sex", "-q", *arguments, code=3).err
    assert (tmp_path / f"{file}.wal").read_bytes() == b"old"
    assert not (tmp_path / file).exists()


def test_a_workspace_that_appears_while_the_run_goes_on_is_left_as_it_is(tmp_path: Path) -> None:
    engine = DuckDBEngine(Settings(workspace=tmp_path / "work.duckdb"))
    engine.keep()
    (tmp_path / "work.duckdb").write_text("thesis")
    with pytest.raises(OutputError, match="was left unchanged"):
        engine.close()
    assert (tmp_path / "work.duckdb").read_text() == "thesis"


def test_workspace_and_internal_report_are_their_owners(tmp_path: Path, cli: Cli) -> None:
    assert cli("demo", "--rows", "500", "-o", "people.parquet").code == 0
    arguments = ["--workspace", "work.duckdb", "--report", "in.html", "--public-report", "out.html"]
    assert cli("anonymize", "people.parquet", "--qi", "age,sex", "-q", "-o", "out.parquet", *arguments).code == 0
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in ("work.duckdb", "in.html", "out.html", "out.parquet")}
    assert modes["work.duckdb"] == modes["in.html"] == 0o600
    assert modes["out.html"] == modes["out.parquet"]
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as connection:
        assert connection.execute("select count(*) from duckanon.release").fetchone() == (manifest["rows"]["released"],)

"""Every command with its own options, right and wrong ones, in a folder where some of what they need lies."""

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import event, example, given

from tests.support.oracles.identifiers import SECRET as KEY
from tests.support.rows import write_parquet, write_table
from tests.support.studio import open_and_end
from tests.support.tables_of_trust import RecordRow
from tests.trust.fuzz import commands, invariants, running
from tests.trust.fuzz.people import ROWS
from tests.trust.fuzz.tally import Tally, share


def people(folder: Path) -> None:
    """A table in several forms, hierarchies for it, a job, and a release that was made of it."""
    write_parquet(folder / "people.parquet", ROWS)
    connection = duckdb.connect(str(folder / "people.duckdb"))
    connection.execute(f"create table people as from '{folder}/people.parquet'")
    connection.execute(f"copy people to '{folder}/people.csv'")
    connection.close()
    (folder / "age.yaml").write_text("kind: intervals\nwidths: [5, 10]\n")
    write_table(folder / "sex.csv", [["F", "*"], ["M", "*"]])
    write_table(folder / "zip.csv", [[f"{number}00", f"{number // 2}", "*"] for number in range(5)])
    for name, text in (("the", KEY), ("short", KEY[:9]), ("empty", "\n")):
        (folder / f"{name}.key").write_text(text)
    (folder / "bad.yaml").write_text("kind: intervls\n")
    (folder / "bad.json").write_text('{"status": "released"')
    (folder / "job.yaml").write_text(
        "source: people.parquet\ncolumns:\n  age: {role: quasi-identifier, hierarchy: age.yaml}\n"
        "  sex: {role: quasi-identifier, hierarchy: sex.csv}\n  job: {role: sensitive}\nprivacy: [{model: k-anonymity, k: 2}]\n"
    )
    ended = running.run(folder, ["anonymize", "--job", "job.yaml", "-o", "out.parquet", "-q", "--register", "releases.duckdb"])
    assert ended.code == 0, ended.err


def _prints_values(arguments: Sequence[str]) -> bool:
    """Whether values are what is asked for: a release on standard output, or what a hierarchy makes of a column."""
    return "-" in arguments or list(arguments[:2]) == ["hierarchy", "show"] or "--show-values" in arguments


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> running.Files:
    """What lies in the folder of every case."""
    folder = tmp_path_factory.mktemp("laid")
    people(folder)
    return running.files_in(folder)


def check(tmp_path: Path, laid: running.Files, arguments: list[str], tally: Tally, *, apart: bool = False) -> None:
    """Runs a command line in a new folder and looks at how it ended."""
    with running.fresh(tmp_path) as parent:
        folder = parent / "case"
        running.lay(folder, laid)
        ended = running.run(folder, arguments, apart=apart)
        event(f"exit {ended.code}")
        tally.add(ended.code)
        invariants.check(ended, may_print=_prints_values(arguments))
        if ended.code >= 2:
            invariants.check_untouched(ended)


def test_every_command_ends_as_documented(tmp_path: Path, laid: running.Files, record_row: RecordRow) -> None:
    tally = Tally("commands")

    @share(0.2)
    @given(commands.lines())
    def of(arguments: list[str]) -> None:
        # a studio ends when its page is closed, and none is opened here
        with patch("duckanon.studio.server.serve", open_and_end), patch("webbrowser.open"):
            check(tmp_path, laid, arguments, tally)

    of()
    tally.tell(record_row)


def test_a_process_of_its_own_ends_the_same(tmp_path: Path, laid: running.Files, record_row: RecordRow) -> None:
    """The console script, signal handlers and standard streams included."""
    tally = Tally("processes")

    @share(0.01)
    @example(["anonymize", "people.parquet", "--job", "job.yaml", "-o", "made.parquet"])
    @given(commands.lines().filter(lambda arguments: arguments[0] != "studio"))
    def of(arguments: list[str]) -> None:
        check(tmp_path, laid, arguments, tally, apart=True)

    of()
    tally.tell(record_row)

"""The exit codes of README.md: the same situation has the same code in every command."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.engine.protocol import Settings
from duckanon.errors import OutOfMemory
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.search import combinations
from duckanon.workflows.replay import reopen
from tests.support.command_line import Cli, Finished, run_command
from tests.support.command_tree import ALL
from tests.support.demo import Demo
from tests.support.paths import ROOT
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize
from tests.support.signing_keys import write_key

WRONG_JOB = "version: 1\ncolumns: {a: {role: nonsense}}\n"
WRONG_HIERARCHY = "x;*\nx;other\n"
REQUIRED = ("--qi", "a", "--require", "k=5")
IN = "in.parquet"
OUT = ("-o", "new.parquet")
RELEASED = "out.parquet.manifest.json"

CASES: dict[str, list[tuple[int, tuple[str, ...]]]] = {
    "anonymize": [
        (0, (IN, "--qi", "a", "--k", "2", *OUT)),
        (1, (IN, "--qi", "a", "--k", "40", *OUT)),
        (2, (IN, "--job", "wrong.yaml", *OUT)),
        (2, (IN, "--qi", "a", "--hierarchies", "a=wrong.csv", *OUT)),
        (2, (IN, "--nonsense")),
        (3, ("absent.parquet", "--qi", "a", *OUT)),
        (3, (IN, "--qi", "a", "-o", IN, "--overwrite")),
    ],
    "apply": [
        (0, (RELEASED, IN, *OUT)),
        (1, (RELEASED, "other.parquet", *OUT)),
        (2, ("absent.manifest.json", IN, *OUT)),
        (3, (RELEASED, "absent.parquet", *OUT)),
    ],
    "attest": [
        (0, (RELEASED, "--key", "key.pem")),
        (2, ("absent.manifest.json", "--key", "key.pem")),
        (2, (RELEASED, "--key", "absent.pem")),
        (3, (RELEASED, "--key", "key.pem", "-o", "absent/new.json")),
    ],
    "check": [
        (0, (IN, "--qi", "a", "--require", "k=2")),
        (1, (IN, *REQUIRED)),
        (2, (IN, "--job", "wrong.yaml")),
        (2, (IN, "--manifest", "absent.manifest.json")),
        (3, ("absent.parquet", *REQUIRED)),
    ],
    "compare": [
        (0, (IN, "--qi", "a", "--k", "2")),
        (1, (IN, "--qi", "a", "--k", "40")),
        (2, (IN, "--job", "wrong.yaml")),
        (2, (IN, "--qi", "a", "--hierarchies", "a=wrong.csv")),
        (3, ("absent.parquet", "--qi", "a")),
    ],
    "demo": [(0, ("-o", "demo.parquet", "--rows", "5")), (2, ("--rows", "0")), (3, ("-o", IN))],
    "explain": [
        (0, (RELEASED, "--row", "1")),
        (2, ("absent.manifest.json",)),
        (2, (RELEASED, "--row", "1", "--class", "a=x")),
        (3, (RELEASED, "--input", "absent.parquet", "--row", "1")),
    ],
    "hierarchy build": [
        (0, ("right.csv", "--data", IN, "--column", "a", "-o", "built.csv")),
        (2, ("wrong.csv", "--data", IN, "--column", "a", "-o", "built.csv")),
        (3, ("right.csv", "--data", "absent.parquet", "--column", "a", "-o", "built.csv")),
    ],
    "hierarchy check": [
        (0, ("right.csv", "--data", IN, "--column", "a")),
        (2, ("wrong.csv", "--data", IN, "--column", "a")),
        (2, ("wrong.csv", "--data", IN, "--column", "a", "--json")),
        (2, ("absent.csv",)),
        (3, ("right.csv", "--data", "absent.parquet", "--column", "a")),
    ],
    "hierarchy convert": [(0, ("right.csv", "out.yaml")), (2, ("absent.csv", "out.yaml")), (3, ("right.csv", IN))],
    "hierarchy list": [(0, ()), (2, ("--format", "nonsense"))],
    "hierarchy show": [
        (0, ("right.csv",)),
        (2, ("wrong.csv", "--data", IN, "--column", "a")),
        (2, ("absent.csv",)),
        (3, ("right.csv", "--data", "absent.parquet", "--column", "a")),
    ],
    "hierarchy suggest": [(0, (IN, "--column", "a")), (2, (IN, "--column", "b")), (3, ("absent.parquet", "--column", "a"))],
    "job schema": [(0, ()), (2, ("--nonsense",))],
    "job validate": [(0, ("right.yaml",)), (2, ("wrong.yaml",)), (2, ("absent.yaml",))],
    "profile": [(0, (IN,)), (2, (IN, "--nonsense")), (3, ("absent.parquet",))],
    "report": [
        (0, (RELEASED, "--report", "report.html")),
        (2, ("absent.manifest.json", "--report", "report.html")),
        (3, (RELEASED, "--input", "absent.parquet", "--report", "report.html")),
    ],
    "risk": [
        (0, (IN, "--qi", "a", "--max-risk", "0.5")),
        (1, (IN, "--qi", "a", "--max-risk", "0.1")),
        (2, (IN, "--job", "wrong.yaml")),
        (2, (IN, "--qi", "a", "--max-risk", "2")),
        (3, ("absent.parquet", "--qi", "a")),
    ],
    "register list": [(0, ("releases.duckdb",)), (2, ("nowhere.duckdb",)), (2, ())],
    "register compare": [(0, ("releases.duckdb", "--json")), (2, ("nowhere.duckdb",))],
    "register forget": [(2, ("releases.duckdb", "99")), (0, ("releases.duckdb", "1"))],
    "studio": [
        # it serves until its page is closed
        (2, (IN, "--job", "wrong.yaml")),
        (2, ("-", "--qi", "a")),
        (2, (IN, "--nonsense")),
        (3, ("absent.parquet", "--no-browser")),
    ],
    "sql list": [(0, ()), (2, ("--nonsense",))],
    "sql release": [(0, (RELEASED,)), (2, ("absent.manifest.json",)), (2, (RELEASED, "--dialect", "nonsense"))],
    "sql show": [(0, ("release/recoded",)), (2, ("nonsense",))],
}
"""By command: the exit code, and the arguments that end with it."""

MEANINGS = {
    0: "the guarantee holds",
    1: "no solution within the limits, verification or a requirement failed, or a warning with `--strict`",
    2: "wrong options, job file or hierarchy file",
    3: "input, output or engine failed",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files that are right and wrong, and a release."""
    folder = tmp_path_factory.mktemp("made")
    write_parquet(folder / IN, [{"a": value} for value in "xxxyyy"])
    write_parquet(folder / "other.parquet", [{"a": "z"}] * 6)
    (folder / "wrong.yaml").write_text(WRONG_JOB)
    (folder / "right.yaml").write_text(WRONG_JOB.replace("nonsense", "quasi-identifier"))
    (folder / "wrong.csv").write_text(WRONG_HIERARCHY)
    (folder / "right.csv").write_text("x;*\ny;*\n")
    write_key(folder / "key.pem")
    run_command(folder, "anonymize", IN, "--qi", "a", "--hierarchies", "a=right.csv", "--k", "2", "-o", "out.parquet", code=0)
    run_command(folder, "apply", RELEASED, IN, "--register", "releases.duckdb", "-o", "again.parquet", code=0)
    return folder


@pytest.fixture
def files(made: Path, tmp_path: Path) -> Path:
    """The same, in the folder of the test."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_every_command_has_cases() -> None:
    assert sorted(CASES) == sorted(" ".join(command.words) for command in ALL)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("command", "code", "arguments"),
    [(command, code, arguments) for command, cases in CASES.items() for code, arguments in cases],
)
def test_the_exit_code_is_the_documented_one(cli: Cli, command: str, code: int, arguments: tuple[str, ...]) -> None:
    run = cli(*command.split(), *arguments)
    assert run.code == code, run.err or run.out


@pytest.mark.parametrize("code", MEANINGS)
def test_the_documented_meanings_are_these(code: int) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(rf"^\| {code} \| (.*) \|$", readme, re.MULTILINE) == [MEANINGS[code]]


# `--strict`: a warning makes the exit code 1, after the work is done


ASKED = ("in.parquet", "--qi", "age", "-o", "out.parquet", "--overwrite")
ALONE = ("--sensitive", "illness", "--k", "5")
"""k-anonymity alone does not protect a sensitive column, which is a warning."""


def warned(finished: Finished) -> int:
    return sum(line.startswith("warning: ") for line in finished.err.splitlines())


def test_warnings_fail_a_strict_run_that_has_written_its_output(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": age, "illness": "abcde"[n]} for age in "xy" for n in range(5)])
    plain = cli("anonymize", *ASKED, *ALONE, code=0)
    assert warned(plain) > 0
    (tmp_path / "out.parquet").unlink()
    strict = cli("anonymize", *ASKED, *ALONE, "--strict", "--json")
    count = warned(strict)
    assert (strict.code, count) == (1, warned(plain))
    assert len(read_rows(tmp_path / "out.parquet")) == 10
    assert json.loads(strict.out)["status"] == "released"
    words = "1 warning" if count == 1 else f"{count} warnings"
    assert strict.err.splitlines()[-1] == f"duckanon: error: --strict: {words}; out.parquet is written"
    dry = cli("anonymize", *ASKED, *ALONE, "--strict", "--dry-run", "-q")
    assert (dry.code, warned(dry) > 0) == (1, True)
    assert dry.err.splitlines()[-1].endswith("; nothing is written")


def test_a_strict_run_without_warnings_ends_with_0(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": age, "illness": "abcde"[n]} for age in "xy" for n in range(5)])
    finished = cli("anonymize", *ASKED, "--sensitive", "illness", "--require", "distinct-l=2", "--strict")
    assert (finished.code, warned(finished)) == (0, 0), finished.err


def test_apply_and_check_can_be_strict(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": age, "illness": "abcde"[n]} for age in "xy" for n in range(5)])
    assert cli("anonymize", *ASKED, *ALONE).code == 0
    applied = cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "again.parquet", "--strict")
    assert applied.code == (1 if warned(applied) else 0)
    assert (tmp_path / "again.parquet").exists()
    (tmp_path / "in.csv").write_text("age,illness\n1,2\n1,3\n")
    arguments = ("in.csv", "--set", "names=[a,b]", "--qi", "a", "--require", "k=1")
    checked = cli("check", *arguments, "--strict")
    assert (checked.code, warned(checked)) == (1, 1)
    assert checked.err.splitlines()[-1] == "duckanon: error: --strict: 1 warning; 'in.csv' is checked"
    assert cli("check", *arguments).code == 0


ROUTINE = {
    "rare values are suppressed": (["--qi", "age,town"], "are removed, because every record with them is suppressed"),
    "a hierarchy is not nested": (["--qi", "age", "--hierarchies", "age=age.yaml"], "is not nested"),
    "a person is missing": (
        ["--qi town --pseudonym id --entity none --release r --key-file key --set columns.id.pseudonym.scope=class"],
        "have no value: their pseudonym is empty",
    ),
}


@pytest.mark.parametrize("case", ROUTINE)
def test_routine_is_a_note_and_passes_a_strict_run(case: str, tmp_path: Path, cli: Cli) -> None:
    options, phrase = ROUTINE[case]
    rows = [{"id": number or None, "age": 20 + number % 4, "town": ("north", "west")[number % 2]} for number in range(400)]
    write_parquet(tmp_path / "in.parquet", [*rows, {"id": 400, "age": 21, "town": "south"}])
    (tmp_path / "age.yaml").write_text(
        "{kind: table, nested: false, rows: [[20, a, x, '*'], [21, a, y, '*'], [22, b, x, '*'], [23, b, y, '*']]}"
    )
    (tmp_path / "key").write_text("0123456789abcdef" * 4)
    (tmp_path / "key").chmod(0o600)
    run = cli("anonymize", "in.parquet", *options, "-o", "out.parquet", "--strict")
    assert phrase in run.err
    assert (run.code, warned(run)) == (0, 0), run.err


def test_an_outcome_that_suppression_removes_is_a_warning(tmp_path: Path, cli: Cli) -> None:
    """Eight of 408 records died, in places of their own: k = 5 would have allowed their class, but each is alone."""
    rows = [{"place": number % 2, "died": "no"} for number in range(400)]
    write_parquet(tmp_path / "in.parquet", [*rows, *({"place": 1000 * number, "died": "yes"} for number in range(2, 10))])
    run = cli(
        "anonymize", "in.parquet", "--qi", "place", "--keep", "died", "--levels", "place=0", "-o", "out.parquet", "--strict"
    )
    assert "warning: some values of 'died' (1 of 2 values, 8 rows)" in run.err.replace("'place' (8 of 10 values, 8 rows), ", "")
    assert run.code == 1


# The wording of the summary of a run, of its warnings, and of `check`


QI = ("rows.parquet", "-o", "out.parquet", "--qi", "a", "--k", "2")


@pytest.mark.parametrize(("values", "shown"), [("xy", "x, y"), ("xyz", "x, y, ...")])
def test_dots_stand_for_labels_that_are_not_shown(tmp_path: Path, cli: Cli, values: str, shown: str) -> None:
    write_parquet(tmp_path / "rows.parquet", [{"a": f"{value}{number % 2}"} for value in values for number in range(4)])
    (tmp_path / "a.yaml").write_text("kind: redaction\n")
    run = cli("anonymize", *QI, "--hierarchies", "a=a.yaml", "--levels", "a=1", code=0)
    assert f"quasi-identifiers  a → {', '.join(f'{value}*' for value in shown.split(', ')[:2])}" in run.err
    assert (", ..." in run.err) == shown.endswith("...")


def test_figures_of_an_entity_name_its_column(tmp_path: Path, cli: Cli) -> None:
    write_parquet(
        tmp_path / "rows.parquet", [{"hh": number // 2, "a": "xy"[number // 10], "n": number} for number in range(20)]
    )
    run = cli("anonymize", *QI, "--entity", "hh", "--keep", "n", code=0)
    assert "k-anonymity 2  PASS  achieved 5, counted by hh" in run.err
    assert re.search(r"\n +classes with one hh +0 +0\n", run.err)
    assert "sample uniques" not in run.err
    output = cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json").out
    assert "cannot be checked with the file alone: k-anonymity counted by hh" in output
    assert "not part of k: over all 2 columns, retained ones included, every row is unique" in output
    assert "risk of a record, counted by hh: " in cli("check", "rows.parquet", "--qi", "a", "--entity", "hh").out


@pytest.mark.parametrize(
    ("more", "message"),
    [((), "a report lists them (duckanon report)"), (("--report", "x.html"), "the report lists them; limit")],
)
def test_a_warning_names_the_report_of_the_run(tmp_path: Path, cli: Cli, more: tuple[str, ...], message: str) -> None:
    rows: list[dict[str, Any]] = [{"a": "x"}] * 50 + [{"a": "y"}]
    write_parquet(tmp_path / "rows.parquet", rows)
    assert message in cli("anonymize", *QI, "--levels", "a=0", *more, code=0).err


def test_messages_name_the_input_without_detours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    write_parquet(tmp_path / "rows.parquet", [{"a": "x"}] * 5)
    assert cli("anonymize", *QI).code == 0
    monkeypatch.chdir(tmp_path)
    manifest = Path("out.parquet.manifest.json")
    assert reopen(manifest, None, Run()).requested.source.name == "rows.parquet"
    # through a link, the shorter name is another file
    (tmp_path / "link").symlink_to("elsewhere/deep")
    write_parquet(tmp_path / "elsewhere" / "rows.parquet", [{"a": "x"}] * 5)
    assert reopen(manifest, "link/../rows.parquet", Run()).requested.source.name == "link/../rows.parquet"


# Rows are shuffled, and a run out of memory ends with one line


def notes(rows: int) -> list[dict[str, Any]]:
    """Rows with texts of which a few, many and most are distinct, NULL, empty and awkward ones among them."""
    some: list[str | None] = [None, "", "*", "a'b", '"', "\n", "é", "é", " ", "null"]
    return [
        {"sex": "mf"[number % 2], "few": some[number % 10], "many": f"note {number}", "number": number, "flag": number % 3 == 0}
        for number in range(rows)
    ]


@pytest.mark.parametrize("rows", [100, 60_000])
def test_a_shuffle_keeps_every_row(tmp_path: Path, rows: int) -> None:
    """60,000 distinct texts are more than numbers stand for, and are sorted as they are."""
    source = write_parquet(tmp_path / "in.parquet", notes(rows))
    sexes = write_table(tmp_path / "sex.csv", [("m", "*"), ("f", "*")])
    about = Options(qi=["sex"], keep=["few", "many", "number", "flag"], hierarchies=[f"sex={sexes}"], k=2)
    anonymize(source, tmp_path / "out.parquet", options=about, settings=Settings(workspace=tmp_path / "work.duckdb"))
    released, read = read_rows(tmp_path / "out.parquet"), read_rows(source)
    assert released != read
    assert sorted(released, key=lambda row: int(row["number"])) == read
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as connection:
        sorted_as_numbers = connection.execute(
            "select relation from duckanon.steps where template = 'release/texts'"
        ).fetchall()
    assert sorted_as_numbers == [("texts_few",), *([("texts_many",)] if rows == 100 else [])]


def test_two_shuffles_differ_and_tell_nothing_of_the_place(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", notes(20_000))
    sexes = write_table(tmp_path / "sex.csv", [("m", "*"), ("f", "*")])
    about = Options(qi=["sex"], keep=["number"], hierarchies=[f"sex={sexes}"], k=2)
    orders = []
    for name in ("a.parquet", "b.parquet"):
        anonymize(source, tmp_path / name, options=about, run=Run())
        orders.append([row["number"] for row in read_rows(tmp_path / name)])
    assert orders[0] != orders[1]
    for order in orders:
        # of 20,000 places, the mean distance of two drawn at random is a third, with a standard error of a six-hundredth
        distance = sum(abs(place - number) for place, number in enumerate(order)) / len(order) ** 2
        assert abs(distance - 1 / 3) < 0.01


def test_a_file_damaged_in_the_middle_is_called_that(cli: Cli, tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 50_000)
    whole = (tmp_path / "adult.parquet").read_bytes()
    third = len(whole) // 3
    (tmp_path / "adult.parquet").write_bytes(whole[:third] + bytes(third) + whole[2 * third :])
    done = cli("anonymize", "adult.parquet", "--qi", "age,sex,race,marital-status", "--hierarchies", "adult/five-year", code=3)
    assert "damaged" in done.err
    assert "Traceback" not in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["adult.parquet"]


def test_out_of_memory_leaves_nothing(cli: Cli, tmp_path: Path, demo: Demo) -> None:
    """Neither beside the output nor where it spilled."""
    demo(tmp_path / "in.parquet", 500_000)
    (tmp_path / "spill").mkdir()
    run: Sequence[str] = ("anonymize", "in.parquet", "--qi", "age,sex,race,marital-status", "--hierarchies", "adult/five-year")
    done = cli(
        *run, "--keep", "fnlwgt,occupation", "--temp-directory", "spill", "--memory-limit", "20MB", "--threads", "2", code=3
    )
    assert "out of memory: raise --memory-limit" in done.err
    assert "Traceback" not in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "spill"]
    assert not list((tmp_path / "spill").iterdir())


def test_out_of_memory_names_the_column_to_generalize_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo: Demo
) -> None:
    demo(tmp_path / "in.parquet", 5_000)

    def count(*_: object) -> int:
        raise OutOfMemory("out of memory")

    monkeypatch.setattr(combinations, "count", count)
    about = Options(qi=["age", "sex"], hierarchies=["adult/five-year"])
    with pytest.raises(OutOfMemory, match=r"raise min-level of 'age' \(\d+ distinct values\) in the job file"):
        anonymize(tmp_path / "in.parquet", options=about, run=Run())

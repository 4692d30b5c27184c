"""`--strict`: a warning makes the exit code 1, after the work is done."""

import json
from pathlib import Path

import pytest

from tests.support.command_line import Cli, Finished
from tests.support.rows import read_rows, write_parquet

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
        [
            "--qi",
            "town",
            "--pseudonym",
            "id",
            "--entity",
            "none",
            "--release",
            "r",
            "--key-file",
            "key",
            "--set",
            "columns.id.pseudonym.scope=class",
        ],
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

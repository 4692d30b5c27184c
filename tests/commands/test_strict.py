"""`--strict`: a warning makes the exit code 1, after the work is done."""

import json
from pathlib import Path

from tests.support.command_line import Cli, Finished
from tests.support.rows import read_rows, write_parquet

ASKED = ("in.parquet", "--qi", "age", "-o", "out.parquet", "--overwrite")
ALONE = ("--sensitive", "illness", "--k", "5")
"""k-anonymity alone does not protect a sensitive column, which is a warning."""


def warned(finished: Finished) -> int:
    return sum(line.startswith("warning: ") for line in finished.err.splitlines())


def test_warnings_fail_a_strict_run_that_has_written_its_output(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": age, "illness": "abcde"[n]} for age in "xy" for n in range(5)])
    plain = cli("anonymize", *ASKED, *ALONE)
    assert plain.code == 0
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
    arguments = ("in.csv", "--columns", "a,b", "--qi", "a", "--require", "k=1")
    checked = cli("check", *arguments, "--strict")
    assert (checked.code, warned(checked)) == (1, 1)
    assert checked.err.splitlines()[-1] == "duckanon: error: --strict: 1 warning; 'in.csv' is checked"
    assert cli("check", *arguments).code == 0

"""What a mistyped option or value means, and how much `--quiet` prints."""

from pathlib import Path

import pytest

import duckanon
from duckanon.errors import JobError
from tests.support.command_line import Cli
from tests.support.rows import write_parquet

MEANT = {
    "--quasi-identifiers": "--qi",
    "--quasi_identifier": "--qi",
    "--direct-identifiers": "--identifying",
    "--identifiers": "--identifying",
    "--sensitive-attributes": "--sensitive",
    "--persons": "--entity",
    "--suppression-limit": "--max-suppression",
    "--max_suppression": "--max-suppression",
    "--max-supression": "--max-suppression",
    "--hierarchy": "--hierarchies",
    "--weights": "--weight",
    "--out": "--output",
    "--replace": "--overwrite",
    "-k": "--k",
    "--K": "--k",
    "--k-anonymity": "--k",
    "--l-diversity": "--require distinct-l=3",
    "--t-closeness": "--require t=0.1",
    "--missing-values": "--missing",
}


@pytest.mark.parametrize("typed", MEANT)
def test_an_unknown_option_names_the_one_that_it_means(typed: str, cli: Cli) -> None:
    run = cli("anonymize", "in.parquet", typed, "x")
    assert run.code == 2
    assert (
        run.err == f"duckanon: error: No such option: {typed}; did you mean '{MEANT[typed]}'? (see duckanon anonymize --help)\n"
    )


@pytest.mark.parametrize("typed", ["--seed", "--delimiter", "--drop", "--force", "--zzz"])
def test_an_option_that_means_none_of_ours_suggests_none(typed: str, cli: Cli) -> None:
    assert "did you mean" not in cli("anonymize", "in.parquet", typed, "x").err


def test_the_nearest_value_of_an_option_is_named(cli: Cli) -> None:
    assert "did you mean 'mondrian'? (see" in cli("anonymize", "in.parquet", "--algorithm", "mondrain").err
    assert "did you mean" not in cli("anonymize", "in.parquet", "--algorithm", "genetic").err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--weight", "age"), "--weight 'age' gives the column no value; write age=2"),
        (("--cut", "age"), "--cut 'age' gives the column no value; write age=order"),
        (("--weight", "=2"), "--weight '=2' names no column; write COLUMN=2"),
        (("--max-loss", "0.5"), "--max-loss '0.5' names no column; write COLUMN=0.7"),
    ],
)
def test_what_a_pair_lacks_is_named(given: tuple[str, str], message: str, cli: Cli) -> None:
    assert cli("anonymize", "in.parquet", *given).err == f"duckanon: error: {message}\n"


def test_quiet_prints_the_result_alone(tmp_path: Path, cli: Cli) -> None:
    """Classes of four rows; each line is the verdict, an error or nothing."""
    write_parquet(tmp_path / "in.parquet", [{"age": number // 4} for number in range(40)])
    check = ("check", "in.parquet", "--qi", "age", "--quiet")
    held = cli(*check, "--k", "4")
    assert (held.code, held.out, held.err) == (0, "PASS\n", "")
    failed = cli(*check, "--k", "5", "--require", "k=4")
    assert (failed.code, failed.out, len(failed.err.splitlines())) == (1, "FAIL (1 of 1)\n", 1)
    assert cli(*check).out == ""
    assert cli(*check, "--k", "4", "--json").out.startswith("{")
    risk = ("risk", "in.parquet", "--qi", "age", "--quiet", "--max-risk")
    assert [(cli(*risk, limit).code, cli(*risk, limit).out) for limit in ("0.25", "0.2")] == [(0, ""), (1, "")]
    compared = cli("compare", "in.parquet", "--qi", "age", "--k", "2,4", "--quiet")
    assert (len(compared.out.splitlines()), compared.err) == (3, "")


def test_check_and_compare_take_k_as_the_library_does(tmp_path: Path, cli: Cli) -> None:
    path = write_parquet(tmp_path / "in.parquet", [{"age": number // 4} for number in range(40)])
    assert duckanon.check(path, qi="age", k=5)["status"] == "violated"
    assert cli("check", path, "--qi", "age", "--k", "5").code == 1
    runs = duckanon.compare(path, qi="age", k=[2, 4], max_suppression=["0", "5%"])["runs"]
    assert [(run["k"], run["limit"]) for run in runs] == [(2, "0"), (2, "5%"), (4, "0"), (4, "5%")]
    assert [run["k"] for run in duckanon.compare(path, qi="age", k=4)["runs"]] == [4]
    for earlier, name in (("ks", "k"), ("limits", "max_suppression")):
        with pytest.raises(JobError, match=f"no such argument: '{earlier}'; did you mean '{name}'"):
            duckanon.compare(path, qi="age", **{earlier: [2]})  # type: ignore[arg-type]

"""What a mistyped option or value means, and how much `--quiet` prints."""

import shlex
from pathlib import Path

import duckdb
import pytest

import duckanon
from duckanon.errors import JobError
from duckanon.job import keys
from duckanon.observers import Silent
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
    run = cli("anonymize", "in.parquet", typed, "x", code=2)
    assert (
        run.err == f"duckanon: error: No such option: {typed}; did you mean '{MEANT[typed]}'? (see duckanon anonymize --help)\n"
    )


@pytest.mark.parametrize("name", [*keys.FORMER, "no-shuffle", "weights", "max-node"])
def test_an_option_that_is_a_key_now_names_the_key(name: str, cli: Cli) -> None:
    run = cli("anonymize", "in.parquet", f"--{name}", "x", code=2)
    setting = keys.FORMER[{"no-shuffle": "shuffle", "weights": "weight", "max-node": "max-nodes"}.get(name, name)]
    begun, _, end = run.err.partition(" --set ")
    assert begun == f"duckanon: error: No such option: --{name}; it is now a key of the job:"
    assert shlex.split(end)[0] == setting


def test_the_former_options_of_the_library_are_keys_now() -> None:
    with pytest.raises(
        JobError, match=r"no such argument: 'max_nodes'; it is now a key of the job: set={'recoding.max-nodes': 'N'}"
    ):
        duckanon.anonymize("in.parquet", max_nodes=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("typed", ["--seed", "--delimiter", "--drop", "--force", "--zzz"])
def test_an_option_that_means_none_of_ours_suggests_none(typed: str, cli: Cli) -> None:
    assert "did you mean" not in cli("anonymize", "in.parquet", typed, "x").err


def test_the_nearest_value_of_an_option_is_named(cli: Cli) -> None:
    assert "did you mean 'mondrian'? (see" in cli("anonymize", "in.parquet", "--algorithm", "mondrain").err
    assert "did you mean" not in cli("anonymize", "in.parquet", "--algorithm", "genetic").err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--microaggregate", "age"), "--microaggregate 'age' gives the column no value; write age=mean"),
        (("--microaggregate", "=mean"), "--microaggregate '=mean' names no column; write COLUMN=mean"),
        (("--shift", "180"), "--shift '180' names no column; write COLUMN=180"),
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


class Warned(Silent):
    """Keeps the warnings."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)


def test_the_names_of_version_0_2_are_taken_with_a_warning(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "in.parquet", [{"age": number // 4, "sex": number % 2} for number in range(40)])
    observer = Warned()
    runs = duckanon.compare(path, qi="age", ks=[2, 4], limits=["0"], observer=observer)["runs"]
    assert [(run["k"], run["limit"]) for run in runs] == [(2, "0"), (4, "0")]
    assert duckanon.risk(path, qi="age,sex", sets=[["age"]], observer=observer)["sets"]
    assert [message.split("'")[1::2] for message in observer.warnings] == [
        ["ks", "k"],
        ["limits", "max_suppression"],
    ]


@pytest.mark.parametrize("delimiter", "#~^¦§")
def test_a_rare_delimiter_separates_columns(delimiter: str, tmp_path: Path, cli: Cli) -> None:
    text = "a,b,c\n" + "1,2,3\n" * 5
    (tmp_path / "in.csv").write_text(text.replace(",", delimiter), encoding="utf-8")
    assert cli("anonymize", "in.csv", "--qi", "a,b,c", "-o", "out.csv").code == 0
    assert (tmp_path / "out.csv").read_text() == text


@pytest.mark.parametrize(("text", "asks"), [("a:b:c\n1:2:3\n", True), ("a b c\n1 2 3\n", True), ("at\n12:30:00\n", False)])
def test_an_unusual_delimiter_is_asked_about(text: str, asks: bool, tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "in.csv").write_text(text)
    assert ("write the line sep=" in cli("profile", "in.csv").err) is asks
    (tmp_path / "in.csv").write_text(f"sep={text[1]}\n{text}")
    assert not asks or "\nc " in cli("profile", "in.csv").out


def test_nested_json_is_refused_with_its_reason_and_the_remedy_works(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "in.json").write_text('{"people": [{"age": 1}, {"age": 1}], "meta": {"year": 2}}')
    run = cli("anonymize", "in.json", "--k", "2", code=2)
    assert "'people', 'meta' hold lists or objects, which cannot be generalized; unnest them" in run.err
    statement = run.err.partition("in DuckDB: ")[2].strip()
    duckdb.execute(statement.replace("FILE", str(tmp_path / "in.json")))
    assert cli("anonymize", "in.json.parquet", "--qi", "age,year", "--k", "2").code == 0
    (tmp_path / "in.json").write_text('[{"age": 1, "visits": [1, 2]}, {"age": 1, "visits": [3]}]')
    assert "'visits' holds lists or objects" in cli("anonymize", "in.json", "--k", "2").err

"""Bad input: one line that names the fault, the nearest valid name and the next step; the documented exit code; no file lost."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.command_line import Cli, refused
from tests.support.rows import write_parquet, write_table

ROWS = [{"age": 20 + number % 5, "sex": "Male" if number % 2 else "Female", "name": f"secret{number}"} for number in range(40)]
ARGUMENTS = ("--qi", "age,sex", "--hierarchies", "adult/five-year", "-o", "out.parquet")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "people.parquet", ROWS)


@pytest.mark.parametrize(
    ("arguments", "code", "phrases"),
    [
        (["--qi", "sexx"], 2, ["'sexx' is not a column", "did you mean 'sex'?"]),
        (["--sensitive", "sex"], 2, ["'sex'", "--qi", "--sensitive", "one role"]),
        (["--qi", "age,age"], 2, ["'age'", "twice in --qi"]),
        (["--k", "0"], 2, ["--k 0 is below 1"]),
        (["--k", "-3"], 2, ["--k -3 is below 1"]),
        (["--k", "41"], 1, ["k = 41", "40 rows", "lower --k"]),
        (["--max-suppression", "150%"], 2, ["150%", "0% to 100%"]),
        (["--max-suppression", "-1"], 2, ["-1"]),
        (["--max-suppression", "1.5"], 2, ["1.5"]),
        (["--max-suppression", "lots"], 2, ["'lots'", "5%"]),
        (["--hierarchies", "adult/five-yaer"], 2, ["adult/five-yaer", "did you mean 'adult/five-year'?"]),
        (["--hierarchies", "sex=nowhere.csv"], 2, ["nowhere.csv"]),
        (["--hierarchies", "name=x.csv"], 2, ["'name'", "not a quasi-identifier"]),
        (["--levels", "age=9"], 2, ["level 9", "0 to 4"]),
        (["--levels", "agee=1"], 2, ["'agee'", "did you mean 'age'?"]),
        (["--levels", "age"], 2, ["age=2"]),
        (["--require", "kk=5"], 2, ["'kk'"]),
        (["--require", "k=many"], 2, ["k=5"]),
        (["--algorithm", "optimum"], 2, ["optimum", "optimal"]),
        (["--qii", "age"], 2, ["--qii"]),
        (["-o", "out.xlsx"], 2, ["out.xlsx", ".parquet"]),
        (["-o", "people.parquet"], 3, ["is the input itself"]),
        (["-o", "./people.parquet", "--overwrite"], 3, ["is the input itself"]),
        (["-o", "nowhere/out.parquet"], 3, ["nowhere", "does not exist"]),
        (["--memory-limit", "lots"], 2, ["lots"]),
        (["--workspace", "duckanon.duckdb"], 2, ["duckanon.duckdb"]),
        (["--set", "names=[a,b]"], 2, ["names", "Parquet"]),
        (["--job", "nothing.yaml"], 2, ["nothing.yaml"]),
    ],
)
def test_wrong_options_are_refused(people: Path, cli: Cli, arguments: Sequence[str], code: int, phrases: Sequence[str]) -> None:
    before = people.read_bytes()
    refused(cli("anonymize", people, *ARGUMENTS, *arguments), code, *phrases)
    assert people.read_bytes() == before
    assert sorted(path.name for path in people.parent.iterdir()) == ["people.parquet"]


def test_a_missing_file_is_named_with_its_nearest_neighbour(people: Path, cli: Cli) -> None:
    refused(
        cli("anonymize", people.with_name("poeple.parquet"), *ARGUMENTS), 3, "poeple.parquet", "did you mean", "people.parquet"
    )


def test_an_empty_file_and_a_folder_are_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    refused(cli("anonymize", "empty.csv", *ARGUMENTS), 3, "empty.csv", "is empty")
    refused(cli("anonymize", tmp_path, *ARGUMENTS), 3, "empty.csv", "is empty")
    (tmp_path / "folder").mkdir()
    refused(cli("anonymize", "folder", *ARGUMENTS), 3, "is a folder without")


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_zero_rows_are_refused(cli: Cli, tmp_path: Path, suffix: str) -> None:
    if suffix == "csv":
        (tmp_path / "none.csv").write_text("age,sex\n")
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"age": pa.array([], pa.int64()), "sex": pa.array([], pa.string())}), tmp_path / "none.parquet")
    refused(cli("anonymize", f"none.{suffix}", *ARGUMENTS), 3, "no rows")


def test_no_row_left_after_dropping_missing_ones_is_refused(people: Path, cli: Cli) -> None:
    refused(
        cli("anonymize", people, *ARGUMENTS, "--missing", "Male", "--missing", "Female", "--set", "missing.policy=drop"),
        3,
        "no rows after rows with missing values in any column are dropped",
    )


def test_a_truncated_parquet_file_is_refused(people: Path, cli: Cli) -> None:
    people.write_bytes(people.read_bytes()[:-200])
    refused(cli("anonymize", people, *ARGUMENTS), 3, "people.parquet", "cannot be read as Parquet")


def test_a_hierarchy_that_misses_values_names_them_with_their_rows_and_spelling(people: Path, cli: Cli, tmp_path: Path) -> None:
    write_table(tmp_path / "sex.csv", [["Male", "*"], ["female", "*"]])
    refused(
        cli("anonymize", people, *ARGUMENTS, "--hierarchies", "sex=sex.csv"),
        2,
        "column 'sex'",
        "'Female' (20 rows, did you mean 'female'?)",
    )


def test_an_existing_output_is_kept_without_overwrite(people: Path, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "out.parquet").write_bytes(b"old")
    refused(cli("anonymize", people, *ARGUMENTS), 3, "out.parquet", "--overwrite")
    assert (tmp_path / "out.parquet").read_bytes() == b"old"
    assert cli("anonymize", people, *ARGUMENTS, "--overwrite").code == 0
    assert (tmp_path / "out.parquet").read_bytes() != b"old"


def test_the_old_output_outlives_an_infeasible_run(people: Path, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "out.parquet").write_bytes(b"old")
    refused(cli("anonymize", people, *ARGUMENTS, "--overwrite", "--k", "41"), 1, "infeasible")
    assert (tmp_path / "out.parquet").read_bytes() == b"old"


def test_an_unwritable_folder_is_refused(people: Path, cli: Cli) -> None:
    """`/proc` refuses files even to root."""
    refused(cli("anonymize", people, *ARGUMENTS, "-o", "/proc/out.parquet"), 3, "/proc")


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("privcy: []", ["'privcy'", "did you mean 'privacy'?"]),
        ("columns: {age: {role: quasi-identifier, heirarchy: x}}", ["columns.age.heirarchy", "did you mean 'hierarchy'?"]),
        ("columns: {age: {role: quasi-identifer}}", ["quasi-identifer", "did you mean 'quasi-identifier'?"]),
        ("suppression: {limit: 150%}", ["150%"]),
        ("privacy: [{model: k-anonymity, k: 0}]", ["privacy.0.k"]),
        ("version: 2", ["version"]),
        ("a: [", ["not YAML"]),
        ("just text", ["not a mapping"]),
        ("columns: {agee: {role: quasi-identifier}}", ["'agee'", "did you mean 'age'?"]),
    ],
)
def test_a_wrong_job_file_is_refused(people: Path, cli: Cli, tmp_path: Path, text: str, phrases: Sequence[str]) -> None:
    (tmp_path / "job.yaml").write_text(text)
    refused(cli("anonymize", people, "--job", "job.yaml", "-o", "out.parquet"), 2, *phrases)
    assert not (tmp_path / "out.parquet").exists()


def test_a_column_with_a_name_of_ours_is_refused(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 20, "sex": "Male", "_rows": 1}])
    refused(cli("anonymize", "in.parquet", *ARGUMENTS), 3, "'_rows'", "rename")


def test_a_nested_quasi_identifier_is_refused_by_name(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": [20], "sex": "Male"}])
    refused(cli("anonymize", "in.parquet", *ARGUMENTS), 2, "'age'", "BIGINT[]")


def test_no_quasi_identifiers_and_no_matching_set_is_refused(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"id": number, "email": f"p{number}@example.org"} for number in range(9)])
    refused(cli("anonymize", "in.parquet"), 2, "--qi", "id, email", narrates=True)


@pytest.mark.parametrize(("encoding", "message"), [("utf-16", "utf-16"), ("latin-1", "cp1252")])
def test_another_encoding_is_named_and_read(cli: Cli, tmp_path: Path, encoding: str, message: str) -> None:
    (tmp_path / "in.csv").write_bytes("age,sex\n20,weiß\n".encode(encoding))
    run = cli("anonymize", "in.csv", *ARGUMENTS)
    assert f"'in.csv' is encoded in {message}" in run.err
    refused(run, 2, "does not cover 'weiß'", narrates=True)


def test_no_input_is_refused(cli: Cli) -> None:
    refused(cli("anonymize"), 2, "no input", "duckanon demo")


def test_help_tells_every_option_of_the_interface(cli: Cli) -> None:
    text = cli("anonymize", "--help-all").out
    for option in (
        "--qi",
        "--hierarchies",
        "--k",
        "--max-suppression",
        "--missing",
        "--levels",
        "--set",
        "--workspace",
        "--json",
    ):
        assert re.search(rf"{option}\b", text), option


def test_many_rows_that_are_left_out_for_missing_values_are_counted_in_a_warning(cli: Cli, tmp_path: Path) -> None:
    rows = [{"sex": "fm"[number % 2], "income": None if number % 4 else number} for number in range(400)]
    write_parquet(tmp_path / "in.parquet", rows)
    run = cli("anonymize", "in.parquet", "--qi", "sex", "--set", "missing.policy=drop", "-o", "out.parquet")
    assert run.code == 0, run.err
    assert "warning: 300 of 400 rows have a missing value in some column and are left out" in run.err
    write_parquet(tmp_path / "in.parquet", [{**row, "income": row["income"] or 1} for row in rows])
    assert (
        "left out" not in cli("anonymize", "in.parquet", "--qi", "sex", "--set", "missing.policy=drop", "-o", "b.parquet").err
    )


def test_the_rule_for_missing_values_is_no_advice_for_a_sensitive_column(cli: Cli, tmp_path: Path) -> None:
    write_parquet(
        tmp_path / "in.parquet", [{"sex": "fm"[number % 2], "ill": "?" if number < 5 else "x"} for number in range(40)]
    )
    (tmp_path / "ill.csv").write_text("x;*\n")
    (tmp_path / "job.yaml").write_text(
        "columns: {sex: {role: quasi-identifier, hierarchy: {kind: flat}}, ill: {role: sensitive, hierarchy: ill.csv}}\n"
        "privacy: [{model: k-anonymity, k: 2}, {model: t-closeness, t: 0.5, distance: hierarchical, column: ill}]\n"
    )
    declared = ("--missing", "?", "--set", "missing.policy=top", "--set", "accept=missing-values@ill")
    run = cli("anonymize", "in.parquet", "--job", "job.yaml", *declared, "-o", "out.parquet")
    assert run.code == 2, run.err
    assert "does not cover '?' (5 rows); add it" in run.err
    assert "missing.policy" not in run.err


def test_a_removed_word_names_its_replacement(people: Path, cli: Cli) -> None:
    refused(cli("hierarchy", "wizard", people, "--column", "age"), 2, "No such command 'wizard'; duckanon studio FILE")
    refused(cli("anonymize", people, "--qi", "age", "--algorithm", "datafly"), 2, "datafly was removed, use greedy")
    refused(
        cli("compare", people, "--qi", "age", "--algorithms", "optimal,descent"),
        2,
        "'descent' of --algorithms was removed; use optimal",
    )
    (people.parent / "job.yaml").write_text("recoding: {objective: entropy}", encoding="utf-8")
    refused(
        cli("anonymize", people, "--job", people.parent / "job.yaml"), 2, "recoding.objective: entropy was removed; use loss"
    )
    refused(cli("anonymize", people, "--sql"), 2, "No such option: --sql; --workspace FILE.duckdb")

"""`duckanon hierarchy check` on hierarchies with faults."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.command_line import Cli, refused
from tests.support.faulty_hierarchies import COSTLY, SECONDS, faults, of, written
from tests.support.paths import FIXTURES

QI = "age,education,marital-status,race"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"c": ["a1", "a2", "b1", "b2", "b2", "b2"]}), tmp_path / "texts.parquet")
    return tmp_path / "texts.parquet"


# --- the seeds as printed

SEED_001 = [
    # what is said, and its line in its file
    ("it puts 'Prof-school' into 'Vocational School' on level 1", "did you mean 'Profschool'?", 8),
    ("it does not cover 'Prof-school' (576 rows, did you mean 'Profschool'?)", "", 3),
    ("it has no parent on level 1 for 'Profschool' of level 0", "", 3),
    ("it has no parent on level 2 for 'Graduate School' of level 1 (2,136 rows)", "", 10),
    ("it skips a level: 'Masters' in 'Advanced Degree' on level 2", "", 13),
    ("it skips a level: 'Doctorate' in 'Advanced Degree' on level 2", "", 13),
    ("it puts 'Never-Married' into 'Single' on level 1", "did you mean 'Never-married', 10,683 rows?", 5),
    ("it has no parent on level 1 for 'Never-married' of level 0 (10,683 rows)", "", 3),
    ("it has no parent on level 2 for 'Married-Together' of level 1 (14,999 rows)", "", 6),
    ("it lists no members for '17-19', '20-29', '30-39', ... on level 1", "", 5),
    ("it lists no members for '17-29', '30-49', '50-69', ... on level 2", "", 6),
    (r"$\!\!\!/\!\!\!/$ The data of age starts from 17 and ends with 90', which is not a number", "stray text", 4),
]


def assert_seed_001(lines: list[str], written_number: Callable[[int], str]) -> None:
    for phrase, other, number in SEED_001:
        [line] = [line for line in lines if phrase in line]
        assert other in line
        assert written_number(number) in line


def test_check_finds_every_fault_of_seed_001_at_once(adult: Path, cli: Cli) -> None:
    run = cli("hierarchy", "check", FIXTURES / "seed001", "--data", adult, code=2)
    assert run.err == ""
    assert_seed_001(run.out.splitlines(), lambda number: f"error: line {number}: ")
    assert "warning: it has a redundant level 1" in run.out
    assert "warning: line 13: it uses 2 labels on several levels: 'Other', 'Western Origin'" in run.out


def test_a_run_is_refused_with_every_fault_of_seed_001_at_once(adult: Path, cli: Cli, tmp_path: Path) -> None:
    run = cli("anonymize", adult, "--qi", QI, "--hierarchies", FIXTURES / "seed001", "-o", "out.parquet", code=2)
    assert run.out == ""
    assert "Traceback" not in run.err
    first, *rest = run.err.splitlines()
    assert first.startswith("duckanon: error: hierarchy ")
    assert all(line.strip().startswith(("it ", "hierarchy ")) for line in rest)
    assert_seed_001(rest, lambda number: f"(line {number})")
    for column in ("age", "education", "marital-status"):
        assert f"of column '{column}' has" in run.err
    assert not (tmp_path / "out.parquet").exists()


def test_seed_001_shows_its_structure_without_data_too(cli: Cli) -> None:
    run = cli("hierarchy", "check", FIXTURES / "seed001", code=2)
    assert "'Graduate School' of level 1; put it" in run.out
    assert "'Married-Together' of level 1; put it" in run.out
    assert "rows" not in run.out


def test_the_age_of_seed_000_is_refused_as_not_nested(adult: Path, cli: Cli) -> None:
    reference = FIXTURES / "seed000" / "age.yaml"
    reported = [fault for fault in faults(reference, adult, column="age") if fault["severity"] == "error"]
    assert [fault["value"] for fault in reported] == ["[27, 37)", "[47, 57)"]
    assert "'[27, 37)' on level 2 has parents 'Adult' and 'Young' on level 3" in reported[0]["message"]
    assert "'[47, 57)' on level 2 has parents 'Adult' and 'Senior' on level 3" in reported[1]["message"]
    assert [fault["rows"] for fault in reported] == [8_627, 5_167]
    assert all("nested: false" in fault["message"] for fault in reported)
    run = cli("anonymize", adult, "--qi", "age", "--hierarchies", f"age={reference}", "-o", "out.parquet", code=2)
    assert "'[27, 37)'" in run.err
    assert "'[47, 57)'" in run.err


def test_the_age_of_seed_000_loads_where_it_says_that_it_is_not_nested(adult: Path, cli: Cli, tmp_path: Path) -> None:
    text = (FIXTURES / "seed000" / "age.yaml").read_text()
    reference = written(tmp_path / "age.yaml", f"{text}nested: false\n")
    reported = faults(reference, adult, column="age")
    assert of(reported, "error") == []
    assert any("nested: false" in message for message in of(reported, "warning"))
    run = cli("anonymize", adult, "--qi", "age", "--hierarchies", f"age={reference}", "--dry-run", code=0)
    [note] = [line for line in run.err.splitlines() if "not nested" in line]
    assert not note.startswith("warning: ")


def test_errors_warnings_and_notes_are_distinguished(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.csv", "a1;A;X;*\na2;A;X;*\nb1;B;Y;*\nb2;B;Y;*\nc;B;Y;*\n")
    arguments = ("hierarchy", "check", "h.csv", "--data", texts, "--column", "c")
    easy = cli(*arguments, code=0)
    lines = easy.out.splitlines()
    assert lines[0] == "h.csv, column c:"
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["warning", "note"]
    strict = cli(*arguments, "--strict")
    assert (strict.code, strict.out) == (2, easy.out)
    document = cli(*arguments, "--strict", "--json").manifest
    assert document["passed"] is False
    assert [fault["severity"] for fault in document["hierarchies"][0]["faults"]] == ["warning", "note"]
    written(tmp_path / "h.csv", "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\nc;B;*\n")
    assert cli(*arguments, "--strict").code == 0
    written(tmp_path / "h.csv", "a1;A;*\na2;A;*\nb1;B;*\n")
    assert cli(*arguments).code == 2


@pytest.mark.parametrize("name", ["h.csv", "h.parquet", "named.yaml"])
def test_a_table_of_2_gib_is_refused_unread(tmp_path: Path, texts: Path, cli: Cli, name: str) -> None:
    table = tmp_path / ("named.csv" if name == "named.yaml" else name)
    with table.open("wb") as file:
        file.truncate(2 << 30)
    if name == "named.yaml":
        written(tmp_path / name, "kind: table\nfile: named.csv\n")
    started = time.process_time()
    run = cli("anonymize", texts, "--qi", "c", "--hierarchies", f"c={name}", "-o", "out.parquet")
    assert time.process_time() - started < SECONDS
    refused(run, 2, table.name, "2.0 GiB, more than 1")
    table.unlink()


def test_a_check_of_a_bomb_ends_in_one_fault(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.yaml", COSTLY["a bomb"][1])
    started = time.process_time()
    run = cli("hierarchy", "check", "h.yaml", "--data", texts, "--column", "c")
    assert time.process_time() - started < SECONDS
    assert run.code == 2
    assert run.out.count("error: ") == 1
    assert "aliases" in run.out


@pytest.mark.parametrize("name", ["h.yaml", "h.csv", "h.parquet"])
def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path, texts: Path, cli: Cli, name: str) -> None:
    (tmp_path / name).mkdir()
    refused(cli("hierarchy", "show", name, "--data", texts, "--column", "c"), 2, name, "contains no hierarchy file")
    refused(cli("anonymize", texts, "--qi", "c", "--hierarchies", f"c={name}", "-o", "out.parquet"), 2, name)


def test_a_file_that_has_gone_is_named(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.yaml", "kind: table\nfile: nowhere.csv\n")
    refused(cli("anonymize", texts, "--qi", "c", "--hierarchies", "c=h.yaml", "-o", "out.parquet"), 2, "nowhere.csv")
    refused(cli("hierarchy", "show", "adult/five-yaer/age"), 2, "did you mean 'adult/five-year/age'?")


def test_a_fault_of_a_file_with_a_long_cell_is_reported_without_its_line(tmp_path: Path, cli: Cli) -> None:
    """Python's reader of CSV refuses cells of more than 131,072 characters, DuckDB's does not."""
    (tmp_path / "town.csv").write_text(f"x;{'a' * 140_000}\ny;*\n", encoding="utf-8")
    refused(cli("hierarchy", "show", "town.csv"), 2, "ends in 2 labels")


def test_a_failed_check_leaves_nothing_behind(tmp_path: Path, adult: Path, cli: Cli) -> None:
    shutil.copytree(FIXTURES / "seed001", tmp_path / "set")
    before = sorted(tmp_path.rglob("*"))
    assert cli("hierarchy", "check", "set", "--data", adult).code == 2
    assert sorted(tmp_path.rglob("*")) == before

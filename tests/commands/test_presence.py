"""delta-presence with a lower bound: it bounds every person of the population, also those whose class has no released record."""

from collections import Counter
from pathlib import Path

import duckdb
import pytest

from tests.support.command_line import Cli
from tests.support.rows import write_parquet


@pytest.fixture
def people(tmp_path: Path) -> str:
    return str(write_parquet(tmp_path / "people.parquet", [{"town": town} for town in ("a", "a", "b", "b")]))


def sample(folder: Path, towns: str) -> str:
    return str(write_parquet(folder / f"{towns}.parquet", [{"town": town} for town in towns]))


BETWEEN = ("--qi", "town", "--k", "1", "--require", "delta-presence=0.2,0.6")


def test_a_person_whose_class_the_file_lacks_has_presence_0(tmp_path: Path, people: str, cli: Cli) -> None:
    done = cli("check", sample(tmp_path, "a"), *BETWEEN[:2], *BETWEEN[4:], "--population", people, "--json", code=1)
    [low] = [entry for entry in done.manifest["privacy"] if entry.get("bound") == "low"]
    assert (low["achieved"], low["failing_classes"], low["failing_rows"]) == (0, 1, 0)
    assert cli("check", sample(tmp_path, "ab"), *BETWEEN[:2], *BETWEEN[4:], "--population", people).code == 0


def test_a_search_merges_the_classes_that_the_sample_lacks(tmp_path: Path, people: str, cli: Cli) -> None:
    out = tmp_path / "out.csv"
    cli("anonymize", sample(tmp_path, "a"), *BETWEEN, "--population", people, "-o", str(out), "--json", code=0)
    assert duckdb.connect().execute(f"select town, count(*) from '{out}' group by all").fetchall() == [("*", 1)], (
        "1 of 4 persons"
    )
    arguments = (*BETWEEN, "--population", people, "-o", str(out), "--levels", "town=0", "--overwrite")
    refused = cli("anonymize", sample(tmp_path, "a"), *arguments, code=1)
    assert "1 classes of the population without a record" in refused.err


def test_nothing_is_suppressed_under_a_lower_bound(tmp_path: Path, people: str, cli: Cli) -> None:
    """`b` alone exceeds the upper bound; without its records, persons of `b` would have presence 0."""
    out = tmp_path / "out.csv"
    arguments = ("anonymize", sample(tmp_path, "abb"), *BETWEEN[:4], "--population", people, "-o", str(out), "--overwrite")
    more = ("--max-suppression", "100%")
    assert cli(*arguments, "--require", "delta-presence=0,0.6", "--levels", "town=0", *more).code == 0
    assert Counter(duckdb.connect().execute(f"select town from '{out}'").fetchall()) == {("a",): 1}
    assert cli(*arguments, "--require", "delta-presence=0.2,0.6", "--levels", "town=0", *more).code == 1


@pytest.mark.parametrize(
    "refused", [("--algorithm", "local"), ("--algorithm", "mondrian"), ("--set", "suppression.style=star")]
)
def test_what_cannot_show_every_person_is_refused(tmp_path: Path, people: str, cli: Cli, refused: tuple[str, ...]) -> None:
    done = cli(
        "anonymize", sample(tmp_path, "ab"), *BETWEEN, "--population", people, "-o", str(tmp_path / "o.csv"), *refused, code=2
    )
    assert "delta-presence with a lower bound" in done.err
    assert "Traceback" not in done.err

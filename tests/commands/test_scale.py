"""Rows are shuffled, and a run out of memory ends with one line."""

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
from tests.support.command_line import Cli
from tests.support.demo import Demo
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize


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
    anonymize(source, tmp_path / "out.parquet", options=about, run=Run(settings=Settings(workspace=tmp_path / "work.duckdb")))
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

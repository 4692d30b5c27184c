"""What shifted dates leave visible: the time of day, weekday and season, the time between dates; by a join of the source with the release."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet

KEY = "6f1c9a5be0d2473886bd1f0a54c7e39281ab4fd60c7785ea23914bb0de6f8a17"


def stays(persons: int = 600) -> list[dict[str, Any]]:
    random = Random(4)
    rows = []
    for number in range(persons):
        start = datetime(2020, 1, 1) + timedelta(seconds=random.randrange(86_400 * 700))
        born = date(1930, 1, 1) + timedelta(days=random.randrange(25_000))
        for visit in range(2):
            came = start + timedelta(days=100 * visit, seconds=random.randrange(9_000))
            left = came + timedelta(seconds=random.randrange(86_400 * 40))
            rows.append({"pid": number, "ward": "abcd"[number % 4], "came": came, "left": left, "born": born})
    return rows


@pytest.fixture
def released(tmp_path: Path, cli: Cli) -> Any:
    source = write_parquet(tmp_path / "in.parquet", stays())
    (tmp_path / "key").write_text(KEY)
    (tmp_path / "key").chmod(0o600)
    common = [
        "anonymize",
        source,
        "--qi",
        "ward",
        "--entity",
        "pid",
        "--release",
        "r",
        "--key-file",
        tmp_path / "key",
        "--overwrite",
    ]

    def run(*words: str) -> tuple[Any, list[dict[str, Any]]]:
        done = cli(*common, *words, "-o", tmp_path / "out.parquet")
        return done, read_rows(tmp_path / "out.parquet") if done.code == 0 else []

    return run


def recognized(rows: Sequence[dict[str, Any]]) -> int:
    """The persons who are found by a time of day that is theirs alone in source and release."""
    known = Counter((row["ward"], row["came"].time()) for row in stays())
    shown = {(row["ward"], row["came"].time()) for row in rows}
    return len(
        {
            row["pid"]
            for row in stays()
            if known[(row["ward"], row["came"].time())] == 1 and (row["ward"], row["came"].time()) in shown
        }
    )


def test_a_time_of_day_is_judged_and_truncated(released: Any) -> None:
    run, rows = released("--shift", "came=180")
    assert recognized(rows) > 590
    assert "the time of day of 'came' (" in run.err
    assert "truncate" in run.err
    run, rows = released("--shift", "came=180:days:truncate")
    assert recognized(rows) == 0
    assert {row["came"].time() for row in rows} == {datetime.min.time()}
    assert "time of day of" not in run.err
    assert len({row["came"].date() for row in rows}) > 300


def test_weeks_keep_the_weekday_and_years_the_season(released: Any) -> None:
    source = stays()
    _, rows = released("--shift", "came=26:weeks")
    assert Counter(row["came"].weekday() for row in rows) == Counter(row["came"].weekday() for row in source)
    assert Counter(row["came"].date() for row in rows) != Counter(row["came"].date() for row in source)
    _, rows = released("--shift", "came=3:years:truncate")
    days = [Counter((row["came"].month, min(row["came"].day, 28)) for row in table) for table in (rows, source)]
    assert days[0] == days[1]
    assert {row["came"].year for row in rows} > {2020, 2021}


def test_the_time_between_two_dates_of_a_row_is_judged(released: Any) -> None:
    run, rows = released("--shift", "came=30:days", "--shift", "left=30:days")
    assert "the time between 'came' and 'left' (100% of the rows)" in run.err
    assert Counter(row["left"] - row["came"] for row in rows) == Counter(row["left"] - row["came"] for row in stays())


def test_a_shifted_date_of_birth_links_the_rows_of_a_person(released: Any) -> None:
    run, _ = released("--shift", "born=300", "--k", "150")
    assert run.code == 2
    assert "'born' links the rows of a person" in run.err


@pytest.mark.parametrize("given", ["came=180:months", "came=:days", "came=3:years:truncate:days", "came=1.5", "came=0"])
def test_other_shifts_are_refused(released: Any, given: str) -> None:
    run, _ = released("--shift", given)
    assert run.code == 2
    assert "Traceback" not in run.err


def test_dates_that_move_together_have_one_unit(released: Any) -> None:
    run, _ = released("--shift", "came=26:weeks", "--shift", "left=180")
    assert run.code == 2
    assert "give both the same shift" in run.err

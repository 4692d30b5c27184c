"""Labels that show extremes: the end of a range discloses the age of the oldest person."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pytest

from duckanon.job.options import Options
from tests.support.runs import anonymize
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import OLDEST, Row, patients, read, write

TODAY = date(2024, 6, 1)
QUASI = {"role": "quasi-identifier"}
FIVE = QUASI | {"hierarchy": {"kind": "intervals", "widths": [5, 10, 20]}}
CALENDAR = QUASI | {"hierarchy": {"kind": "dates", "units": ["month", "year", "decade"]}}
READING = {"reading": {"role": "sensitive"}}

OURS: dict[str, tuple[dict[str, Any], Options]] = {
    "intervals": ({"age": FIVE}, Options()),
    "intervals, no suppressed record": ({"age": FIVE}, Options(max_suppression="0")),
    "intervals, masked": ({"age": FIVE}, Options(set={"suppression.style": "star"})),
    "mondrian": ({"age": QUASI}, Options(algorithm="mondrian")),
    "mondrian, two columns": ({"age": QUASI, "born": QUASI}, Options(algorithm="mondrian")),
    "mondrian, dates": ({"born": QUASI}, Options(algorithm="mondrian")),
    "local": ({"age": FIVE, "born": CALENDAR}, Options(algorithm="local")),
    "microaggregation, interval": ({"age": FIVE}, Options(microaggregate={"age": "interval"}, max_suppression="0")),
    "microaggregation, mean": ({"age": FIVE}, Options(microaggregate={"age": "mean:1"}, max_suppression="0")),
    "guessed": ({}, Options()),
}


@pytest.fixture(scope="module")
def people() -> list[Row]:
    rows = patients()
    for row in rows:
        row["born"] = TODAY - timedelta(days=round(row["age"] * 365.25) + row["reading"] % 365)
    return rows


def greatest_told(labels: Iterable[object]) -> float | None:
    """The greatest age that a label ends with, as its writer would have it: `[70, 113]` discloses the age 113."""
    ends = [end for label in labels if (end := upper_end(str(label))) is not None]
    return max(ends, default=None)


def upper_end(label: str) -> float | None:
    """The greatest whole number under a label, where it says one."""
    number = r"-?\d+(?:\.\d+)?"
    if match := re.fullmatch(rf"[\[(]{number}(?:, |-){number}[)\]]|{number}|<=? ?{number}", label):
        end = float(re.findall(r"\d+(?:\.\d+)?", match[0])[-1])
        return end - 1 if label.endswith(")") or label.startswith("< ") else end
    return None


def first_birth_told(labels: Iterable[object]) -> date | None:
    """The first day of birth that a range begins with."""
    days = [day for label in labels for day in re.findall(r"\d{4}-\d\d-\d\d", str(label).partition("<=")[0])]
    return min(map(date.fromisoformat, days), default=None)


@pytest.fixture(scope="module")
def naive(people: list[Row]) -> list[Row]:
    """Ranges from quantiles of the data, as `qcut` labels them, and days of birth by the first and last of ten groups."""
    frame = pd.DataFrame(people)
    ages = pd.qcut(frame["age"], 10, precision=0).astype(str)
    days = pd.qcut(frame["born"].rank(method="first"), 10, labels=False)
    ends = frame.groupby(days)["born"].agg(["min", "max"])
    born = [f"[{ends['min'][group]}, {ends['max'][group]}]" for group in days]
    return [{"age": age, "born": day} for age, day in zip(ages, born, strict=True)]


@pytest.mark.parametrize("way", OURS)
def test_labels_tell_the_age_and_the_birth_of_the_oldest(
    tmp_path: Path, people: list[Row], naive: list[Row], way: str, record_row: RecordRow
) -> None:
    """Naive: `pandas.qcut`, whose first and last labels end where the data ends."""
    columns, options = OURS[way]
    source = write(tmp_path / "people.parquet", people)
    job = {"columns": columns | READING} if columns else None
    anonymize(source, tmp_path / "ours.parquet", job=job, options=options)
    ours = read(tmp_path / "ours.parquet")
    first = min(row["born"] for row in people)
    truth = {"age": OLDEST, "born": first}
    released = [name for name in truth if name in ours[0]]
    by_release = {which: extremes_told(shown, released) for which, shown in (("naive", naive), ("ours", ours))}
    assert by_release["naive"] == {name: truth[name] for name in released}
    assert not any(by_release["ours"][name] == truth[name] for name in released)
    text = ", ".join(f"{name} {truth[name]}" for name in released)
    record_row("attacks", channel=f"labels, {way}", naive=f"shown: {text}", ours="not shown")


def extremes_told(shown: list[Row], names: list[str]) -> dict[str, Any]:
    """The age and the day of birth that the labels give for the oldest."""
    readers = {"age": greatest_told, "born": first_birth_told}
    return {name: readers[name]({row[name] for row in shown}) for name in names}


def test_extremes_that_are_requested_are_found(tmp_path: Path, people: list[Row]) -> None:
    """The attack sees what `recoding.show-extremes` shows, so that its failure above means something."""
    source = write(tmp_path / "people.parquet", people)
    columns = {"age": QUASI} | READING
    options = Options(algorithm="mondrian", set={"recoding.show-extremes": True})
    anonymize(source, tmp_path / "ours.parquet", job={"columns": columns}, options=options)
    assert greatest_told({row["age"] for row in read(tmp_path / "ours.parquet")}) == OLDEST

"""Row order: the position of a row in the release is its position in the original."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support.command_line import Cli
from tests.support.runs import anonymize
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import JOB, Row, bands, by_position, class_of, luck, patients, percent, read, right, write

ORDERS: dict[str, Callable[[Row], Any] | None] = {
    "as they came": None,
    "by hash of the id": lambda row: hashlib.md5(str(row["person"]).encode(), usedforsecurity=False).hexdigest(),
    "by name": lambda row: row["name"],
}
"""Orders that an attacker who holds the original can make again."""


@pytest.fixture(scope="module")
def people() -> list[Row]:
    return patients()


def test_position_links_rows_to_people_in_every_form(
    cli: Cli, tmp_path: Path, people: list[Row], record_row: RecordRow
) -> None:
    """Naive: generalized row by row and written as it came, to Parquet, to CSV, and to a folder for each sex."""
    source = write(tmp_path / "people.parquet", people)
    (tmp_path / "job.json").write_text(pd.Series(JOB).to_json())
    naive = bands(people)
    for name in ("naive.parquet", "naive.csv"):
        write(tmp_path / name, naive)
    for sex in "fm":
        write(tmp_path / "naive" / f"sex={sex}" / "part.parquet", [row for row in naive if row["sex"] == sex])
    for form, name, more in (
        ("Parquet", ".parquet", []),
        ("CSV", ".csv", []),
        ("files of partitions", "", ["--set", "output.partition-by=sex"]),
    ):
        cli("anonymize", source, "--job", "job.json", "-o", f"ours{name}", *more, code=0)
        linked = {}
        for which in ("naive", "ours"):
            shown = read(tmp_path / f"{which}{name}")
            linked[which] = right(by_position(shown, people), shown, people), luck(shown), len(shown)
        assert linked["naive"][0] > 0.99
        assert linked["ours"][0] <= linked["ours"][1]
        record_row(
            "attacks",
            channel=f"row order, {form}",
            naive=percent(linked["naive"][0], f"{linked['naive'][2]:,} rows linked"),
            ours=percent(linked["ours"][0], f"{linked['ours'][2]:,} rows"),
        )


@pytest.mark.parametrize("order", ["by hash of the id", "by name"])
def test_a_sorted_release_links_rows_to_people(tmp_path: Path, people: list[Row], order: str, record_row: RecordRow) -> None:
    """Naive: sorted by a column that is dropped afterwards; this looks shuffled, and an adversary who knows the column repeats it."""
    key = ORDERS[order]
    assert key is not None
    naive = bands(sorted(people, key=key))
    anonymize(write(tmp_path / "people.parquet", people), tmp_path / "ours.parquet", job=JOB)
    ours = read(tmp_path / "ours.parquet")
    before, after = (right(by_position(shown, people, key), shown, people) for shown in (naive, ours))
    assert before > 0.99
    assert after <= luck(ours)
    record_row("attacks", channel=f"row order, {order}", naive=percent(before, "rows linked"), ours=percent(after, "rows"))


def test_a_release_sorted_by_class_links_rows_within_it(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: sorted by the released columns. The sort is stable, so that the rows of a class stand as they came."""
    naive = sorted(bands(people), key=class_of)
    anonymize(write(tmp_path / "people.parquet", people), tmp_path / "ours.parquet", job=JOB)
    ours = sorted(read(tmp_path / "ours.parquet"), key=class_of)
    before, after = (right(by_position(shown, people), shown, people) for shown in (naive, ours))
    assert before > 0.99
    assert after <= luck(ours)
    record_row(
        "attacks", channel="row order, sorted by class", naive=percent(before, "rows linked"), ours=percent(after, "rows")
    )


def test_a_shuffle_that_is_made_again_links_rows(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: `sample(frac=1, random_state=42)`. The attacker runs the same program over the same people again."""
    source = write(tmp_path / "people.parquet", people)

    def naive() -> list[Row]:
        shown: list[Row] = pd.DataFrame(bands(people)).sample(frac=1, random_state=42).to_dict("records")
        return shown

    def ours() -> list[Row]:
        anonymize(source, tmp_path / "ours.parquet", job=JOB, run=Run(overwrite=True))
        return read(tmp_path / "ours.parquet")

    before, after = (at_the_same_place(make(), make()) for make in (naive, ours))
    assert before > 0.99
    assert after < 20 / len(people)
    record_row(
        "attacks", channel="row order, shuffled again", naive=percent(before, "rows linked"), ours=percent(after, "rows")
    )


def at_the_same_place(shown: Sequence[Row], made_again: Sequence[Row]) -> float:
    """The share of rows that stand where the attacker's own run has the same person."""
    pairs = zip(shown, made_again, strict=True)
    return len([first for first, other in pairs if first["reading"] == other["reading"]]) / len(shown)


def test_row_groups_tell_the_part_that_rows_came_from(tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: one file a hospital is read, shuffled in itself, and appended to the release as a row group of its own."""
    choice, count = np.random.default_rng(1), 100_000
    parts, naive = tmp_path / "parts", tmp_path / "naive.parquet"
    parts.mkdir()
    writer = None
    for hospital in range(4):
        part = pa.table(
            {
                "age": choice.integers(18, 90, count),
                "sex": choice.choice(["f", "m"], count),
                "reading": np.arange(hospital * count, (hospital + 1) * count),
            }
        )
        pq.write_table(part, parts / f"part-{hospital}.parquet")
        ages = pa.array([f"[{age // 10 * 10}, {age // 10 * 10 + 10})" for age in part["age"].to_pylist()])
        shown = part.set_column(0, "age", ages).take(choice.permutation(count))
        writer = writer or pq.ParquetWriter(naive, shown.schema)
        writer.write_table(shown)
    assert writer is not None
    writer.close()
    columns = {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10]}}}
    options = Options(keep=["sex", "reading"], levels={"age": 1})
    anonymize(parts, tmp_path / "ours.parquet", job={"columns": columns}, options=options)
    before, after = (part_learned(path, count) for path in (naive, tmp_path / "ours.parquet"))
    assert before > 0.99
    assert after < 0.26
    record_row(
        "attacks", channel="row groups", naive=percent(before, "rows: hospital shown"), ours=percent(after, "rows (chance 25%)")
    )


def part_learned(path: Path, count: int) -> float:
    """The share of rows whose hospital is right, where the row group's place in the file is taken for it."""
    file, seen, hits = pq.ParquetFile(path), 0, 0
    assert file.num_row_groups > 3
    for number in range(file.num_row_groups):
        readings = file.read_row_group(number, ["reading"])["reading"].to_numpy()
        hospital = (seen + len(readings) // 2) * 4 // file.metadata.num_rows
        hits += int((readings // count == hospital).sum())
        seen += len(readings)
    return hits / seen


def test_the_days_of_a_release_do_not_follow_its_rows(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: days are shown by month, and rows keep their order: the position of a row shows its day."""
    columns = {
        "day": {"role": "quasi-identifier", "hierarchy": {"kind": "dates", "units": ["month"]}},
        "reading": {"role": "sensitive"},
    }
    source = write(tmp_path / "people.parquet", people)
    anonymize(source, tmp_path / "ours.parquet", job={"columns": columns}, options=Options(levels={"day": 1}))
    naive = [{"day": f"{row['day']:%Y-%m}", "reading": row["reading"]} for row in people]
    before, after = (day_learned(shown, people) for shown in (naive, read(tmp_path / "ours.parquet")))
    chance = 1 / 30 + 6 * (1 / 30 / len(people)) ** 0.5
    assert before > 0.9
    assert after < chance
    record_row(
        "attacks", channel="row order, days of a month", naive=percent(before, "days shown"), ours=percent(after, "days")
    )


def day_learned(shown: Sequence[Row], people: Sequence[Row]) -> float:
    """The share of rows whose day is told by their place among the rows of their month: admissions are spread evenly."""
    truth = {row["reading"]: row["day"] for row in people}
    days: dict[str, list[Any]] = {}
    for row in people:
        days.setdefault(f"{row['day']:%Y-%m}", []).append(row["day"])
    seen: dict[str, int] = dict.fromkeys(days, 0)
    hits = 0
    for row in shown:
        month = row["day"]
        hits += days[month][seen[month]] == truth[row["reading"]]
        seen[month] += 1
    return hits / len(shown)


def test_no_seed_of_a_common_shuffle_gives_the_order(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: `random.seed(2024); random.shuffle(rows)`. The attacker tries the seeds that people like."""
    source = write(tmp_path / "people.parquet", people)
    naive = list(people)
    Random(2024).shuffle(naive)
    anonymize(source, tmp_path / "ours.parquet", job=JOB)
    before, after = (best_seed(shown, people) for shown in (bands(naive, k=1), read(tmp_path / "ours.parquet")))
    assert before > 0.99
    assert after < 20 / len(people)
    record_row("attacks", channel="row order, seeds tried", naive=percent(before, "rows linked"), ours=percent(after, "rows"))


def best_seed(shown: Sequence[Row], people: Sequence[Row]) -> float:
    """The best share of rows that stand where a seed puts them."""
    shares = []
    for seed in (*range(100), *range(1970, 2031), 1234, 12345):
        order = list(people)
        Random(seed).shuffle(order)
        shares.append(at_the_same_place(shown, order[: len(shown)]))
    return max(shares)

"""Ends of ranges are rounded outwards: they cover the values, cost little, and are not the values of persons."""

import math
import random
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon.job.options import Options
from tests.support.rows import read_rows
from tests.support.runs import anonymize, apply

CHOSEN = random.Random(5)
ROWS = 300
START = datetime(1950, 1, 1)
COLUMNS: Mapping[str, pa.Array] = {
    "latitude": pa.array([47 + 2 * CHOSEN.random() for _ in range(ROWS)]),
    "salary": pa.array([int(CHOSEN.lognormvariate(11, 0.6)) for _ in range(ROWS)]),
    "amount": pa.array([Decimal(CHOSEN.randint(-99_999, 99_999)) / 100 for _ in range(ROWS)], pa.decimal128(7, 2)),
    "tiny": pa.array([CHOSEN.randint(-128, 127) for _ in range(ROWS)], pa.int8()),
    "large": pa.array([CHOSEN.randint(2**62, 2**63 - 1) for _ in range(ROWS)]),
    "small": pa.array([CHOSEN.gauss(0, 1e-6) for _ in range(ROWS)], pa.float32()),
    "born": pa.array([(START + timedelta(days=CHOSEN.randint(0, 20_000))).date() for _ in range(ROWS)]),
    "seen": pa.array([START + timedelta(seconds=1e9 * CHOSEN.random()) for _ in range(ROWS)]),
}
PARSE: Mapping[str, Any] = {
    "amount": Decimal,
    "born": date.fromisoformat,
    "seen": datetime.fromisoformat,
    "salary": int,
    "tiny": int,
    "large": int,
}


def number(value: Any) -> float:
    if isinstance(value, date) and not isinstance(value, datetime):
        return float(value.toordinal())
    return value.timestamp() if isinstance(value, datetime) else float(value)


def ends(name: str, label: str) -> list[Any]:
    """The ends of a range, from its label in the file; one value for an open range."""
    parse = PARSE.get(name, float)
    return [parse(part) for part in label.strip("[]").removeprefix("<= ").removeprefix(">= ").split(", ")]


def widest(values: Sequence[float]) -> float:
    return max(values) - min(values)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("way", ["mondrian", "interval"])
def test_ends_cover_their_values_and_cost_little(tmp_path: Path, name: str, way: str) -> None:
    table = pa.table({name: COLUMNS[name], "group": [row // 30 for row in range(ROWS)], "row": range(ROWS)})
    pq.write_table(table, tmp_path / "in.parquet")
    values = COLUMNS[name].to_pylist()
    columns: dict[str, Any] = {"row": {"role": "insensitive"}}
    if way == "mondrian":
        job = {"columns": {name: {"role": "quasi-identifier"}, **columns}}
        options = Options(k=5, algorithm="mondrian")
    else:
        quasi = {"group": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}
        job = {"columns": {**quasi, name: {"role": "insensitive", "microaggregate": "interval"}, **columns}}
        options = Options(k=5, levels={"group": 0})
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", job=job, options=options)
    classes: dict[tuple[Any, ...], list[int]] = {}
    for row in read_rows(tmp_path / "out.parquet"):
        classes.setdefault((row.get("group"), row[name]), []).append(row["row"])
    real = leaked = 0
    for (_, label), members in classes.items():
        own = [values[row] for row in members]
        assert len(own) >= 5
        if not label.startswith("["):
            [end] = ends(name, label) if label != "*" else [min(own)]
            assert (
                label == "*"
                or all(value <= end if label.startswith("<") else value >= end for value in own)
                or len(set(own)) == 1
            )
            continue
        low, high = ends(name, label)
        tolerance = 1e-6 * abs(number(high)) if name == "small" else 0
        assert number(low) - tolerance <= min(map(number, own))
        assert max(map(number, own)) <= number(high) + tolerance
        width = widest([number(value) for value in own])
        grain = {"born": 7, "seen": 86_400 * 366}.get(name, 0)
        assert number(high) - number(low) <= 1.1 * width + grain + tolerance
        if name not in ("tiny", "born"):
            real += 1
            leaked += low in own and high in own
    assert not leaked
    assert real or name in ("tiny", "born")


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("ranges", ["text", "bounds", "midpoint"])
def test_saved_cuts_give_the_rounded_labels_again(tmp_path: Path, name: str, ranges: Any) -> None:
    pq.write_table(pa.table({name: COLUMNS[name], "row": range(ROWS)}), tmp_path / "in.parquet")
    job = {"columns": {name: {"role": "quasi-identifier"}, "row": {"role": "insensitive"}}}
    anonymize(
        tmp_path / "in.parquet", tmp_path / "out.parquet", job=job, options=Options(k=5, algorithm="mondrian", ranges=ranges)
    )
    apply(tmp_path / "out.parquet.manifest.json", tmp_path / "in.parquet", tmp_path / "again.parquet")
    first, again = (sorted(read_rows(tmp_path / f"{file}.parquet"), key=lambda row: row["row"]) for file in ("out", "again"))
    assert list(map(str, first)) == list(map(str, again))


def test_exact_ends_are_shown_on_request(tmp_path: Path) -> None:
    pq.write_table(pa.table({"latitude": COLUMNS["latitude"]}), tmp_path / "in.parquet")
    job = {"columns": {"latitude": {"role": "quasi-identifier"}}}
    options = Options(k=5, algorithm="mondrian", set={"recoding.show-extremes": True})
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", job=job, options=options)
    values = set(COLUMNS["latitude"].to_pylist())
    for row in read_rows(tmp_path / "out.parquet"):
        assert set(ends("latitude", row["latitude"])) <= values


def test_ages_keep_their_ends(tmp_path: Path) -> None:
    """A range of whole numbers narrower than 40 has the step 1."""
    ages = [17 + row * row % 74 for row in range(ROWS)]
    pq.write_table(pa.table({"age": ages, "row": range(ROWS)}), tmp_path / "in.parquet")
    job = {"columns": {"age": {"role": "quasi-identifier"}, "row": {"role": "insensitive"}}}
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", job=job, options=Options(k=5, algorithm="mondrian"))
    classes: dict[str, list[int]] = {}
    for row in read_rows(tmp_path / "out.parquet"):
        classes.setdefault(str(row["age"]), []).append(ages[row["row"]])
    inner = {label: own for label, own in classes.items() if label.startswith("[")}
    assert inner
    assert all(label == f"[{min(own)}, {max(own)}]" for label, own in inner.items() if math.dist([min(own)], [max(own)]) < 40)

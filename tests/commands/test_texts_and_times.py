"""What is measured is the file: texts that differ are different values, dates keep their times, NaN is one value."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import duckanon
from duckanon.errors import InputError
from tests.support import levels
from tests.support.command_line import Cli

ALIKE = {
    "a T or a blank": ("2020-01-01T00:00:00", "2020-01-01 00:00:00"),
    "days": ("01.01.2020", "1.1.2020"),
    "decimal commas": ("1,50", "1,5"),
    "zeros with a sign": ("-0.0", "0.0"),
    "zones": ("2020-01-01 00:00:00+00", "2020-01-01 01:00:00+01"),
    "decimals": ("1.50", "1.5"),
    "exponents": ("1e3", "1000"),
}


@pytest.mark.parametrize("texts", ALIKE.values(), ids=ALIKE)
def test_texts_with_one_meaning_are_two_classes_of_a_csv_file(tmp_path: Path, cli: Cli, texts: tuple[str, str]) -> None:
    rows = [texts[number % 2] for number in range(6)]
    (tmp_path / "in.csv").write_text("x;y\n" + "".join(f"{text};1\n" for text in rows))
    text = f"read_csv('{tmp_path / 'in.csv'}', all_varchar=true)"
    counts = duckdb.execute(f"select count(*) from {text} group by x").fetchall()
    assert counts == [(3,), (3,)]
    run = cli("check", "in.csv", "--qi", "x", "--require", "k=5", code=1)
    assert "FAILS" in run.out
    assert "classes by size: 3: 2" in cli("risk", "in.csv", "--qi", "x").out


def test_texts_with_one_meaning_are_two_classes_of_a_json_file(tmp_path: Path, cli: Cli) -> None:
    for name, values in {"times": ('"2020-01-01T00:00:00"', '"2020-01-01 00:00:00"'), "numbers": ("1", "1.0")}.items():
        (tmp_path / f"{name}.json").write_text("".join(f'{{"x": {values[number % 2]}}}\n' for number in range(6)))
        assert cli("check", f"{name}.json", "--qi", "x", "--require", "k=5").code == 1


def test_times_written_alike_stay_times(tmp_path: Path, cli: Cli) -> None:
    """Distances in time need the type."""
    for mark in " T":
        moments = [f"2020-01-0{day}{mark}00:00:00" for day in range(1, 7)]
        (tmp_path / "in.csv").write_text("q,x\n" + "".join(f"1,{moment}\n" for moment in moments))
        cli("check", "in.csv", "--qi", "q", "--sensitive", "x", "--require", "t-ordered=0.5", code=0)


SEVERAL_TYPES: dict[str, list[Any]] = {
    "dates, then times": [date(2020, 1, 1)] * 4 + [datetime(2020, 1, 1, 10, 30)] * 4,
    "dates, then pandas times": [date(2020, 1, 1)] * 4 + [pd.Timestamp("2020-01-01 10:30")] * 4,
    "times, then times with a zone": [datetime(2020, 1, 1)] * 4
    + [datetime(2020, 1, 1, tzinfo=timezone(timedelta(hours=2)))] * 4,
    "lists of dates, then of times": [[date(2020, 1, 1)]] * 4 + [[datetime(2020, 1, 1, 10, 30)]] * 4,
}


@pytest.mark.parametrize("values", SEVERAL_TYPES.values(), ids=SEVERAL_TYPES)
def test_a_column_of_pandas_that_would_lose_its_times_is_refused(values: list[Any]) -> None:
    frame = pd.DataFrame({"q": [1] * 8, "s": pd.Series(values, dtype=object)})
    with pytest.raises(InputError, match=r"column 's' of the pandas\.DataFrame contains values of several types"):
        duckanon.anonymize(frame, qi=["q"], sensitive=["s"], k=2)


ONE_TYPE: dict[str, list[Any]] = {
    "dates": [date(2020, 1, 1), None] * 4,
    "times": [datetime(2020, 1, 1, 10, 30), pd.NaT] * 4,
    "times of one zone": [datetime(2020, 1, 1, 10, tzinfo=UTC)] * 8,
    "lists of dates": [[date(2020, 1, 1)], [date(2020, 1, 2), None]] * 4,
}


@pytest.mark.parametrize("values", ONE_TYPE.values(), ids=ONE_TYPE)
def test_a_column_of_pandas_with_one_type_keeps_it(values: list[Any]) -> None:
    frame = pd.DataFrame({"q": [1] * 8, "s": pd.Series(values, dtype=object)})
    released = duckanon.anonymize(frame, qi=["q"], sensitive=["s"], k=2).to_arrow()
    kept = [None if value is None or value is pd.NaT else value for value in values]
    assert Counter(map(str, released.column("s").to_pylist())) == Counter(map(str, kept))


def test_files_with_values_of_the_data_are_private(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "in.csv").write_text("code\n" + "".join(f"{number}\n" for number in range(100, 200)))
    assert cli("hierarchy", "suggest", "in.csv", "--column", "code", "-o", "code.yaml").code == 0
    for target in ("code.csv", "code.parquet"):
        assert cli("hierarchy", "build", "code.yaml", "--data", "in.csv", "--column", "code", "-o", target).code == 0
    for name in ("code.yaml", "code.csv", "code.parquet"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


def nans(rows: int = 40) -> np.ndarray:
    patterns = [0x7FF8000000000000, 0x7FF8000000000001, 0xFFF8000000000000, 0x3FF0000000000000]
    return np.tile(np.array(patterns, dtype=np.uint64).view(np.float64), rows // 4)


def column_of(shape: str) -> pa.Array:
    values = pa.array(nans())
    ends = pa.array(range(len(values) + 1), pa.int32())
    match shape:
        case "list":
            return pa.ListArray.from_arrays(ends, values)
        case "struct":
            return pa.StructArray.from_arrays([values], names=["a"])
        case "map":
            return pa.MapArray.from_arrays(ends, pa.array(["a"] * len(values)), values)
        case "float":
            patterns = np.array([0x7FC00000, 0x7FC00001, 0xFFC00000, 0x3F800000], dtype=np.uint32).view(np.float32)
            return pa.array(np.tile(patterns, 10))
    return values


@pytest.mark.parametrize(
    ("shape", "role", "target"),
    levels.spread(["double", "float", "list", "struct", "map"], ["--sensitive", "--keep"], ["out.parquet", "out.csv"], turns=2),
)
def test_bit_patterns_of_nan_are_one_value(tmp_path: Path, cli: Cli, shape: str, role: str, target: str) -> None:
    pq.write_table(pa.table({"q": [number // 20 for number in range(40)], "s": column_of(shape)}), tmp_path / "in.parquet")
    cli("anonymize", "in.parquet", "--qi", "q", role, "s", "--levels", "q=0", "-o", target, code=0)
    shown = duckdb.execute(
        f"select replace(s::varchar, '-nan', 'nan') as s, count(*) from '{tmp_path / target}' group by all"
    ).fetchall()
    assert sorted(count for _, count in shown) == [10, 30]

"""NaN, codes with a label and declared missing values: means, ranges and classes hold numbers only."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support import levels
from tests.support.command_line import Cli, refused

ROWS: list[dict[str, Any]] = [
    {"town": "abc"[number % 3], "pay": math.nan if number % 4 == 0 else float(number % 7), "age": 20 + number % 40}
    for number in range(120)
]


def mean(values: Sequence[float]) -> float:
    return sum(sorted(values)) / len(values)


@pytest.mark.parametrize(
    ("type", "function"), levels.spread([pa.float64(), pa.float32()], ["mean", "median", "interval", "set", "mode"])
)
def test_a_figure_of_a_class_is_that_of_its_numbers(cli: Cli, tmp_path: Path, type: pa.DataType, function: str) -> None:
    schema = pa.schema({"town": pa.string(), "pay": type, "age": pa.int64()})
    pq.write_table(pa.Table.from_pylist(ROWS, schema=schema), tmp_path / "in.parquet")
    run = cli("anonymize in.parquet --qi town --keep pay -o out.csv", "--microaggregate", f"pay={function}", code=0)
    assert "NaN is read as a missing value: pay" in run.err
    shown = duckdb.execute(f"select distinct town, pay from read_csv('{tmp_path / 'out.csv'}', all_varchar = true)").fetchall()
    assert not any("nan" in str(figure) for _, figure in shown)
    if function == "mean":
        own = {town: [row["pay"] for row in ROWS if row["town"] == town and not math.isnan(row["pay"])] for town in "abc"}
        assert {town: float(figure) for town, figure in shown} == pytest.approx(
            {town: mean(values) for town, values in own.items()}
        )


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_nan_is_a_missing_value_of_a_quasi_identifier(cli: Cli, tmp_path: Path, algorithm: str) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "in.parquet")
    cli("anonymize", "in.parquet", "--qi", "pay,age", "--algorithm", algorithm, "-o", "out.csv", code=0)
    assert "nan" not in (tmp_path / "out.csv").read_text()
    counts = Counter((tmp_path / "out.csv").read_text().splitlines()[1:])
    assert min(counts.values()) >= 5


def test_nan_is_a_missing_value_of_an_ordered_sensitive_column(cli: Cli, tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "in.parquet")
    cli("anonymize", "in.parquet", "--qi", "age", "--sensitive", "pay", "--require", "t-ordered=0.3", "-o", "out.csv", code=0)
    assert "nan" not in (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize("policy", ["drop", "top"])
def test_nan_can_be_declared_missing(cli: Cli, tmp_path: Path, policy: str) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "in.parquet")
    cli("anonymize in.parquet --qi pay --missing NaN -o out.csv", "--set", f"missing.policy={policy}", code=0)
    labels = Counter((tmp_path / "out.csv").read_text().splitlines()[1:])
    assert sum(labels.values()) == (90 if policy == "drop" else 120)
    assert "nan" not in labels


def test_nan_as_text_among_numbers_is_in_no_mean(cli: Cli, tmp_path: Path) -> None:
    lines = ["town,pay", *(f"{row['town']},{'NaN' if math.isnan(row['pay']) else row['pay']}" for row in ROWS)]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    cli("anonymize", "in.csv", "--qi", "town", "--keep", "pay", "--microaggregate", "pay=mean", "-o", "out.csv", code=0)
    assert "nan" not in (tmp_path / "out.csv").read_text().casefold()


@pytest.mark.parametrize("form", ["dta", "sav"])
def test_codes_whose_labels_are_no_numbers_are_missing(cli: Cli, tmp_path: Path, form: str) -> None:
    pandas, pyreadstat = pytest.importorskip("pandas"), pytest.importorskip("pyreadstat")
    pay = [999998.0 if number % 10 == 0 else -9.0 if number % 10 == 1 else 1000.0 + number for number in range(100)]
    frame = pandas.DataFrame(
        {"town": ["ab"[number % 2] for number in range(100)], "pay": pay, "mood": [float(number % 11) for number in range(100)]}
    )
    labels = {"pay": {999998.0: "Refused", -9.0: "Weiß nicht"}, "mood": {0.0: "sad", 10.0: "happy"}}
    if form == "dta":
        labels = {name: {int(code): text for code, text in texts.items()} for name, texts in labels.items()}
        frame = frame.astype({"pay": "int32", "mood": "int32"})
    getattr(pyreadstat, f"write_{form}")(frame, str(tmp_path / f"in.{form}"), variable_value_labels=labels)
    columns = ("--keep", "pay", "--keep", "mood", "--microaggregate", "pay=mean", "--microaggregate", "mood=mean")
    run = cli("anonymize", f"in.{form}", "--qi", "town", *columns, "-o", "out.parquet", code=0)
    assert "999998 Refused" in run.err
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    for town in "ab":
        own = [value for value, name in zip(pay, frame["town"], strict=True) if name == town and 0 <= value < 999998]
        moods = [number % 11 for number in range(100) if "ab"[number % 2] == town]
        assert [row["pay"] for row in rows if row["town"] == town] == pytest.approx([mean(own)] * 50)
        assert [row["mood"] for row in rows if row["town"] == town] == pytest.approx([mean(moods)] * 50)


def test_a_declared_missing_value_that_occurs_nowhere_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("town,age\n" + "a,20\nb,30\nN/A,40\n" * 20)
    refused(
        cli("anonymize", "in.csv", "--qi", "town,age", "--missing", "NA", "-o", "out.csv"),
        2,
        "--missing NA",
        "did you mean 'N/A'?",
    )
    refused(cli("anonymize", "in.csv", "--qi", "age", "--missing", "-9", "-o", "out.csv"), 2, "--missing -9")
    assert cli("anonymize", "in.csv", "--qi", "town,age", "--missing", "N/A", "-o", "out.csv").code == 0

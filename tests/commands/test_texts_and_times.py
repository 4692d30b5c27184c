"""What is measured is the file: texts that differ are different values, dates keep their times, NaN is one value."""

import math
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from random import Random
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
from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows, write_parquet

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
    assert "FAILS" in cli("check", "in.csv", "--qi", "x", "--require", "k=5", code=1).out
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


# NaN, codes with a label and declared missing values: means, ranges and classes hold numbers only


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
    assert min(Counter((tmp_path / "out.csv").read_text().splitlines()[1:]).values()) >= 5


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
    assert "999998 Refused" in cli("anonymize", f"in.{form}", "--qi", "town", *columns, "-o", "out.parquet", code=0).err
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


# What shifted dates leave visible: the time of day, weekday and season, the time between dates; by a join of the source with the release


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
    common = ["anonymize", source, "--qi ward --entity pid --release r", "--key-file", tmp_path / "key", "--overwrite"]

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

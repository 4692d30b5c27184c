"""Suggested hierarchies: always valid, cut at round numbers near the quantiles, and marked as suggested."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from duckanon.inspection import Data
from duckanon.pipeline import anonymize
from duckanon.preparation import Run
from duckanon.suggestion.numbers import roundest
from duckanon.workbench import Workbench
from tests.conftest import Cli, write_parquet

COLUMNS = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship"),
    *("race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income"),
)


def suggested(path: Path, column: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A suggestion, and what it makes of the values; raises where it has a fault."""
    with Workbench(Data(str(path), column)) as bench:
        found = bench.suggested()
        assert found.content["source"] == f"suggested by duckanon: {found.reason}"
        return found.content, bench.tried(found.content)


def column_of(folder: Path, values: Sequence[Any], type: pa.DataType | None = None) -> Path:
    path = folder / "in.parquet"
    pq.write_table(pa.table({"c": pa.array(list(values), type)}), path)
    return path


def groups(shown: dict[str, Any]) -> list[int]:
    return [int(level["groups_in_data"]) for level in shown["levels"]]


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_of_adult_gets_a_valid_hierarchy(adult: Path, column: str) -> None:
    content, shown = suggested(adult, column)
    assert groups(shown)[-1] == 1
    assert groups(shown) == sorted(groups(shown), reverse=True)
    kinds = {"sex": "flat", "income": "flat", "workclass": "rare", "native-country": "rare", "age": "intervals"}
    assert content["kind"] == kinds.get(column, content["kind"])
    if content["kind"] == "intervals":
        assert 2 <= groups(shown)[1] <= 16


def test_a_hundred_thousand_decimals_are_cut_in_sixteen(tmp_path: Path) -> None:
    draw = random.Random(1)
    numbers = sorted({Decimal(round(draw.lognormvariate(3, 1), 6)).quantize(Decimal("0.000001")) for _ in range(130_000)})[
        :100_000
    ]
    content, shown = suggested(column_of(tmp_path, numbers), "c")
    assert groups(shown) == [100_000, 16, 8, 4, 2, 1]
    sizes = [group["rows"] for group in shown["groups"] if group["level"] == 1]
    # a row of each value, so that the quantiles are those of the rows; a cut may lie three tenths of an interval from its own
    assert 0.4 * 100_000 / 16 <= min(sizes) <= max(sizes) <= 1.6 * 100_000 / 16
    assert all(len(str(end).rstrip("0")) <= 5 for interval in content["intervals"] for end in interval)


@pytest.mark.parametrize(
    ("values", "kind", "first"),
    [
        ([f"{chapter}{number:02d}.{number % 10}" for chapter in "AEIJ" for number in range(90)], "redaction", None),
        ([datetime(2020, 1, 1) + timedelta(minutes=7 * number) for number in range(20_000)], "dates", "hour"),
        ([date(1930, 1, 1) + timedelta(days=3 * number) for number in range(9_000)], "dates", "month"),
        ([str(number) for number in range(500)], "intervals", None),
        ([str(date(2020, 1, 1) + timedelta(days=number)) for number in range(700)], "dates", "month"),
        (["yes", "no"] * 50, "flat", None),
        (
            [f"{day}.{month}.{year}" for day in (1, 12, 30) for month in (2, 11) for year in (1960, 1987, 2001)],
            "redaction",
            None,
        ),
        ([True, False] * 50, "flat", None),
        (["a"] * 90 + ["b", "c", "d"], "rare", None),
        ([None] * 20 + ["x"], "flat", None),
        ([float("nan"), float("inf"), 1.0, 2.0, 3.0] * 20, "flat", None),
        ([1e300, -1e300, 1e-300, 5.0] * 20, "intervals", None),
    ],
)
def test_the_kind_follows_from_the_values(tmp_path: Path, values: Sequence[Any], kind: str, first: str | None) -> None:
    content, shown = suggested(column_of(tmp_path, values), "c")
    assert content["kind"] == kind
    assert groups(shown)[-1] <= 2  # NULL keeps to itself
    if first is not None:
        assert content["units"][0] == first


def test_dates_that_end_in_their_year_lose_the_day_first(tmp_path: Path) -> None:
    dates = [f"{day:02d}.{month:02d}.{year}" for day in (1, 12) for month in (2, 11) for year in (1960, 1987)]
    _, shown = suggested(column_of(tmp_path, dates), "c")
    assert [one["levels"] for one in shown["values"] if one["levels"][0] == "12.11.1987"] == [
        ["12.11.1987", "***11.1987", "******1987", "*"]
    ]
    assert groups(shown) == [8, 4, 2, 1]


def test_icd_codes_are_hidden_from_the_end(tmp_path: Path) -> None:
    codes = [f"{chapter}{number:02d}.{digit}" for chapter in "AEIJ" for number in range(30) for digit in range(5)]
    content, shown = suggested(column_of(tmp_path, codes), "c")
    assert content["kind"] == "redaction"
    assert groups(shown)[0] == 600
    assert 120 in groups(shown)
    assert 4 in groups(shown)


def test_no_label_tells_an_extreme(tmp_path: Path) -> None:
    numbers = [-987_654, *[number % 97 for number in range(5_000)], 9_876_543]
    content, shown = suggested(column_of(tmp_path, numbers), "c")
    told = json.dumps([content, [group["label"] for group in shown["groups"]]])
    assert "987" not in told
    assert "9876543" not in told


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@pytest.mark.parametrize(
    "values", [st.integers(-(2**63), 2**63 - 1), st.floats(), TEXTS, st.dates(), st.datetimes(), st.booleans()]
)
def test_whatever_the_values_a_suggestion_is_valid(
    values: st.SearchStrategy[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """By the checks that a file of the user's goes through."""

    @given(st.lists(st.one_of(st.none(), values), min_size=1, max_size=60).filter(lambda found: set(found) != {None}))
    def of(found: list[Any]) -> None:
        content, shown = suggested(column_of(tmp_path_factory.mktemp("any"), found), "c")
        assert content["kind"] in ("flat", "intervals", "dates", "redaction", "rare")
        assert groups(shown)[-1] <= 2

    of()


@given(
    st.decimals(-(10**12), 10**12, places=6, allow_nan=False, allow_infinity=False),
    st.decimals(0, 10**6, places=6, allow_nan=False, allow_infinity=False),
)
def test_the_roundest_number_lies_between_and_is_as_round_as_can_be(low: Decimal, width: Decimal) -> None:
    high = low + width
    found = roundest(low, high)
    if not width:
        assert found is None
        return
    assert found is not None
    assert low < found <= high
    for power in range(13, -10, -1):
        for digit in (5, 2, 1):
            step = Fraction(digit) * Fraction(10) ** power
            if Fraction(found) % step == 0:
                return
            # no rounder number would have done
            assert (Fraction(high) // step) * step <= Fraction(low)


@pytest.mark.parametrize(
    ("low", "high", "found"), [("27", "32", "30"), ("0.11", "0.19", "0.15"), ("-3", "8", "0"), ("1700", "1850", "1800")]
)
def test_numbers_are_round_as_people_round_them(low: str, high: str, found: str) -> None:
    assert roundest(Decimal(low), Decimal(high)) == Decimal(found)


def made(rows: int, build: Callable[[random.Random, int], dict[str, Any]]) -> list[dict[str, Any]]:
    draw = random.Random(7)
    return [build(draw, number) for number in range(rows)]


SCHEMAS: dict[str, Callable[[random.Random, int], dict[str, Any]]] = {
    "clinic": lambda draw, _: {
        "birth_date": date(1930, 1, 1) + timedelta(days=int(31_000 * draw.random() ** 0.5)),
        "postcode": f"{10_000 + int(900 * draw.random() * draw.random()) * 37:05d}",
        "sex": draw.choice("FMX"),
        "diagnosis": draw.choice(["asthma", "flu", "migraine"]),
    },
    "staff": lambda draw, _: {
        "age": 18 + int(50 * draw.random() ** 2),
        "department": ["sales", "dev", "support", "finance", "legal", "kitchen", "press"][int(7 * draw.random() ** 3)],
        "hired_at": datetime(2001, 1, 1) + timedelta(hours=int(200_000 * draw.random())),
    },
    "trips": lambda draw, _: {
        "started": datetime(2025, 1, 1) + timedelta(seconds=int(86_400 * 90 * draw.random())),
        "district": ["Mitte", "Nord", "West", "Ost", "Hafen", "Messe", "Park", "Zoo", "Ring", "See"][
            int(10 * draw.random() ** 2)
        ],
        "household_minutes": 2 + int(480 * draw.random() ** 3),
    },
}


def fallback(values: Sequence[Any]) -> dict[str, Any]:
    """Equal widths, the whole calendar, value and top: what runs had before hierarchies were suggested."""
    some = next(value for value in values if value is not None)
    if isinstance(some, date):
        whole = ["month", "quarter", "year", "decade"]
        return {"kind": "dates", "units": whole if not isinstance(some, datetime) else ["hour", "day", *whole[:3]]}
    if isinstance(some, int) and len(set(values)) > 20:
        width = (max(values) - min(values)) / 20
        step = next(
            step for power in range(9) for step in (1 * 10**power, 2 * 10**power, 5 * 10**power) if step >= max(width, 2)
        )
        return {"kind": "intervals", "widths": [step, 2 * step, 4 * step]}
    return {"kind": "flat"}


def loss_with(path: Path, hierarchies: dict[str, dict[str, Any]]) -> float:
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()}
    manifest = anonymize(path, path.with_name("out.parquet"), job={"columns": columns}, run=Run(overwrite=True))
    return float(manifest["metrics"]["loss"])


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_run_without_configuration_loses_less_than_with_the_fallback(cli: Cli, tmp_path: Path, schema: str) -> None:
    """On made-up tables of three kinds; what is read from the job file that the run writes."""
    rows = made(12_000, SCHEMAS[schema])
    path = write_parquet(tmp_path / f"{schema}.parquet", rows)
    run = cli("anonymize", path, "-o", tmp_path / "first.parquet", "--json")
    assert run.code == 0, run.err
    job = yaml.safe_load((tmp_path / "first.parquet.job.yaml").read_text())
    chosen = [name for name, plan in job["columns"].items() if plan["role"] == "quasi-identifier"]
    assert "suggested by duckanon" in json.dumps([job["columns"][name]["hierarchy"] for name in chosen])
    simple = {name: fallback([row[name] for row in rows]) for name in chosen}
    assert json.loads(run.out)["metrics"]["loss"] < loss_with(path, simple)


def test_adult_loses_less_with_suggestions_than_with_the_fallback(adult: Path, tmp_path: Path) -> None:
    """The quasi-identifiers of a run without configuration, where bundled hierarchies are taken otherwise."""
    (tmp_path / "adult.parquet").symlink_to(adult)
    table = pq.read_table(adult).to_pydict()
    names = ["age", "sex", "race", "marital-status"]
    by_suggestion = {name: suggested(adult, name)[0] for name in names}
    by_fallback = {name: fallback(table[name]) for name in names}
    assert loss_with(tmp_path / "adult.parquet", by_suggestion) < loss_with(tmp_path / "adult.parquet", by_fallback)


def test_a_quasi_identifier_without_a_hierarchy_gets_one_that_covers_it(cli: Cli, tmp_path: Path) -> None:
    people = [{"age": 20 + row % 60, "sex": "fm"[row % 2], "height": 150 + row % 50, "race": "White"} for row in range(600)]
    write_parquet(tmp_path / "in.parquet", people)
    run = cli("anonymize", "in.parquet", "--qi", "age,sex,height,race", "-o", "out.parquet")
    assert run.code == 0
    assert [line for line in run.err.splitlines() if line.startswith("no hierarchy named for ")] == [
        "no hierarchy named for age: adult/five-year/age has its name and its values",
        "no hierarchy named for sex, and adult/five-year/sex does not cover its values: one is suggested, it has 2 values, and nothing lies between",
        "no hierarchy named for height: one is suggested, 16 intervals, cut at round numbers near the quantiles",
        "no hierarchy named for race: adult/five-year/race has its name and its values",
    ]
    again = cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "again.parquet", "--json")
    assert again.code == 0
    assert json.loads(again.out)["metrics"] == json.loads((tmp_path / "out.parquet.manifest.json").read_text())["metrics"]


def test_the_name_of_a_column_colours_no_terminal(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"\x1b[31mred": row % 3} for row in range(30)])
    run = cli("anonymize", "in.parquet", "--qi", "\x1b[31mred", "-o", "out.parquet")
    assert run.code == 0
    assert "no hierarchy named for \\x1b[31mred: one is suggested" in run.err
    assert "\x1b" not in run.err


def test_hierarchies_that_are_named_need_no_look_at_the_values(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 20 + row % 60, "height": 150 + row % 50} for row in range(600)])
    (tmp_path / "height.yaml").write_text("{kind: intervals, widths: [10, 50]}", encoding="utf-8")
    given = ["--qi", "age,height", "--hierarchies", "adult/five-year", "--hierarchies", "height=height.yaml"]
    run = cli("anonymize", "in.parquet", *given, "-o", "out.parquet", "-v")
    assert run.code == 0
    assert "no hierarchy named" not in run.err
    assert sum(line.startswith("distinct_values:") for line in run.err.splitlines()) == 1


def test_the_statements_of_a_run_know_the_suggested_levels(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"height": 150 + row % 50} for row in range(600)])
    run = cli("anonymize", "in.parquet", "--qi", "height", "--levels", "height=2", "--sql")
    assert run.code == 0
    assert "no hierarchy named for height: one is suggested" in run.err
    assert "height_2" in run.out


def test_the_command_prints_a_file_that_the_others_take(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": number % 80} for number in range(900)])
    printed = cli("hierarchy", "suggest", "in.parquet", "--column", "age")
    assert printed.code == 0
    assert yaml.safe_load(printed.out)["kind"] == "intervals"
    assert "age, 80 values in 900 rows: 16 intervals, cut at round numbers near the quantiles" in printed.err
    written = cli("hierarchy", "suggest", "in.parquet", "--column", "age", "-o", "age.yaml")
    assert (written.code, written.out) == (0, "")
    assert (tmp_path / "age.yaml").read_text() == printed.out
    assert cli("hierarchy", "check", "age.yaml", "--data", "in.parquet").code == 0
    assert cli("anonymize", "in.parquet", "--qi", "age", "--hierarchies", "age=age.yaml").code == 0
    again = cli("hierarchy", "suggest", "in.parquet", "--column", "age", "-o", "age.yaml")
    assert again.code == 3
    assert "give --overwrite" in again.err
    document = json.loads(cli("hierarchy", "suggest", "in.parquet", "--column", "age", "--json").out)
    assert document["hierarchy"] == yaml.safe_load(printed.out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["in.parquet"], "which column? say it with --column; columns: age"),
        (["in.parquet", "--column", "aeg"], "did you mean 'age'"),
        (["in.parquet", "--column", "age", "-o", "age.csv"], "does not end in .yaml"),
        (["nowhere.parquet", "--column", "age"], "nowhere.parquet"),
    ],
)
def test_what_cannot_be_suggested_is_told_in_one_line(cli: Cli, tmp_path: Path, arguments: Sequence[str], said: str) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 1}])
    run = cli("hierarchy", "suggest", *arguments)
    assert run.code in (2, 3)
    assert said in run.err
    assert len(run.err.splitlines()) == 1

"""Suggested hierarchies: always valid, cut at round numbers near the quantiles, and marked as suggested."""

import json
import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.hierarchy.suggest import roundest
from tests.support.suggested import fallback, loss_with, suggested

COLUMNS = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship"),
    *("race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income"),
)


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


@pytest.mark.slow
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
    assert [value["levels"] for value in shown["values"] if value["levels"][0] == "12.11.1987"] == [
        ["12.11.1987", "11.1987", "1987", "*"]
    ]
    assert groups(shown) == [8, 4, 2, 1]


def test_icd_codes_are_hidden_from_the_end(tmp_path: Path) -> None:
    codes = [f"{chapter}{number:02d}.{digit}" for chapter in "AEIJ" for number in range(30) for digit in range(5)]
    content, shown = suggested(column_of(tmp_path, codes), "c")
    assert content["kind"] == "redaction"
    assert groups(shown)[0] == 600
    assert 120 in groups(shown)
    assert 4 in groups(shown)


def test_codes_that_begin_with_a_digit_show_a_fifth_of_their_length(tmp_path: Path) -> None:
    """State and county, of which the first digit alone is no region."""
    codes = [f"{state:02d}-{county:05d}" for state in (1, 2, 6, 10, 40) for county in range(100, 99_000, 3_000)]
    _, shown = suggested(column_of(tmp_path, codes), "c")
    assert [value["levels"][-2:] for value in shown["values"] if value["levels"][0] == "06-00100"] == [["06-*****", "*"]]


def test_long_numbers_in_text_are_no_prefixes(tmp_path: Path) -> None:
    content, _ = suggested(column_of(tmp_path, [f"{number:09d}" for number in range(0, 90_000, 7)]), "c")
    assert content["kind"] == "flat"


def test_no_label_tells_an_extreme(tmp_path: Path) -> None:
    numbers = [-987_654, *[number % 97 for number in range(5_000)], 9_876_543]
    content, shown = suggested(column_of(tmp_path, numbers), "c")
    text = json.dumps([content, [group["label"] for group in shown["groups"]]])
    assert "987" not in text
    assert "9876543" not in text


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@pytest.mark.parametrize(
    "values", [st.integers(-(2**63), 2**63 - 1), st.floats(), TEXTS, st.dates(), st.datetimes(), st.booleans()]
)
def test_whatever_the_values_a_suggestion_is_valid(
    values: st.SearchStrategy[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """By the checks that a file of the user's goes through."""

    @given(st.lists(st.one_of(st.none(), values), min_size=1, max_size=60).filter(lambda column: set(column) != {None}))
    def of(column: list[Any]) -> None:
        content, shown = suggested(column_of(tmp_path_factory.mktemp("any"), column), "c")
        assert content["kind"] in ("flat", "intervals", "dates", "redaction", "rare")
        assert groups(shown)[-1] <= 2

    of()


@given(
    st.decimals(-(10**12), 10**12, places=6, allow_nan=False, allow_infinity=False),
    st.decimals(0, 10**6, places=6, allow_nan=False, allow_infinity=False),
)
def test_the_roundest_number_lies_between_and_is_as_round_as_can_be(low: Decimal, width: Decimal) -> None:
    high = low + width
    actual = roundest(low, high)
    if not width:
        assert actual is None
        return
    assert actual is not None
    assert low < actual <= high
    for power in range(13, -10, -1):
        for digit in (5, 2, 1):
            step = Fraction(digit) * Fraction(10) ** power
            if Fraction(actual) % step == 0:
                return
            # no rounder number would have done
            assert (Fraction(high) // step) * step <= Fraction(low)


@pytest.mark.parametrize(
    ("low", "high", "expected"), [("27", "32", "30"), ("0.11", "0.19", "0.15"), ("-3", "8", "0"), ("1700", "1850", "1800")]
)
def test_numbers_are_round_as_people_round_them(low: str, high: str, expected: str) -> None:
    assert roundest(Decimal(low), Decimal(high)) == Decimal(expected)


def test_adult_loses_less_with_suggestions_than_with_the_fallback(adult: Path, tmp_path: Path) -> None:
    """The quasi-identifiers of a run without configuration, where bundled hierarchies are taken otherwise."""
    (tmp_path / "adult.parquet").symlink_to(adult)
    table = pq.read_table(adult).to_pydict()
    names = ["age", "sex", "race", "marital-status"]
    by_suggestion = {name: suggested(adult, name)[0] for name in names}
    by_fallback = {name: fallback(table[name]) for name in names}
    assert loss_with(tmp_path / "adult.parquet", by_suggestion) < loss_with(tmp_path / "adult.parquet", by_fallback)

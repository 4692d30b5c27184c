"""What a report shows beside the manifest, against plain Python over the input and the written file."""

from collections import Counter, defaultdict
from math import inf, log2, nan
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.job.prepare import Run
from duckanon.observers import Silent
from duckanon.workflows.replay import reopen
from duckanon.workflows.report import accounted
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize

TOWNS = [("a1", "A", "*"), ("a2", "A", "*"), ("b1", "B", "*"), ("b2", "B", "*"), ("c1", "C", "*")]
WAYS = {
    "dropped": {},
    "masked": {"suppression": {"limit": "40%", "style": "star"}},
    "local": {"recoding": {"algorithm": "local"}},
    "mondrian": {"recoding": {"algorithm": "mondrian"}},
}

Row = dict[str, Any]


def rows_of(seed: int) -> list[Row]:
    draw = Random(seed)
    return [
        {
            "id": number,
            "age": draw.randrange(20, 40),
            "town": draw.choice(TOWNS)[0],
            "illness": draw.choice(["flu", "flu", "flu", "gout", None]),
            "cost": draw.randrange(1_000),
        }
        for number in range(120)
    ]


@pytest.fixture(params=WAYS)
def reported(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[list[Row], list[Row], dict[str, Any]]:
    """The rows of the input and of the release, and the account of the run."""
    rows = rows_of(7)
    source = write_parquet(tmp_path / "rows.parquet", rows)
    write_table(tmp_path / "town.csv", TOWNS)
    job = {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
            "town": {"role": "quasi-identifier", "hierarchy": str(tmp_path / "town.csv")},
            "illness": {"role": "sensitive"},
            "cost": {"role": "sensitive"},
            "id": {"role": "insensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "suppression": {"limit": "40%"},
        **WAYS[request.param],
    }
    anonymize(source, tmp_path / "out.parquet", job=job)
    account = accounted(reopen(tmp_path / "out.parquet.manifest.json", None, Run()), Run(), Silent())
    return rows, read_rows(tmp_path / "out.parquet"), account


def largest_share(rows: list[Row], name: str) -> float:
    """The largest share that one value has of a class."""
    classes: dict[tuple[Any, Any], Counter[Any]] = defaultdict(Counter)
    for row in rows:
        classes[row["age"], row["town"]][row[name]] += 1
    return max(max(values.values()) / values.total() for values in classes.values())


def total_variation(classes: list[list[Any]]) -> list[tuple[float, int]]:
    """The distance of each class from all records, with the records of the class."""
    everything = Counter(value for members in classes for value in members)
    distances = []
    for members in classes:
        own = Counter(members)
        differences = (own[value] / len(members) - everything[value] / everything.total() for value in everything)
        distances.append((sum(map(abs, differences)) / 2, len(members)))
    return distances


def binned(rows: list[Row], name: str) -> list[Any]:
    values = [row[name] for row in rows]
    if name != "cost":
        return values
    least, greatest = min(values), max(values)
    return [min(int((value - least) / ((greatest - least) / 10)), 9) for value in values]


def test_the_worst_class_is_the_one_that_differs_most(reported: tuple[list[Row], list[Row], dict[str, Any]]) -> None:
    before, after, account = reported
    assert [column["column"] for column in account["sensitive_columns"]] == ["illness", "cost"]
    for column in account["sensitive_columns"]:
        classes: dict[tuple[Any, Any], list[Any]] = defaultdict(list)
        for row, value in zip(after, values := binned(after, column["column"]), strict=True):
            classes[row["age"], row["town"]].append(value)
        distance, records = max(total_variation(list(classes.values())))
        assert (column["distance"], column["records"]) == (pytest.approx(distance), records)
        shares = Counter(values)
        assert sorted(value["share"] for value in column["values"]) == pytest.approx(
            sorted(count / len(after) for count in shares.values())
        )
        assert sum(value["worst"] for value in column["values"]) == pytest.approx(1)
    [illness, _] = account["sensitive_columns"]
    assert illness["largest_share"]["after"] == pytest.approx(largest_share(after, "illness"))
    assert illness["largest_share"]["before"] == pytest.approx(largest_share(before, "illness"))


def test_examples_are_records_before_and_after(reported: tuple[list[Row], list[Row], dict[str, Any]]) -> None:
    before, after, account = reported
    examples = account["examples"]
    assert len(examples["rows"]) == 10
    by_id = {side: {str(row["id"]): row for row in rows} for side, rows in (("before", before), ("after", after))}
    place = examples["columns"].index("id")
    for example in examples["rows"]:
        for side, rows in by_id.items():
            row = rows[example[side][place]]
            assert example[side] == [None if row[name] is None else str(row[name]) for name in examples["columns"]]


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
def test_examples_show_eight_of_many_quasi_identifiers(tmp_path: Path, algorithm: str) -> None:
    names = [f"q{number}" for number in range(1, 13)]
    rows = [dict.fromkeys(names, row % 2) for row in range(40)]
    columns = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in names}
    job = {"columns": columns, "recoding": {"algorithm": algorithm}}
    anonymize(write_parquet(tmp_path / "rows.parquet", rows), tmp_path / "out.parquet", job=job)
    account = accounted(reopen(tmp_path / "out.parquet.manifest.json", None, Run()), Run(), Silent())
    assert account["examples"]["columns"] == names[:8]
    assert {tuple(example["after"]) for example in account["examples"]["rows"]} == {("0",) * 8, ("1",) * 8}


def test_unique_records_are_counted_over_all_released_columns(reported: tuple[list[Row], list[Row], dict[str, Any]]) -> None:
    before, after, account = reported
    for side, rows in (("before", before), ("after", after)):
        counts = Counter(tuple(row[name] for name in after[0]) for row in rows)
        assert account["unique_records"][side] == sum(count == 1 for count in counts.values())


@pytest.mark.parametrize(
    ("age", "more"),
    [({}, {}), ({}, {"entity": "person"}), ({"min-level": 1}, {}), ({}, {"missing": {"tokens": ["?"], "policy": "top"}})],
)
def test_records_are_unique_by_their_values_if_only_quasi_identifiers_are_released(
    tmp_path: Path, age: dict[str, Any], more: dict[str, Any]
) -> None:
    draw = Random(11)
    rows = [
        {"person": draw.randrange(50), "age": draw.choice([*range(30), None]), "town": draw.choice([*"abc", "?", None])}
        for _ in range(90)
    ]
    columns = {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}, **age},
        "town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    }
    privacy = [{"model": "k-anonymity", "k": 3}]
    account = account_of(tmp_path, rows, columns=columns, others="drop", suppression={"limit": "40%"}, privacy=privacy, **more)
    counts = Counter((row["age"], row["town"]) for row in rows)
    assert account["unique_records"]["before"] == sum(count == 1 for count in counts.values()) > 0


def test_branches_lead_from_the_top_to_below_the_released_level(reported: tuple[list[Row], list[Row], dict[str, Any]]) -> None:
    *_, account = reported
    for hierarchy in account["hierarchies"]:
        height = hierarchy["levels"][-1]["level"]
        bottom = max(0, (height if hierarchy["released"] is None else hierarchy["released"]) - 1)
        assert all(branch[0] == "*" and len(branch) == height - bottom + 1 for branch in hierarchy["branches"])
        assert len(set(map(tuple, hierarchy["branches"]))) == len(hierarchy["branches"]) <= 27
        for place in range(1, height - bottom + 1):
            paths = {branch[place]: tuple(branch[:place]) for branch in hierarchy["branches"]}
            assert all(paths[branch[place]] == tuple(branch[:place]) for branch in hierarchy["branches"])


def account_of(tmp_path: Path, rows: list[Row], **job: Any) -> dict[str, Any]:
    """The account of a release that suppresses nothing."""
    anonymize(write_parquet(tmp_path / "rows.parquet", rows), tmp_path / "out.parquet", job=job)
    return accounted(reopen(tmp_path / "out.parquet.manifest.json", None, Run()), Run(), Silent())


def quasi_identifier(name: str) -> dict[str, Any]:
    return {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}


def test_values_that_are_no_numbers_have_no_interval(tmp_path: Path) -> None:
    """100 rows: 79 missing, of which NaN is one, one infinite, and 20 numbers in ten intervals."""
    incomes: list[float | None] = [None] * 78 + [inf, nan] + [100_000 + 6_600 * number for number in range(20)]
    rows = [{"g": "a", "income": income} for income in incomes]
    columns = quasi_identifier("g") | {"income": {"role": "sensitive"}}
    [income] = account_of(tmp_path, rows, columns=columns)["sensitive_columns"]
    shares = {value["value"]: value["share"] for value in income["values"]}
    assert shares == pytest.approx(dict.fromkeys(list(shares)[:10], 0.02) | {"inf": 0.01, "missing": 0.79})
    assert list(shares)[:2] == ["100,000 to 112,500", "112,500 to 125,100"]
    assert (income["largest_share"]["after"], income["largest_is_missing"]) == (0.79, {"before": True, "after": True})


def test_the_most_frequent_value_is_missing_only_if_no_other_value_is_as_frequent(tmp_path: Path) -> None:
    rows = [{"g": "a", "s": None}] * 5 + [{"g": "b", "s": "x"}] * 5
    columns = quasi_identifier("g") | {"s": {"role": "sensitive"}}
    [column] = account_of(tmp_path, rows, columns=columns)["sensitive_columns"]
    assert (column["largest_share"]["after"], column["largest_is_missing"]["after"]) == (1, False)


def test_missing_values_share_no_bar_with_neighbouring_numbers(tmp_path: Path) -> None:
    rows = [{"n": number} for number in (*range(100), None, inf) for _ in range(2)]
    [column] = account_of(tmp_path, rows, columns=quasi_identifier("n"), privacy=[{"model": "k-anonymity", "k": 2}])["utility"][
        "distributions"
    ]
    assert [bar["label"] for bar in column["bars"]][-3:] == ["99.0", "inf", "NULL"]
    assert sum(bar["before"] for bar in column["bars"]) == 204


def test_utility_is_measured_for_many_columns_with_many_values(tmp_path: Path) -> None:
    """The one suppressed row may have been any of 1,000 ** 14, which exceeds a DECIMAL of 38 digits; the others are exact."""
    names = [f"q{number}" for number in range(14)]
    rows = [dict.fromkeys(names, row % 999) for row in range(5 * 999)] + [dict.fromkeys(names, 999)]
    columns = {name: part for name in names for part in quasi_identifier(name).values()}
    recoding = {"levels": dict.fromkeys(names, 0)}
    metrics = account_of(tmp_path, rows, columns=columns, recoding=recoding, suppression={"limit": 1})["utility"]["metrics"]
    values = {metric["name"]: metric["value"] for metric in metrics}
    assert values["kl_divergence"] == pytest.approx(14 * log2(1_000) / len(rows))
    assert values["ambiguity"] == pytest.approx(1_000.0**14)

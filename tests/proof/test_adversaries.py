"""Several adversaries against brute force: suppressed records, the best node, and what the written file shows to each adversary."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.search import count
from tests.support.oracles import full_domain as oracle
from tests.support.oracles import models
from tests.support.rows import read_rows
from tests.support.small_tables import OBJECTIVES, solve, tables

SOME = max(min(12, settings().max_examples), settings().max_examples // 4)
"""Tables for each of the eight objectives, 400 together before a release; each table is a whole run."""


@pytest.fixture(autouse=True)
def every_table_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables have columns that determine others, which adversaries then know; here only the search matters."""
    monkeypatch.setattr(count, "dependencies", lambda *_, **__: [])


@st.composite
def attacked_tables(draw: st.DrawFn, most: int = 3) -> oracle.Table:
    """A table and one to three adversaries, who together know every column."""
    table = draw(tables())
    places = range(len(table.hierarchies))
    sets = [known for size in range(1, len(places) + 1) for known in combinations(places, size)]
    adversaries = [
        (known, draw(st.integers(1, 6)))
        for known in draw(st.lists(st.sampled_from(sets), min_size=1, max_size=most, unique=True))
    ]
    if unknown := set(places) - {place for known, _ in adversaries for place in known}:
        left = tuple(sorted(unknown))
        adversaries = [*(each for each in adversaries if each[0] != left), (left, draw(st.integers(1, 6)))]
    return replace(table, adversaries=adversaries)


def _compare(
    folder: Path, table: oracle.Table, limit: int, name: str = "loss mean", *, stars: bool = False, **options: Any
) -> None:
    weights = [Fraction(1)] * len(table.hierarchies)
    expected = oracle.best(table, table.nodes(), 1, limit, name, weights, stars=stars)
    objective, _, aggregate = name.partition(" ")
    style = {"suppress": "star"} if stars else {}
    output = folder / "out.parquet"
    manifest = solve(
        folder, table, {}, output, max_suppression=limit, objective=objective, aggregate=aggregate or "mean", **style, **options
    )
    assert (manifest and tuple(manifest["recoding"]["levels"].values())) == expected
    if manifest is None or expected is None:
        return
    judged = oracle.judge(table, expected, 1, weights, stars=stars)
    assert manifest["rows"]["suppressed"] == judged.suppressed
    assert manifest["recoding"]["objective"]["value"] == pytest.approx(float(judged.objectives[name]), rel=1e-9, abs=1e-9)
    if not (table.persons or table.asks):
        _check_file(output, table, manifest)


def _check_file(output: Path, table: oracle.Table, manifest: dict[str, Any]) -> None:
    """Count the written file for each adversary without our code."""
    rows = read_rows(output)
    for number, (known, k) in enumerate(table.adversaries):
        sizes = Counter(tuple(row[f"c{place}"] for place in known) for row in rows)
        assert min(sizes.values()) >= k
        name = f"adversary {number}"
        [check] = [c for c in manifest["privacy"] if c["adversary"] == name and c["model"] == "k-anonymity"]
        assert (check["required"], check["achieved"]) == (k, min(sizes.values()))
        after = manifest["risk"]["adversaries"][name]["after"]
        assert (after["classes"], after["prosecutor"]["highest"]) == (len(sizes), pytest.approx(1 / min(sizes.values())))
        before = Counter(tuple(row[place] for place in known) for row in table.rows)
        assert manifest["risk"]["adversaries"][name]["before"]["uniques"] == sum(count == 1 for count in before.values())


@pytest.mark.parametrize(("objective", "aggregate"), OBJECTIVES)
@settings(max_examples=SOME)
@given(table=attacked_tables(), limit=st.one_of(st.just(0), st.integers(0, 40)))
def test_the_optimum_equals_brute_force(
    tmp_path: Path, objective: str, aggregate: str, table: oracle.Table, limit: int
) -> None:
    _compare(tmp_path, table, limit, f"loss {aggregate}" if objective == "loss" else objective)


@given(table=attacked_tables(), limit=st.integers(0, 40))
def test_masked_records_equal_brute_force(tmp_path: Path, table: oracle.Table, limit: int) -> None:
    _compare(tmp_path, table, limit, stars=True)


@given(table=attacked_tables(), limit=st.integers(0, 40), data=st.data())
def test_the_k_of_each_record_equals_brute_force(tmp_path: Path, table: oracle.Table, limit: int, data: st.DataObject) -> None:
    asks = data.draw(st.lists(st.integers(1, 5), min_size=len(table.rows), max_size=len(table.rows)))
    _compare(tmp_path, replace(table, asks=asks), limit, k_column="want")


@given(table=attacked_tables(), limit=st.integers(0, 40), data=st.data())
def test_persons_equal_brute_force(tmp_path: Path, table: oracle.Table, limit: int, data: st.DataObject) -> None:
    persons = data.draw(st.lists(st.integers(0, 9), min_size=len(table.rows), max_size=len(table.rows)))
    _compare(tmp_path, replace(table, persons=persons), limit)


@pytest.mark.parametrize(
    ("model", "figures"),
    [
        ("distinct-l", ["2", "3"]),
        ("entropy-l", ["1.5", "2"]),
        ("recursive-cl", ["2,2", "3,2"]),
        ("alpha-k", ["0.5,1", "0.75,2"]),
        ("t", ["0.1", "0.3"]),
        ("t-ordered", ["0.1", "0.4"]),
        ("beta", ["0.5", "1"]),
        ("enhanced-beta", ["0.5", "1"]),
        ("delta", ["1", "3"]),
        ("delta-present", ["0.5", "1"]),
    ],
)
@given(table=attacked_tables(), limit=st.integers(0, 40), data=st.data())
def test_models_of_a_sensitive_column_equal_brute_force(
    tmp_path: Path, model: str, figures: list[str], table: oracle.Table, limit: int, data: st.DataObject
) -> None:
    figure = data.draw(st.sampled_from(figures))
    pool = data.draw(st.sampled_from([[*"aaabbc"], [*"aaabbc", None, None]]))
    values = data.draw(st.lists(st.sampled_from(pool), min_size=len(table.rows), max_size=len(table.rows)))
    whole = models.Whole(Counter(values))
    table = replace(
        table,
        sensitive=values,
        holds=lambda counts: models.holds(model, [*map(Decimal, figure.split(","))], models.Group(counts), whole),
    )
    _compare(tmp_path, table, limit, require=(f"{model}={figure}",))


@pytest.mark.parametrize("algorithm", ["local", "mondrian", "auto"])
@given(table=attacked_tables(), limit=st.integers(0, 10))
def test_regions_satisfy_every_adversary_in_the_file(tmp_path: Path, algorithm: str, table: oracle.Table, limit: int) -> None:
    output = tmp_path / "out.parquet"
    manifest = solve(tmp_path, table, {}, output, max_suppression=limit, algorithm=algorithm)
    if manifest is not None:
        _check_file(output, table, manifest)


@pytest.mark.parametrize(
    "adversaries", [[((0,), 3), ((0, 1), 1), ((0, 2), 1)], [((1,), 3), ((0, 1), 3), ((1, 2), 1)], [((1,), 3), ((0, 2), 1)]]
)
def test_local_recoding_ends_where_a_class_needs_the_rows_of_other_classes(
    tmp_path: Path, adversaries: list[tuple[tuple[int, ...], int]]
) -> None:
    rows = [("a", "x", "m"), ("a", "x", "n"), ("a", "y", "m"), ("b", "x", "m"), ("c", "x", "o")]
    groups = [{"a": "ac", "b": "b-", "c": "ac"}, {"x": "xy", "y": "xy", "z": "z-"}, {"m": "mn", "n": "mn", "o": "o-"}]
    hierarchies = [{value: [value, group, "*"] for value, group in column.items()} for column in groups]
    table = oracle.Table(rows, hierarchies, adversaries=adversaries)
    manifest = solve(tmp_path, table, {}, output := tmp_path / "out.parquet", max_suppression=2, algorithm="local")
    assert manifest is not None
    _check_file(output, table, manifest)


@pytest.mark.parametrize("stars", [False, True])
@given(table=tables(), size=st.integers(1, 3), k=st.integers(1, 6), limit=st.integers(0, 40))
def test_any_few_columns_equal_brute_force(
    tmp_path: Path, stars: bool, table: oracle.Table, size: int, k: int, limit: int
) -> None:
    places = range(len(table.hierarchies))
    size = min(size, len(places))
    sets = list(combinations(places, size))
    attacked = replace(table, adversaries=[(known, k) for known in sets])
    weights = [Fraction(1)] * len(places)
    expected = oracle.best(attacked, table.nodes(), 1, limit, "loss mean", weights, stars=stars)
    style = {"suppress": "star"} if stars else {}
    output = tmp_path / "out.parquet"
    manifest = solve(tmp_path, table, {}, output, any=size, k=k, max_suppression=limit, **style)
    assert (manifest and tuple(manifest["recoding"]["levels"].values())) == expected
    if manifest is None or expected is None:
        return
    assert manifest["rows"]["suppressed"] == oracle.judge(attacked, expected, 1, weights, stars=stars).suppressed
    rows = read_rows(output)
    counts = {known: Counter(tuple(row[f"c{place}"] for place in known) for row in rows) for known in sets}
    smallest = min(min(sizes.values()) for sizes in counts.values())
    [check] = manifest["privacy"]
    assert smallest >= k
    assert (check["adversary"], check["achieved"]) == (f"any {size} columns", smallest)
    few = manifest["risk"]["any_columns"]
    before = {known: Counter(tuple(row[place] for place in known) for row in table.rows) for known in sets}
    single = [
        row for row in table.rows if any(sizes[tuple(row[place] for place in known)] == 1 for known, sizes in before.items())
    ]
    assert (few["sets"], few["before"]["uniques"]) == (len(sets), len(single))
    assert few["after"]["highest"] == pytest.approx(1 / smallest)

"""`optimal` and `samarati` against brute force on small lattices."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import duckanon
from tests.support.oracles import full_domain as oracle
from tests.support.oracles import models
from tests.support.rows import write_parquet, write_table
from tests.support.small_tables import OBJECTIVES, solve, tables


@pytest.mark.parametrize(("objective", "aggregate"), OBJECTIVES)
@given(table=tables(), k=st.integers(1, 8), limit=st.one_of(st.just(0), st.integers(0, 40)), data=st.data())
def test_optimal_equals_brute_force(
    tmp_path: Path, objective: str, aggregate: str, table: oracle.Table, k: int, limit: int, data: st.DataObject
) -> None:
    weights = [data.draw(st.sampled_from([1, 2, 3])) for _ in table.hierarchies]
    bounds = []
    for height in table.heights:
        low = data.draw(st.integers(0, height))
        bounds.append((low, data.draw(st.integers(low, height))))
    columns = {
        f"c{number}": {"weight": weight, "min-level": low, "max-level": high}
        for number, (weight, (low, high)) in enumerate(zip(weights, bounds, strict=True))
    }
    nodes = [
        node for node in table.nodes() if all(low <= level <= high for level, (low, high) in zip(node, bounds, strict=True))
    ]
    name = f"loss {aggregate}" if objective == "loss" else objective
    expected = oracle.best(table, nodes, k, limit, name, [Fraction(weight) for weight in weights])
    manifest = solve(tmp_path, table, columns, k=k, max_suppression=limit, objective=objective, aggregate=aggregate)
    if expected is None:
        assert manifest is None
        return
    assert manifest is not None
    assert tuple(manifest["recoding"]["levels"].values()) == expected
    judged = oracle.judge(table, expected, k, [Fraction(weight) for weight in weights])
    assert manifest["rows"]["suppressed"] == judged.suppressed
    assert manifest["recoding"]["objective"]["value"] == pytest.approx(float(judged.objectives[name]), rel=1e-9, abs=1e-9)
    ties = {
        node
        for node in nodes
        if (other := oracle.judge(table, node, k, [Fraction(weight) for weight in weights])).suppressed <= limit
        and other.suppressed < len(table.rows)
        and oracle.rank(other, name, node)[0] == oracle.rank(judged, name, node)[0]
    }
    assert {tuple(tie.values()) for tie in manifest["recoding"]["ties"]} == ties - {expected}


@pytest.mark.parametrize(
    ("model", "figures"),
    [
        ("distinct-l", ["2", "3"]),
        ("entropy-l", ["1.5", "2"]),
        ("t", ["0.1", "0.3", "0.5"]),
        ("beta", ["0.5", "1", "2"]),
        ("delta-present", ["0.5", "1"]),
    ],
)
@given(table=tables(), k=st.integers(1, 4), limit=st.one_of(st.just(0), st.integers(0, 40)), data=st.data())
def test_optimal_equals_brute_force_with_a_sensitive_column(
    tmp_path: Path, model: str, figures: list[str], table: oracle.Table, k: int, limit: int, data: st.DataObject
) -> None:
    """What fails rules out what lies below it, and several nodes are judged by one statement."""
    figure = data.draw(st.sampled_from(figures))
    pool = data.draw(st.sampled_from([[*"aaabbc"], [*"aaabbc", None, None]]))
    values = data.draw(st.lists(st.sampled_from(pool), min_size=len(table.rows), max_size=len(table.rows)))
    whole = models.Whole(Counter(values))
    table = replace(
        table, sensitive=values, holds=lambda counts: models.holds(model, [Decimal(figure)], models.Group(counts), whole)
    )
    weights = [Fraction(1)] * len(table.hierarchies)
    expected = oracle.best(table, table.nodes(), k, limit, "loss mean", weights)
    manifest = solve(tmp_path, table, {}, k=k, max_suppression=limit, require=(f"{model}={figure}",))
    assert (manifest and tuple(manifest["recoding"]["levels"].values())) == expected
    if manifest is not None and expected is not None:
        assert manifest["rows"]["suppressed"] == oracle.judge(table, expected, k, weights).suppressed


@given(table=tables(), k=st.integers(1, 8), limit=st.integers(0, 40))
def test_samarati_takes_the_first_node_on_the_lowest_satisfying_height(
    tmp_path: Path, table: oracle.Table, k: int, limit: int
) -> None:
    satisfying = []
    for node in table.nodes():
        judged = oracle.judge(table, node, k, [Fraction(1)] * len(node))
        if judged.suppressed <= limit and judged.suppressed < len(table.rows):
            satisfying.append((sum(node), node))
    manifest = solve(tmp_path, table, {}, k=k, max_suppression=limit, algorithm="samarati")
    if not satisfying:
        assert manifest is None
        return
    assert manifest is not None
    assert tuple(manifest["recoding"]["levels"].values()) == min(satisfying)[1]


@given(table=tables(), k=st.integers(1, 6), data=st.data())
def test_metrics_of_a_node_equal_their_definitions(tmp_path: Path, table: oracle.Table, k: int, data: st.DataObject) -> None:
    node = data.draw(st.sampled_from(table.nodes()))
    levels = {f"c{number}": level for number, level in enumerate(node)}
    manifest = solve(tmp_path, table, {}, k=k, max_suppression="100%", levels=levels)
    weights = [Fraction(1)] * len(node)
    judged = oracle.judge(table, node, k, weights)
    if judged.suppressed == len(table.rows):
        assert manifest is None
        return
    assert manifest is not None
    metrics = manifest["metrics"]
    assert metrics["loss"] == pytest.approx(float(judged.objectives["loss mean"]), abs=1e-9)
    assert metrics["loss_sum"] == pytest.approx(float(judged.objectives["loss mean"] * len(node)), abs=1e-9)
    assert metrics["precision"] == pytest.approx(1 - float(judged.objectives["precision"]), abs=1e-9)
    assert metrics["discernibility"] == judged.objectives["discernibility"]
    assert metrics["entropy"] == pytest.approx(judged.objectives["entropy"], rel=1e-9, abs=1e-9)
    assert metrics["average_class_size"] == pytest.approx((len(table.rows) - judged.suppressed) / judged.released_classes)


def test_labels_of_the_same_rows_withhold_no_bits(tmp_path: Path) -> None:
    """Each value has a label of its own on level 1: both nodes withhold nothing, and the lower one is the answer."""
    rows = [{"area": area} for area, count in (("a", 6), ("b", 5), ("c", 3)) for _ in range(count)]
    table = write_table(tmp_path / "area.csv", [("a", "z", "*"), ("b", "x", "*"), ("c", "y", "*")])
    made = duckanon.anonymize(
        write_parquet(tmp_path / "in.parquet", rows),
        tmp_path / "out.parquet",
        qi=["area"],
        hierarchies={"area": table},
        k=1,
    )
    assert made.manifest["recoding"]["levels"] == {"area": 0}
    assert made.manifest["metrics"]["entropy"] == 0

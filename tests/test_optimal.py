"""`optimal` and `samarati` against brute force on small lattices."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.errors import Infeasible
from duckanon.options import Options
from duckanon.pipeline import anonymize
from duckanon.preparation import Run
from tests import oracle
from tests.conftest import write_parquet, write_table

OBJECTIVES = [
    ("loss", "mean"),
    ("loss", "max"),
    ("loss", "geometric-mean"),
    ("precision", "mean"),
    ("discernibility", "mean"),
    ("class-size", "mean"),
    ("entropy", "mean"),
    ("height", "mean"),
]


@st.composite
def hierarchies(draw: st.DrawFn, column: int) -> oracle.Hierarchy:
    """A nested hierarchy of 1 to 6 values and height 1 to 3, every label merging some of the level below."""
    size = draw(st.integers(1, 6))
    groups = [f"{column}v{value}" for value in range(size)]
    lines = {group: [group] for group in groups}
    for level in range(1, draw(st.integers(1, 3))):
        parents = {
            label: f"{column}l{level}g{draw(st.integers(0, 2))}" for label in sorted({line[-1] for line in lines.values()})
        }
        lines = {value: [*line, parents[line[-1]]] for value, line in lines.items()}
    return {value: [*line, "*"] for value, line in lines.items()}


@st.composite
def tables(draw: st.DrawFn) -> oracle.Table:
    """One to three columns, 1 to 40 rows."""
    found = [draw(hierarchies(column)) for column in range(draw(st.integers(1, 3)))]
    row = st.tuples(*(st.sampled_from(sorted(hierarchy)) for hierarchy in found))
    return oracle.Table(draw(st.lists(row, min_size=1, max_size=40)), found)


def solve(folder: Path, table: oracle.Table, columns: dict[str, Any], **recoding: Any) -> dict[str, Any] | None:
    """The manifest of a dry run, or None where it is infeasible."""
    names = [f"c{number}" for number in range(len(table.hierarchies))]
    write_parquet(folder / "in.parquet", [dict(zip(names, row, strict=True)) for row in table.rows])
    for name, hierarchy in zip(names, table.hierarchies, strict=True):
        write_table(folder / f"{name}.csv", list(hierarchy.values()))
    job = {
        "columns": {
            name: {"role": "quasi-identifier", "hierarchy": str(folder / f"{name}.csv"), **columns.get(name, {})}
            for name in names
        }
    }
    try:
        return anonymize(folder / "in.parquet", job=job, options=Options(**recoding), run=Run(dry_run=True))
    except Infeasible:
        return None


@pytest.mark.parametrize(("objective", "aggregate"), OBJECTIVES)
@given(table=tables(), k=st.integers(1, 8), limit=st.integers(0, 40), data=st.data())
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

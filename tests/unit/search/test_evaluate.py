"""What the evaluator says of every node of a small lattice: counted in plain Python, one node after the other and all together."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.hierarchy.attributes import lattice_of
from duckanon.job import prepare
from duckanon.job.options import Options, Run
from duckanon.lattice import Node
from duckanon.metrics.objective import objective
from duckanon.observers import Silent
from duckanon.search import count
from duckanon.search.evaluate import Evaluator
from tests.support.rows import write_parquet

TREES: dict[str, dict[str, tuple[str, ...]]] = {
    "age": {"20": ("20", "young", "*"), "21": ("21", "young", "*"), "60": ("60", "old", "*"), "61": ("61", "old", "*")},
    "sex": {"f": ("f", "*"), "m": ("m", "*")},
}
CELLS = ["20f", "20f", "20f", "21m", "21m", "21f", "60m", "60m", "60m", "60m", "61f", "61m"]
ROWS: list[dict[str, Any]] = [
    {"age": cell[:2], "sex": cell[2], "illness": "xyz"[number % 3] if number < 6 else "x", "person": number // 2}
    for number, cell in enumerate(CELLS)
]
"""Twelve visits of six persons; the old all have the same illness."""
REQUIRED: dict[str, dict[str, Any]] = {
    "k = 2": {"k": 2, "entity": "none"},
    "k = 4": {"k": 4, "entity": "none"},
    "k = 3 and two illnesses": {"k": 3, "entity": "none", "sensitive": ["illness"], "require": ["distinct-l=2"]},
    "k = 2 persons": {"k": 2, "entity": "person"},
}


@contextmanager
def evaluator(folder: Path, required: str, limit: int) -> Iterator[Evaluator]:
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": [*map(list, tree.values())]}}
        for name, tree in TREES.items()
    }
    source = write_parquet(folder / "in.parquet", ROWS)
    prepared = prepare.prepare(source, {"columns": columns}, Options(**REQUIRED[required]), Run())
    with DuckDBEngine() as engine:
        counted = count.count(engine, prepared, Silent())
        requirement = counted.plan.requirement
        loss = objective("loss", "mean", counted.marginals, counted.rows, requirement.least_rows)
        yield Evaluator(engine, counted.attributes, requirement, loss, counted.rows, limit, marginals=counted.marginals)


def classes(node: Node) -> list[list[dict[str, Any]]]:
    grouped: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in ROWS:
        grouped[tuple(TREES[name][row[name]][level] for name, level in zip(TREES, node, strict=True))].append(row)
    return list(grouped.values())


def passes(members: list[dict[str, Any]], required: str) -> bool:
    options = REQUIRED[required]
    of = "person" if options["entity"] == "person" else None
    enough = len({row[of] for row in members} if of else members) >= options["k"]
    return enough and ("require" not in options or len({row["illness"] for row in members}) >= 2)


def loss(node: Node, required: str) -> Fraction:
    """The mean share of the leaves that a cell's label hides; a suppressed row hides all."""
    total = Fraction(0)
    for members in classes(node):
        for name, level in zip(TREES, node, strict=True):
            under = Counter(line[level] for line in TREES[name].values())
            for row in members:
                hidden = Fraction(under[TREES[name][row[name]][level]] - 1, len(TREES[name]) - 1)
                total += hidden if passes(members, required) else 1
    return total / len(ROWS) / len(TREES)


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("limit", [0, 4])
@pytest.mark.parametrize("required", REQUIRED)
def test_every_node_is_judged_as_counted_by_hand(tmp_path: Path, required: str, limit: int, *, together: bool) -> None:
    with evaluator(tmp_path, required, limit) as actual:
        nodes = list(lattice_of(actual._attributes).nodes())
        assert len(nodes) == 6
        if together:
            actual.count(nodes)
        for node in nodes:
            failing = [members for members in classes(node) if not passes(members, required)]
            kept = [members for members in classes(node) if passes(members, required)]
            suppressed = sum(map(len, failing))
            figures = actual.figures(node)
            assert (figures.rows, figures.classes, figures.failing_classes) == (len(ROWS), len(failing + kept), len(failing))
            assert figures.suppressed == suppressed == actual.least_suppressed(node)
            assert figures.smallest == min(map(len, classes(node)))
            assert (figures.released_smallest, figures.released_largest) == (
                min(map(len, kept), default=0),
                max(map(len, kept), default=0),
            )
            assert figures.squares == sum(len(members) ** 2 for members in failing + kept)
            assert actual.satisfies(node) == (suppressed <= limit and bool(kept))
            assert actual.objective.published(actual.value(node)) == pytest.approx(float(loss(node, required)))
            assert actual.shown_classes(node) == len(kept)
            assert [sum(labels.values()) for labels in actual.lost(node)] == [suppressed] * 2
        best = min(filter(actual.satisfies, nodes), key=actual.rank)
        assert loss(best, required) == min(loss(node, required) for node in nodes if actual.satisfies(node))
        assert set(actual.visited) == set(nodes)


def test_the_models_on_quasi_identifiers_are_judged_first(tmp_path: Path) -> None:
    """A node that suppresses too many rows by them is not judged under the rest; the rows are then a lower bound."""
    with evaluator(tmp_path, "k = 3 and two illnesses", 4) as actual:
        top = (2, 1)
        actual.visit([(0, 0), top])
        assert actual.known_verdict((0, 0)) is False, "seven rows are in classes below three"
        assert not actual.is_counted(top)
        assert actual.known_verdict(top) is None
        assert actual.satisfies(top)
        assert actual.is_counted(top)
        assert actual.known_verdict(top) is True

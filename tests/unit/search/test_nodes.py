"""The evaluator of nodes: the same figures for a node alone, in a batch, and by a sweep, whatever other evaluators have counted meanwhile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.job.options import Options, Run
from duckanon.job.prepare import prepare
from duckanon.observers import Silent
from duckanon.search.budget import Budget, BudgetSpent
from duckanon.search.count import Counted, count
from duckanon.search.evaluate import Evaluator
from duckanon.search.sweep import Sweep, SweptNodes
from duckanon.search.variants import without_column
from tests.support.rows import write_parquet

# by the letter and the digit: classes of 3, 3, 2 and 1 rows; by the letter alone of 6 and 3; by the digit alone of 5 and 4
ROWS = [*[("a", "1")] * 3, *[("a", "2")] * 3, *[("b", "1")] * 2, ("b", "2")]
SUPPRESSED = {(0, 0): 3, (0, 1): 0, (1, 0): 0, (1, 1): 0}
"""The rows of classes of fewer than three, by node."""


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[tuple[DuckDBEngine, Counted]]:
    source = write_parquet(tmp_path / "in.parquet", [{"letter": letter, "digit": digit} for letter, digit in ROWS])
    flat = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
    job = {"columns": {"letter": flat, "digit": flat}, "suppression": {"limit": "1"}}
    with DuckDBEngine() as engine:
        yield engine, count(engine, prepare(source, job, Options(k=3), Run()), Silent())


def _suppressed(evaluator: Evaluator) -> dict[tuple[int, ...], int]:
    return {node: evaluator.figures(node).suppressed for node in SUPPRESSED}


def test_nodes_alone_in_a_batch_and_by_a_sweep_have_the_same_figures(counted: tuple[DuckDBEngine, Counted]) -> None:
    engine, data = counted
    alone, batch = (Evaluator.of(engine, data) for _ in range(2))
    swept = Evaluator.of(engine, data, nodes=SweptNodes(engine, data, Sweep(engine, data)))
    batch.visit(SUPPRESSED)
    assert _suppressed(alone) == _suppressed(batch) == _suppressed(swept) == SUPPRESSED
    for node in SUPPRESSED:
        assert alone.value(node) == batch.value(node) == swept.value(node)
        assert alone.satisfies(node) == batch.satisfies(node) == swept.satisfies(node) == (SUPPRESSED[node] <= 1)


def test_an_evaluator_of_other_columns_changes_no_figure(counted: tuple[DuckDBEngine, Counted]) -> None:
    engine, data = counted
    evaluator, other = Evaluator.of(engine, data), Evaluator.of(engine, without_column(data, "letter"))
    evaluator.visit([(0, 0), (0, 1)])
    other.visit([(0,), (1,)])
    assert [other.figures(node).smallest for node in ((0,), (1,))] == [4, 9]
    evaluator.visit([(1, 0), (1, 1)])
    assert _suppressed(evaluator) == SUPPRESSED


def test_a_spent_budget_allows_the_first_node_only(counted: tuple[DuckDBEngine, Counted]) -> None:
    evaluator = Evaluator.of(*counted, budget=Budget(nodes=1))
    evaluator.visit([(1, 1)])
    with pytest.raises(BudgetSpent):
        evaluator.visit([(0, 0)])
    assert (evaluator.stopped, [*evaluator.visited]) == ("max-nodes", [(1, 1)])

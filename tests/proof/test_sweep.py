"""The sweep of a lattice against plain Python: nodes at every k, counted by themselves or rolled up, also by statements of few nodes."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.job.options import Options, Run
from duckanon.job.prepare import prepare
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures
from duckanon.observers import Silent
from duckanon.risks.sizes import read_sizes
from duckanon.search import sweep
from duckanon.search.count import count
from tests.support.oracles import full_domain as oracle
from tests.support.rows import write_parquet, write_table
from tests.support.small_tables import tables


@given(data=st.data())
def test_every_node_has_the_figures_of_the_oracle(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    table = data.draw(tables())
    folder = tmp_path_factory.mktemp("sweep")
    names = [f"c{number}" for number in range(len(table.hierarchies))]
    write_parquet(folder / "in.parquet", [dict(zip(names, row, strict=True)) for row in table.rows])
    columns = {}
    for name, hierarchy in zip(names, table.hierarchies, strict=True):
        write_table(folder / f"{name}.csv", list(hierarchy.values()))
        columns[name] = {"role": "quasi-identifier", "hierarchy": str(folder / f"{name}.csv")}
    prepared = prepare(folder / "in.parquet", {"columns": columns}, Options(), Run())
    with pytest.MonkeyPatch.context() as patched, DuckDBEngine() as engine:
        patched.setattr(sweep, "_WORTHWHILE", data.draw(st.sampled_from([0, 20, 300_000])))
        patched.setattr(sweep, "_TOGETHER", data.draw(st.sampled_from([1, 3, 64])))
        counted = count(engine, prepared, Silent())
        assert sweep.fits(counted)
        swept = sweep.Sweep(engine, counted)
        early = data.draw(st.lists(st.sampled_from(table.nodes()), unique=True, max_size=5))
        for each, figures in swept.at(3, early).items():
            _compare(table, each, figures, 3)
        assert not swept.is_complete or len(early) == len(table.nodes())
        shares = list(swept.run())
        assert swept.is_complete
        assert shares == sorted(shares)
        assert shares[-1] == 1
        for k in (2, 3, 5, 60):
            read = swept.at(k)
            assert [*read] == table.nodes()
            for each, figures in read.items():
                _compare(table, each, figures, k)
        node = data.draw(st.sampled_from(table.nodes()))
        swept.read_classes(node)
        sizes = Counter(table.labels(node))
        assert sorted(size.rows for size in read_sizes(engine, "swept_classes")) == sorted(
            size * classes for size, classes in Counter(sizes.values()).items()
        )
        for number, failing in enumerate(swept.failing_labels(3)):
            expected = Counter(label[number] for label in table.labels(node) if sizes[label] < 3)
            assert sorted(failing.values()) == sorted(expected.values())


def _compare(table: oracle.Table, node: Node, figures: Figures, k: int) -> None:
    sizes = Counter(table.labels(node)).values()
    released = [size for size in sizes if size >= k]
    judged = oracle.judge(table, node, k, [Fraction(1)] * len(table.hierarchies), stars=False)
    assert (figures.rows, figures.classes, figures.smallest) == (len(table.rows), len(sizes), min(sizes))
    assert (figures.suppressed, figures.failing_rows, figures.least_below) == (judged.suppressed,) * 3
    assert figures.released_classes == figures.passing_classes == judged.released_classes
    assert (figures.released_smallest, figures.released_largest) == (min(released, default=0), max(released, default=0))
    assert (figures.squares, figures.released_squares) == (sum(n * n for n in sizes), sum(n * n for n in released))
    spans = [max(1, len(hierarchy) - 1) for hierarchy in table.hierarchies]
    assert [Fraction(excess, len(table.rows) * span) for excess, span in zip(figures.excess or (), spans, strict=True)] == list(
        judged.losses
    )

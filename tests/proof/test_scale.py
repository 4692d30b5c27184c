"""Optimizations for large files change no result: nodes counted together, and the optimum where anjana has none."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.hierarchy.attributes import lattice_of
from duckanon.job import prepare
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.metrics.objective import objective
from duckanon.observers import Silent
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.search import count
from duckanon.search.evaluate import Evaluator
from tests.support.oracles import full_domain as oracle
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize
from tests.support.small_tables import tables

ANJANA = {
    "age": "age",
    "education": "education",
    "marital-status": "marital",
    "occupation": "occupation",
    "sex": "sex",
    "native-country": "country",
}


OPTIMA = {
    # (k, limit): levels, suppressed, loss; by visiting all 1,512 nodes
    (2, "0"): ((1, 3, 2, 1, 0, 2), 0, 0.5595),
    (2, "5%"): ((3, 1, 0, 0, 0, 1), 1_144, 0.1487),
    (2, "50%"): ((2, 1, 0, 0, 0, 0), 2_759, 0.1322),
    (5, "0"): ((2, 3, 2, 1, 0, 2), 0, 0.5704),
    (5, "5%"): ((3, 1, 0, 1, 0, 1), 1_366, 0.2031),
    (5, "50%"): ((3, 1, 0, 0, 0, 0), 4_098, 0.1905),
    (10, "0"): ((6, 1, 2, 1, 0, 2), 0, 0.5821),
    (10, "5%"): ((4, 2, 0, 1, 0, 1), 1_380, 0.2566),
    (10, "50%"): ((3, 1, 0, 1, 0, 0), 3_680, 0.2233),
}


@given(table=tables(), k=st.integers(1, 8), limit=st.integers(0, 40))
def test_nodes_counted_together_have_the_figures_of_each_alone(tmp_path: Path, table: oracle.Table, k: int, limit: int) -> None:
    """Against brute force in plain Python: classes, suppressed rows, and what is lost, of every node."""
    names = [f"c{number}" for number in range(len(table.hierarchies))]
    source = write_parquet(tmp_path / "in.parquet", [dict(zip(names, row, strict=True)) for row in table.rows])
    for name, hierarchy in zip(names, table.hierarchies, strict=True):
        write_table(tmp_path / f"{name}.csv", list(hierarchy.values()))
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(tmp_path / f"{name}.csv")} for name in names}
    prepared = prepare.prepare(source, {"columns": columns}, Options(), Run())
    with DuckDBEngine() as engine:
        counted = count.count(engine, prepared, Silent())
        requirement = Requirement(KAnonymity(k=k))
        target = objective("loss", "mean", counted.marginals, counted.rows, requirement.least_rows)
        evaluator = Evaluator(engine, counted.attributes, requirement, target, counted.rows, limit, marginals=counted.marginals)
        nodes = list(lattice_of(counted.attributes).nodes())
        evaluator.visit(nodes)
        templates = Counter(step.template for step in engine.steps)
        assert templates["lattice/node"] == -(-len(nodes) // evaluator.width)
        for node in nodes:
            judged = oracle.judge(table, node, k, [Fraction(1)] * len(node))
            figures = evaluator.figures(node)
            assert figures.suppressed == judged.suppressed
            assert figures.released_classes == judged.released_classes
            assert figures.released_squares + figures.rows * figures.suppressed == judged.objectives["discernibility"]
            assert target.published(evaluator.value(node)) == pytest.approx(float(judged.objectives["loss mean"]), abs=1e-12)


@pytest.mark.parametrize(("k", "limit"), OPTIMA)
def test_the_optimum_is_found_where_a_peer_stops_short(shared: Path, adult: Path, k: int, limit: str) -> None:
    """anjana's own example: its levels lose more in eight of these nine."""
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": str(shared / "data" / "anjana-adult" / f"{file}.csv")}
        for name, file in ANJANA.items()
    }
    manifest = anonymize(adult, job={"columns": columns}, options=Options(k=k, max_suppression=limit), run=Run(dry_run=True))
    levels, suppressed, loss = OPTIMA[k, limit]
    assert tuple(manifest["recoding"]["levels"].values()) == levels
    assert manifest["rows"]["suppressed"] == suppressed
    assert round(manifest["metrics"]["loss"], 4) == loss

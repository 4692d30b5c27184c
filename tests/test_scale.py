"""What makes large files cheap changes no answer: nodes counted together, rows shuffled as numbers, libraries that come late."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon import combinations, counting, preparation
from duckanon.algorithms.evaluate import Evaluator
from duckanon.combinations import lattice_of
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Settings
from duckanon.errors import OutOfMemory
from duckanon.metrics.objective import objective
from duckanon.observer import Silent
from duckanon.options import Options
from duckanon.people import demo
from duckanon.pipeline import anonymize
from duckanon.preparation import Run
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from tests import oracle
from tests.conftest import Cli, read_rows, write_parquet, write_table
from tests.test_optimal import tables

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


def loaded_by(*arguments: str, cwd: Path) -> set[str]:
    """The packages that a whole process of the command line imports."""
    told = "import atexit, sys; atexit.register(lambda: print('LOADED', *{name.partition('.')[0] for name in sys.modules}, file=sys.stderr))"
    code = f"{told}; sys.argv = ['duckanon', *{list(arguments)!r}]; from duckanon.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)
    [line] = [line for line in done.stderr.splitlines() if line.startswith("LOADED")]
    return set(line.split())


def test_help_imports_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    heavy = {"duckdb", "pyarrow", "numpy", "pandas", "pydantic", "jinja2", "yaml", "altair", "vl_convert", "sqlglot"}
    assert not loaded_by("--help", cwd=tmp_path) & heavy
    assert not loaded_by("--version", cwd=tmp_path) & heavy


def test_a_run_imports_no_library_that_it_does_not_need(tmp_path: Path) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    names = "age,sex,race,marital-status"
    run = ("anonymize", "adult.parquet", "--qi", names, "--hierarchies", "adult/five-year", "-o", "out.parquet")
    loaded = loaded_by(*run, cwd=tmp_path)
    assert {"duckdb", "jinja2"} <= loaded
    assert not loaded & {"pyarrow", "numpy", "pandas", "altair", "vl_convert", "sqlglot", "markdown_it", "pygments"}


def test_templates_are_compiled_anew_where_they_cannot_be_kept(tmp_path: Path) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    (tmp_path / "file").write_text("no folder")
    code = "import sys; sys.argv = ['duckanon', 'anonymize', 'adult.parquet', '-q']; from duckanon.cli import main; main()"
    for cache in (tmp_path / "cache", tmp_path / "cache", tmp_path / "file"):
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
        (tmp_path / "adult.anonymized.parquet").unlink()
        (tmp_path / "adult.anonymized.parquet.manifest.json").unlink()
        (tmp_path / "adult.anonymized.parquet.job.yaml").unlink()
    assert len(list((tmp_path / "cache" / "duckanon").iterdir())) > 20


@given(table=tables(), k=st.integers(1, 8), limit=st.integers(0, 40))
def test_nodes_counted_together_have_the_figures_of_each_alone(tmp_path: Path, table: oracle.Table, k: int, limit: int) -> None:
    """Against brute force in plain Python: classes, suppressed rows, and what is lost, of every node."""
    names = [f"c{number}" for number in range(len(table.hierarchies))]
    source = write_parquet(tmp_path / "in.parquet", [dict(zip(names, row, strict=True)) for row in table.rows])
    for name, hierarchy in zip(names, table.hierarchies, strict=True):
        write_table(tmp_path / f"{name}.csv", list(hierarchy.values()))
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(tmp_path / f"{name}.csv")} for name in names}
    prepared = preparation.prepare(source, {"columns": columns}, Options(), Run())
    with DuckDBEngine() as engine:
        counted = counting.count(engine, prepared, Silent())
        requirement = Requirement(KAnonymity(k=k))
        target = objective("loss", "mean", counted.marginals, counted.rows, requirement.least_rows)
        evaluator = Evaluator(engine, counted.attributes, requirement, target, counted.rows, limit, marginals=counted.marginals)
        nodes = list(lattice_of(counted.attributes).nodes())
        evaluator.visit(nodes)
        templates = Counter(step.template for step in engine.steps)
        assert templates["lattice/node_verdicts"] == len(nodes) // evaluator.width + (len(nodes) % evaluator.width > 1)
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


def notes(rows: int) -> list[dict[str, Any]]:
    """Rows with texts of which a few, many and most are distinct, NULL, empty and awkward ones among them."""
    some: list[str | None] = [None, "", "*", "a'b", '"', "\n", "é", "é", " ", "null"]
    return [
        {"sex": "mf"[number % 2], "few": some[number % 10], "many": f"note {number}", "number": number, "flag": number % 3 == 0}
        for number in range(rows)
    ]


@pytest.mark.parametrize("rows", [100, 60_000])
def test_a_shuffle_keeps_every_row(tmp_path: Path, rows: int) -> None:
    """60,000 distinct texts are more than numbers stand for, and are sorted as they are."""
    source = write_parquet(tmp_path / "in.parquet", notes(rows))
    sexes = write_table(tmp_path / "sex.csv", [("m", "*"), ("f", "*")])
    about = Options(qi=["sex"], keep=["few", "many", "number", "flag"], hierarchies=[f"sex={sexes}"], k=2)
    anonymize(source, tmp_path / "out.parquet", options=about, run=Run(settings=Settings(workspace=tmp_path / "work.duckdb")))
    released, read = read_rows(tmp_path / "out.parquet"), read_rows(source)
    assert released != read
    assert sorted(released, key=lambda row: int(row["number"])) == read
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as connection:
        sorted_as_numbers = connection.execute(
            "select relation from duckanon.steps where template = 'release/texts'"
        ).fetchall()
    assert sorted_as_numbers == [("texts_few",), *([("texts_many",)] if rows == 100 else [])]


def test_two_shuffles_differ_and_tell_nothing_of_the_place(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", notes(20_000))
    sexes = write_table(tmp_path / "sex.csv", [("m", "*"), ("f", "*")])
    about = Options(qi=["sex"], keep=["number"], hierarchies=[f"sex={sexes}"], k=2)
    orders = []
    for name in ("a.parquet", "b.parquet"):
        anonymize(source, tmp_path / name, options=about, run=Run())
        orders.append([row["number"] for row in read_rows(tmp_path / name)])
    assert orders[0] != orders[1]
    for order in orders:
        # of 20,000 places, the mean distance of two drawn at random is a third, with a standard error of a six-hundredth
        distance = sum(abs(place - number) for place, number in enumerate(order)) / len(order) ** 2
        assert abs(distance - 1 / 3) < 0.01


def test_a_file_damaged_in_the_middle_is_called_that(cli: Cli, tmp_path: Path) -> None:
    demo(tmp_path / "adult.parquet", 50_000)
    whole = (tmp_path / "adult.parquet").read_bytes()
    third = len(whole) // 3
    (tmp_path / "adult.parquet").write_bytes(whole[:third] + bytes(third) + whole[2 * third :])
    done = cli("anonymize", "adult.parquet", "--qi", "age,sex,race,marital-status", "--hierarchies", "adult/five-year")
    assert done.code == 3
    assert "damaged" in done.err
    assert "Traceback" not in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["adult.parquet"]


def test_out_of_memory_leaves_nothing(cli: Cli, tmp_path: Path) -> None:
    """Neither beside the output nor where it spilled."""
    demo(tmp_path / "in.parquet", 500_000)
    (tmp_path / "spill").mkdir()
    run: Sequence[str] = ("anonymize", "in.parquet", "--qi", "age,sex,race,marital-status", "--hierarchies", "adult/five-year")
    done = cli(*run, "--keep", "fnlwgt,occupation", "--temp-directory", "spill", "--memory-limit", "20MB", "--threads", "2")
    assert done.code == 3
    assert "out of memory: raise --memory-limit" in done.err
    assert "Traceback" not in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet", "spill"]
    assert not list((tmp_path / "spill").iterdir())


def test_out_of_memory_names_the_column_to_generalize_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo(tmp_path / "in.parquet", 5_000)

    def count(*_: object) -> int:
        raise OutOfMemory("out of memory")

    monkeypatch.setattr(combinations, "count", count)
    about = Options(qi=["age", "sex"], hierarchies=["adult/five-year"])
    with pytest.raises(OutOfMemory, match=r"generalize 'age' from the start, which has \d+ distinct values: min-level"):
        anonymize(tmp_path / "in.parquet", options=about, run=Run())

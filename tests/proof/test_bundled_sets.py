"""The bundled sets on UCI Adult: every published figure, exactly; and searches among levels that are not nested."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.errors import Infeasible
from duckanon.hierarchy import inspection
from duckanon.job import prepare
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.lattice import Node
from duckanon.metrics.objective import Distortion, Imprecision, objective
from duckanon.observers import Silent
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.search import count as search_count
from duckanon.search.count import Counted
from duckanon.search.evaluate import Evaluator
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.oracles import full_domain as oracle
from tests.support.published import NODE_QI as QI
from tests.support.published import chosen, ties
from tests.support.rows import write_parquet
from tests.support.runs import anonymize
from tests.support.settings import options_of
from tests.support.small_tables import OBJECTIVES, tables

ROWS = 32_561


ONE_PERCENT = floor(ROWS * 0.01)


@contextmanager
def counted_by(adult: Path, name: str) -> Iterator[tuple[Engine, Counted]]:
    """Adult counted by a bundled set."""
    prepared = prepare.prepare(adult, None, Options(qi=QI, hierarchies=[name]), Run())
    with DuckDBEngine() as engine:
        yield engine, search_count.count(engine, prepared, Silent())


@pytest.fixture(scope="module")
def decades(adult: Path) -> Iterator[tuple[Engine, Counted]]:
    with counted_by(adult, "adult/decades") as counting:
        yield counting


@pytest.fixture(scope="module")
def race_blind(adult: Path) -> Iterator[tuple[Engine, Counted]]:
    with counted_by(adult, "adult/race-blind") as counting:
        yield counting


@pytest.fixture(scope="module")
def life_stages(adult: Path) -> Iterator[tuple[Engine, Counted]]:
    with counted_by(adult, "adult/life-stages") as counting:
        yield counting


def evaluator_of(counted: tuple[Engine, Counted], k: int, name: Any = "loss") -> Evaluator:
    engine, source_classes = counted
    requirement = Requirement(KAnonymity(k=k))
    target = objective(name, "mean", source_classes.marginals, source_classes.rows, requirement.least_rows)
    return Evaluator(
        engine,
        source_classes.attributes,
        requirement,
        target,
        source_classes.rows,
        source_classes.rows,
        marginals=source_classes.marginals,
    )


def nodes_of(counted: tuple[Engine, Counted]) -> list[Node]:
    from duckanon.hierarchy.attributes import lattice_of

    return list(lattice_of(counted[1].attributes).nodes())


def dry_run(adult: Path, name: str, **options: Any) -> dict[str, Any]:
    return anonymize(adult, options=options_of(qi=QI, hierarchies=[f"adult/{name}"], **options), run=Run(dry_run=True))


def published(shared: Path, name: str) -> dict[Node, dict[str, Any]]:
    document = json.loads((shared / "truth/nodes_seed002.json").read_text())
    return {tuple(node["vector"]): node for node in document[name].values()}


def groups(adult: Path, name: str, column: str) -> list[int]:
    """Distinct labels a level, of those that the data has."""
    shown = inspection.show(f"adult/{name}/{column}", inspection.Data(str(adult)), limit=1)
    return [level["groups_in_data"] for level in shown["levels"]]


# --- adult/decades: seed 001 after its four repairs

DECADES = {
    # (k, limit): satisfying nodes (None where the document does not say), best nodes, loss, suppressed
    (2, 0): (121, [(2, 3, 1, 3), (3, 3, 1, 3)], 1.2069283635, 0),
    (2, ONE_PERCENT): (None, [(2, 0, 0, 0), (2, 0, 0, 1), (3, 0, 0, 0), (3, 0, 0, 1)], 0.2650081556, 261),
    (5, 0): (89, [(4, 1, 1, 3)], 1.6517582384, 0),
    (5, ONE_PERCENT): (378, [(1, 3, 0, 0), (1, 3, 0, 1)], 0.6074940539, 259),
    (10, 0): (74, [(4, 3, 0, 3)], 1.7228617057, 0),
    (10, ONE_PERCENT): (310, [(1, 3, 1, 0), (1, 3, 1, 1)], 0.8559000371, 269),
}


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        ("age", [73, 9, 4, 4, 1]),
        ("education", [16, 6, 3, 2, 1]),
        ("marital-status", [7, 3, 2, 1]),
        ("race", [5, 5, 3, 2, 1]),
    ],
)
def test_decades_have_the_published_labels(adult: Path, column: str, labels: list[int]) -> None:
    assert groups(adult, "decades", column) == labels


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 5, 10])
def test_all_nodes_of_decades_satisfy_and_lose_as_published(decades: tuple[Engine, Counted], k: int) -> None:
    nodes = nodes_of(decades)
    assert len(nodes) == 500
    judged = evaluator_of(decades, k)
    suppressed = {node: judged.figures(node).suppressed for node in nodes}
    for (requested, limit), (count, best, loss_sum, lost) in DECADES.items():
        if requested != k:
            continue
        satisfying = [node for node in nodes if suppressed[node] <= limit]
        assert count in (None, len(satisfying))
        ranked = sorted(satisfying, key=judged.rank)
        least = judged.value(ranked[0])
        assert [node for node in ranked if judged.value(node) == least] == best
        assert 4 * judged.objective.published(least) == pytest.approx(loss_sum, abs=1e-9)
        assert suppressed[best[0]] == lost
        if (k, limit) == (2, 0):
            assert len(satisfying) == 121
            assert sum(not any(below(other, node) for other in satisfying) for node in satisfying) == 15


def below(lower: Node, upper: Node) -> bool:
    return lower != upper and all(low <= high for low, high in zip(lower, upper, strict=True))


@pytest.mark.parametrize(("k", "limit"), DECADES)
def test_the_search_finds_the_published_optimum_of_decades(adult: Path, k: int, limit: int) -> None:
    _, best, loss_sum, suppressed = DECADES[k, limit]
    manifest = dry_run(adult, "decades", k=k, max_suppression=limit)
    assert chosen(manifest) == best[0]
    assert ties(manifest) == set(best[1:])
    assert manifest["metrics"]["loss_sum"] == pytest.approx(loss_sum, abs=1e-9)
    assert manifest["rows"]["suppressed"] == suppressed
    assert manifest["recoding"]["lattice"] == 500
    assert manifest["metrics"]["distortion"] is None


def test_one_percent_is_the_limit_that_decades_were_measured_with(adult: Path) -> None:
    assert ONE_PERCENT == 325
    assert dry_run(adult, "decades", k=5, max_suppression="1%")["suppression"]["rows"] == 325


# --- adult/race-blind and adult/life-stages: seeds 002 and 000


def assert_published(counted: tuple[Engine, Counted], truth: dict[Node, dict[str, Any]]) -> None:
    """Classes, the smallest, the largest, and the rows in classes below k, of every node."""
    alone = evaluator_of(counted, 1)
    judged = {k: evaluator_of(counted, k) for k in (2, 3, 5, 10)}
    for node, expected in truth.items():
        figures = alone.figures(node)
        assert figures.classes == expected["classes"], node
        assert figures.smallest == expected["min"], node
        assert figures.released_largest == expected["max"], node
        for k, other in judged.items():
            assert other.figures(node).suppressed == expected[f"lt{k}"], (node, k)


def assert_level_figures(counted: tuple[Engine, Counted], truth: dict[Node, dict[str, Any]]) -> None:
    """Distortion and precision of every node, to 1e-12."""
    _, source_classes = counted
    distortion, imprecision = (
        Distortion(source_classes.marginals, source_classes.rows),
        Imprecision(source_classes.marginals, source_classes.rows),
    )
    for node, expected in truth.items():
        published = distortion.published(distortion.floor(node))
        assert published == pytest.approx(float(Fraction(expected["dist"])), abs=1e-12), node
        published = 1 - imprecision.published(imprecision.floor(node))
        assert published == pytest.approx(float(Fraction(expected["prec"])), abs=1e-12), node


@pytest.mark.slow
def test_all_nodes_of_race_blind_have_the_published_classes(race_blind: tuple[Engine, Counted], shared: Path) -> None:
    truth = published(shared, "A")
    assert set(truth) == set(nodes_of(race_blind))
    assert len(truth) == 300
    assert_published(race_blind, truth)


def test_all_nodes_of_race_blind_have_the_published_distortion_and_precision(
    race_blind: tuple[Engine, Counted], shared: Path
) -> None:
    assert_level_figures(race_blind, published(shared, "A"))


@pytest.mark.slow
def test_nodes_of_life_stages_have_the_published_figures_but_for_the_level_that_was_repaired(
    life_stages: tuple[Engine, Counted], shared: Path
) -> None:
    every = published(shared, "B")
    assert set(every) == set(nodes_of(life_stages))
    truth = {node: figures for node, figures in every.items() if node[0] != 3}
    assert len(truth) == 320
    assert_published(life_stages, truth)
    assert_level_figures(life_stages, every)


@pytest.mark.parametrize(
    ("node", "classes", "smallest", "distortion", "precision"),
    [
        ((1, 3, 1, 1), 71, 7, Fraction(39, 80), Fraction(13, 24)),
        ((2, 1, 2, 1), 84, 14, Fraction(39, 80), Fraction(25, 48)),
        ((4, 3, 1, 0), 30, 10, Fraction(39, 80), Fraction(23, 48)),
        ((4, 3, 2, 0), 20, 26, Fraction(9, 16), Fraction(19, 48)),
        ((3, 3, 2, 1), 12, 411, Fraction(11, 16), Fraction(1, 3)),
    ],
)
def test_the_published_nodes_of_race_blind_in_a_whole_run(
    adult: Path, node: tuple[int, ...], classes: int, smallest: int, distortion: Fraction, precision: Fraction
) -> None:
    manifest = dry_run(adult, "race-blind", k=5, max_suppression=0, levels=dict(zip(QI, node, strict=True)))
    assert manifest["classes"]["count"] == classes
    assert manifest["classes"]["smallest"] == smallest
    assert manifest["metrics"]["distortion"] == pytest.approx(float(distortion), abs=1e-12)
    assert manifest["metrics"]["precision"] == pytest.approx(float(precision), abs=1e-12)


@pytest.mark.parametrize(
    ("node", "loss"),
    [((1, 3, 1, 1), 0.448999), ((2, 1, 2, 1), 0.413135), ((4, 3, 1, 0), 0.434461), ((4, 3, 2, 0), 0.483741)],
)
def test_leaf_losses_of_race_blind_over_the_73_ages_of_the_data(adult: Path, node: tuple[int, ...], loss: float) -> None:
    """The set lists 74 ages; 89 is in no row."""
    columns = {name: {"role": "quasi-identifier", "hierarchy": f"adult/race-blind/{name}", "domain": "data"} for name in QI}
    options = Options(k=5, max_suppression=0, levels=dict(zip(QI, node, strict=True)))
    manifest = anonymize(adult, job={"columns": columns}, options=options, run=Run(dry_run=True))
    assert manifest["metrics"]["loss"] == pytest.approx(loss, abs=1e-6)


def test_three_nodes_of_race_blind_share_the_least_distortion(adult: Path) -> None:
    manifest = dry_run(adult, "race-blind", k=5, max_suppression=0, objective="distortion")
    assert chosen(manifest) == (1, 3, 1, 1)
    assert ties(manifest) == {(2, 1, 2, 1), (4, 3, 1, 0)}
    assert manifest["recoding"]["objective"] == {
        "name": "distortion",
        "aggregate": None,
        "value": 39 / 80,
        "bound": 39 / 80,
        "gap": 0.0,
        "proven": True,
    }
    assert manifest["recoding"]["visited"] < 300


@pytest.mark.parametrize(
    ("k", "least", "best", "satisfying"),
    [
        (2, Fraction(7, 16), {(1, 1, 2, 1), (4, 1, 2, 0)}, 120),
        (3, Fraction(7, 16), {(1, 1, 2, 1)}, 113),
        (5, Fraction(39, 80), {(1, 3, 1, 1), (2, 1, 2, 1), (4, 3, 1, 0)}, 100),
        (10, Fraction(39, 80), {(2, 1, 2, 1), (4, 3, 1, 0)}, 86),
    ],
)
def test_the_best_of_race_blind_for_every_k(
    adult: Path, shared: Path, k: int, least: Fraction, best: set[Node], satisfying: int
) -> None:
    assert sum(node[f"lt{k}"] == 0 for node in published(shared, "A").values()) == satisfying
    manifest = dry_run(adult, "race-blind", k=k, max_suppression=0, objective="distortion")
    assert {chosen(manifest), *ties(manifest)} == best
    assert manifest["metrics"]["distortion"] == pytest.approx(float(least), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "limit"), [("loss", 300), ("precision", 0), ("distortion", 300), ("discernibility", 0), ("class-size", 300)]
)
def test_optimal_equals_brute_force_though_age_is_not_nested(
    adult: Path, race_blind: tuple[Engine, Counted], name: str, limit: int
) -> None:
    judged = evaluator_of(race_blind, 5, name)
    satisfying = [node for node in nodes_of(race_blind) if judged.figures(node).suppressed <= limit]
    expected = min(satisfying, key=judged.rank)
    manifest = dry_run(adult, "race-blind", k=5, max_suppression=limit, objective=name)
    assert chosen(manifest) == expected
    equal = {node for node in satisfying if judged.value(node) == judged.value(expected)}
    assert ties(manifest) == equal - {expected}


def test_samarati_takes_the_first_node_of_race_blind_on_the_lowest_height(adult: Path, shared: Path) -> None:
    for k in (2, 3, 5, 10):
        satisfying = [node for node, figures in published(shared, "A").items() if figures[f"lt{k}"] == 0]
        manifest = dry_run(adult, "race-blind", k=k, max_suppression=0, algorithm="samarati")
        assert chosen(manifest) == min(satisfying, key=lambda node: (sum(node), node))


def test_a_run_notes_the_level_that_is_not_nested(adult: Path, cli: Cli) -> None:
    arguments = ("anonymize", adult, "--qi", ",".join(QI), "--dry-run")
    run = cli(*arguments, "--hierarchies", "adult/race-blind")
    assert run.code == 0, run.err
    [note] = [line for line in run.err.splitlines() if "not nested" in line]
    assert note.startswith("hierarchy 'adult/race-blind/age'")
    for name in ("adult/decades", "adult/life-stages"):
        assert "nested" not in cli(*arguments, "--hierarchies", name).err


@pytest.mark.parametrize(
    ("column", "labels", "losses"),
    [
        ("age", [73, 12, 6, 3, 1], [0, 0.2, 0.4, 0.7, 1]),
        ("education", [16, 7, 4, 2, 1], [0, 0.15, 0.35, 0.65, 1]),
        ("marital-status", [7, 3, 2, 1], [0, 0.3, 0.6, 1]),
        ("race", [5, 3, 2, 1], [0, 0.4, 0.7, 1]),
    ],
)
def test_life_stages_have_the_published_labels_and_losses(
    adult: Path, column: str, labels: list[int], losses: list[float]
) -> None:
    assert groups(adult, "life-stages", column) == labels
    shown = inspection.show(f"adult/life-stages/{column}", inspection.Data(str(adult)), limit=1)
    assert [level["loss"] for level in shown["levels"]] == losses


def test_ages_of_life_stages_have_the_repaired_bounds(adult: Path) -> None:
    shown = inspection.show("adult/life-stages/age", inspection.Data(str(adult)))
    labels = {int(value["value"]): value["levels"] for value in shown["values"]}
    assert len(labels) == 73
    for age, (_, five, ten, stage, top) in labels.items():
        low = min(72, age - (age - 17) % 5)
        assert five == (f"[{low}, {low + 5})" if low < 72 else ">=72" if five.startswith(">") else five)
        assert stage == ("Young" if age < 27 else "Adult" if age < 57 else "Senior")
        assert top == "*"
        assert ten in labels[low][2:3]
    assert labels[72][1:] == labels[90][1:]
    assert labels[67][2] == labels[90][2]


def test_race_blind_ages_are_as_coded(adult: Path) -> None:
    shown = inspection.show("adult/race-blind/age", inspection.Data(str(adult)))
    for value in shown["values"]:
        age = int(value["value"])
        low, wide = min(72, age - (age - 17) % 5), min(67, age - (age - 17) % 10)
        assert value["levels"] == [
            str(age),
            "[72+)" if low == 72 else f"[{low}-{low + 5})",
            "[67+)" if wide == 67 else f"[{wide}-{wide + 10})",
            "Young" if age < 30 else "Adult" if age < 55 else "Senior",
            "*",
        ]


# --- which set a run takes


def test_a_run_without_configuration_takes_five_year(adult: Path, tmp_path: Path) -> None:
    manifest = anonymize(adult, tmp_path / "out.parquet", run=Run(dry_run=True))
    assert manifest["roles"] == "detected"
    for name in ("age", "sex", "race", "marital-status"):
        assert manifest["hierarchies"][name].startswith(f"adult/five-year/{name}")
    assert "race-blind" not in json.dumps(manifest)


def test_the_other_sets_are_proposed_for_no_table(adult: Path, tmp_path: Path, cli: Cli) -> None:
    """Not even for one that has just their columns."""
    pq.write_table(pq.read_table(adult, columns=[*QI, "occupation"]), tmp_path / "in.parquet")
    run = cli("anonymize", "in.parquet", "-o", "out.parquet")
    output = run.err + run.out
    if run.code == 0:
        output += (tmp_path / "out.parquet.job.yaml").read_text()
    for name in ("race-blind", "decades", "life-stages"):
        assert name not in output


def test_only_one_bundled_set_is_proposed_for_a_whole_table() -> None:
    from duckanon.hierarchy import sets

    assert [bundle.name for bundle in sets.bundled() if bundle.proposed == "table"] == ["adult/five-year"]
    assert {bundle.name for bundle in sets.bundled()} >= {"adult/decades", "adult/life-stages", "adult/race-blind"}


def test_five_year_has_no_losses_and_is_refused_for_distortion(adult: Path, cli: Cli) -> None:
    run = cli(
        "anonymize", adult, "--qi", "age,sex", "--hierarchies", "adult/five-year", "--set", "recoding.objective=distortion"
    )
    assert run.code == 2
    [line] = run.err.splitlines()
    assert "'age'" in line
    assert "loss" in line
    assert run.out == ""


# --- random small lattices


@st.composite
def tangled(draw: st.DrawFn, column: int) -> oracle.Hierarchy:
    """A hierarchy of 2 to 6 values and height 2 to 4 whose labels need not nest."""
    height = draw(st.integers(2, 4))
    label = st.integers(0, 2)
    return {
        f"{column}v{value}": [
            f"{column}v{value}",
            *(f"{column}l{level}g{draw(label)}" for level in range(1, height)),
            "*",
        ]
        for value in range(draw(st.integers(2, 6)))
    }


@st.composite
def tangled_tables(draw: st.DrawFn) -> oracle.Table:
    """Two or three columns, of which at least one is not made to nest, 1 to 40 rows."""
    nested = draw(tables())
    loose = [draw(tangled(9)), *([draw(tangled(8))] if draw(st.booleans()) else [])]
    combined = [*loose, *nested.hierarchies[: 3 - len(loose)]]
    if draw(st.booleans()):
        combined.reverse()
    row = st.tuples(*(st.sampled_from(sorted(hierarchy)) for hierarchy in combined))
    return oracle.Table(draw(st.lists(row, min_size=1, max_size=40)), combined)


def is_nested(hierarchy: oracle.Hierarchy) -> bool:
    lines = list(hierarchy.values())
    return all(
        len({line[level + 1] for line in lines if line[level] == label}) == 1
        for level in range(len(lines[0]) - 1)
        for label in {line[level] for line in lines}
    )


def solved(
    folder: Path, table: oracle.Table, columns: dict[str, Any], declared: list[dict[str, Any]], **options: Any
) -> dict[str, Any] | None:
    """The manifest of a dry run with the hierarchies in the job, or None where it is infeasible."""
    names = [f"c{number}" for number in range(len(table.hierarchies))]
    write_parquet(folder / "in.parquet", [dict(zip(names, row, strict=True)) for row in table.rows])
    job = {
        "columns": {
            name: {
                "role": "quasi-identifier",
                "hierarchy": {"kind": "table", "rows": list(hierarchy.values()), **more},
                **columns.get(name, {}),
            }
            for name, hierarchy, more in zip(names, table.hierarchies, declared, strict=True)
        }
    }
    try:
        return anonymize(folder / "in.parquet", job=job, options=options_of(**options), run=Run(dry_run=True))
    except Infeasible:
        return None


@given(table=tangled_tables(), k=st.integers(1, 8), limit=st.integers(0, 40), data=st.data())
def test_optimal_equals_brute_force_on_levels_that_are_not_nested(
    tmp_path: Path, table: oracle.Table, k: int, limit: int, data: st.DataObject
) -> None:
    objective, aggregate = data.draw(st.sampled_from(OBJECTIVES))
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
    stars = data.draw(st.booleans())
    name = f"loss {aggregate}" if objective == "loss" else objective
    exact = [Fraction(weight) for weight in weights]
    expected = oracle.best(table, nodes, k, limit, name, exact, stars=stars)
    declared = [{"nested": is_nested(hierarchy) and data.draw(st.booleans())} for hierarchy in table.hierarchies]
    manifest = solved(
        tmp_path,
        table,
        columns,
        declared,
        k=k,
        max_suppression=limit,
        objective=objective,
        aggregate=aggregate,
        suppress="star" if stars else "drop",
    )
    if expected is None:
        assert manifest is None
        return
    assert manifest is not None
    assert chosen(manifest) == expected
    judged = oracle.judge(table, expected, k, exact, stars=stars)
    assert manifest["rows"]["suppressed"] == judged.suppressed
    assert manifest["recoding"]["objective"]["value"] == pytest.approx(float(judged.objectives[name]), rel=1e-9, abs=1e-9)
    equal = {
        node
        for node in nodes
        if (other := oracle.judge(table, node, k, exact, stars=stars)).suppressed <= limit
        and other.suppressed < len(table.rows)
        and oracle.rank(other, name, node)[0] == oracle.rank(judged, name, node)[0]
    }
    assert ties(manifest) == equal - {expected}


@settings(max_examples=levels.at_most(12))
@given(table=tangled_tables(), k=st.integers(1, 8), limit=st.integers(0, 40), stars=st.booleans())
def test_samarati_equals_brute_force_on_levels_that_are_not_nested(
    tmp_path: Path, table: oracle.Table, k: int, limit: int, stars: bool
) -> None:
    satisfying = []
    for node in table.nodes():
        judged = oracle.judge(table, node, k, [Fraction(1)] * len(node), stars=stars)
        if judged.suppressed <= limit and judged.suppressed < len(table.rows):
            satisfying.append((sum(node), node))
    declared = [{"nested": is_nested(hierarchy)} for hierarchy in table.hierarchies]
    manifest = solved(
        tmp_path,
        table,
        {},
        declared,
        k=k,
        max_suppression=limit,
        algorithm="samarati",
        suppress="star" if stars else "drop",
    )
    if not satisfying:
        assert manifest is None
        return
    assert manifest is not None
    assert chosen(manifest) == min(satisfying)[1]


def distortion_of(table: oracle.Table, losses: list[list[Fraction]], node: Node, suppressed: int) -> Fraction:
    """The mean of the levels' own losses, a suppressed row counting 1; weights do not matter."""
    rows = len(table.rows)
    mean = sum((loss[level] for loss, level in zip(losses, node, strict=True)), Fraction(0)) / len(node)
    return ((rows - suppressed) * mean + suppressed) / rows


@given(table=tables() | tangled_tables(), k=st.integers(1, 8), limit=st.integers(0, 40), data=st.data())
def test_distortion_equals_brute_force(tmp_path: Path, table: oracle.Table, k: int, limit: int, data: st.DataObject) -> None:
    losses = [sorted(Fraction(data.draw(st.integers(0, 20)), 20) for _ in range(height + 1)) for height in table.heights]
    stars = data.draw(st.booleans())
    values = {}
    for node in table.nodes():
        judged = oracle.judge(table, node, k, [Fraction(1)] * len(node), stars=stars)
        if judged.suppressed <= limit and judged.suppressed < len(table.rows):
            values[node] = distortion_of(table, losses, node, judged.suppressed)
    declared = [
        {"nested": is_nested(hierarchy), "loss": [float(entry) for entry in loss]}
        for hierarchy, loss in zip(table.hierarchies, losses, strict=True)
    ]
    columns = {f"c{number}": {"weight": data.draw(st.sampled_from([1, 2, 3]))} for number in range(len(losses))}
    manifest = solved(
        tmp_path,
        table,
        columns,
        declared,
        k=k,
        max_suppression=limit,
        objective="distortion",
        suppress="star" if stars else "drop",
    )
    if not values:
        assert manifest is None
        return
    assert manifest is not None
    expected = min(values, key=lambda node: (values[node], sum(node), node))
    assert chosen(manifest) == expected
    assert ties(manifest) == {node for node, value in values.items() if value == values[expected]} - {expected}
    assert manifest["recoding"]["objective"]["value"] == pytest.approx(float(values[expected]), abs=1e-12)
    assert manifest["metrics"]["distortion"] == pytest.approx(float(values[expected]), abs=1e-12)

"""Every search against brute force and the published figures; bounds of searches that end early; the maximum loss of a column."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.errors import Infeasible, JobError
from duckanon.job import prepare
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.lattice import DownSet, Lattice, Node, NodeSets, is_above
from duckanon.observers import Silent
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.search import count as search_count
from duckanon.search import full_domain
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.oracles import full_domain as oracle
from tests.support.paths import FIXTURES
from tests.support.published import NODE_QI as QI
from tests.support.published import chosen, ties
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize
from tests.support.settings import options_of
from tests.support.small_tables import OBJECTIVES, tables

WALKS = ["greedy", "balanced"]


def search(engine: Engine, counted: Counted, *, limit: object = None, style: str = "drop", **recoding: Any) -> FullDomainResult:
    """One search over what was counted."""
    job = counted.job
    suppression = job.suppression.model_copy(
        update={"style": style, "limit": job.suppression.limit if limit is None else str(limit)}
    )
    plan = job.recoding.model_copy(update=recoding)
    job = job.model_copy(update={"recoding": plan, "suppression": suppression})
    return full_domain.search(engine, replace(counted, job=job), all_nodes=False)


@contextmanager
def counted_by(source: Path, job: dict[str, Any] | None = None, **options: Any) -> Iterator[tuple[Engine, Counted]]:
    prepared = prepare.prepare(source, job, options_of(**options), Run())
    with DuckDBEngine() as engine:
        yield engine, search_count.count(engine, prepared, Silent())


# --- seed_truth 2.2: adult/race-blind with each record's own k

LOSSES = [
    ["0", "0.2", "0.4", "0.7", "1"],
    ["0", "0.15", "0.35", "0.65", "1"],
    ["0", "0.3", "0.6", "1"],
    ["0", "0.8", "1"],
]
"""What each level loses by its author's word: age, education, marital-status, race."""

LEAST = {(1, 3, 1, 1), (2, 1, 2, 1), (4, 3, 1, 0)}
"""The nodes of distortion 39/80."""

MINIMAL = LEAST | {(3, 0, 2, 1), (4, 0, 1, 1), (3, 2, 1, 1), (4, 1, 3, 0), (3, 4, 2, 0), (4, 3, 0, 1)}


@pytest.fixture(scope="module")
def own_k(adult: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Adult with each record's k by its place in the file."""
    path = tmp_path_factory.mktemp("own") / "adult.parquet"
    duckdb.execute(
        f"""copy (
            select * exclude (file_row_number), case
                when file_row_number < 22792 then 2
                when file_row_number < 29304 then 3
                when file_row_number < 30932 then 4
                else 5
            end as want
            from read_parquet('{adult}', file_row_number = true)
        ) to '{path}' (format parquet)"""
    )
    return path


@pytest.fixture(scope="module")
def race_blind(own_k: Path) -> Iterator[tuple[Engine, Counted]]:
    with counted_by(own_k, qi=QI, hierarchies=["adult/race-blind"], k_column="want", max_suppression=0) as counting:
        yield counting


def own_k_run(own_k: Path, **options: Any) -> dict[str, Any]:
    return anonymize(
        own_k,
        options=options_of(
            qi=QI,
            hierarchies=["adult/race-blind"],
            set={"privacy": [{"model": "k-anonymity", "k-column": "want"}]},
            max_suppression=0,
            **options,
        ),
        run=Run(dry_run=True),
    )


def all_satisfying(result: FullDomainResult) -> set[Node]:
    return {node for node in result.lattice.nodes() if result.evaluator.satisfies(node)}


def test_each_record_has_its_published_k(own_k: Path) -> None:
    query = f"select want, count(*) from '{own_k}' group by want order by want"
    rows = duckdb.connect().execute(query).fetchall()
    assert rows == [(2, 22792), (3, 6512), (4, 1628), (5, 1629)]


@pytest.mark.parametrize("objective", ["distortion", "loss"])
def test_balanced_walks_as_published(own_k: Path, objective: str) -> None:
    manifest = own_k_run(own_k, algorithm="balanced", objective=objective, refine=False)
    assert chosen(manifest) == (3, 3, 2, 1)
    assert (manifest["classes"]["count"], manifest["classes"]["smallest"]) == (12, 411)
    assert manifest["metrics"]["distortion"] == pytest.approx(0.6875, abs=1e-12)
    assert manifest["metrics"]["precision"] == pytest.approx(1 / 3, abs=1e-12)
    assert manifest["metrics"]["loss"] == pytest.approx(0.559455, abs=5e-7)
    assert manifest["privacy"] == [
        {"model": "k-anonymity", "column": "want", "required": 5, "achieved": 411, "passed": True, "of": "rows"}
    ]
    assert "refined_from" not in manifest["recoding"]


@pytest.mark.parametrize("objective", ["distortion", "loss"])
def test_greedy_in_exact_numbers_ends_on_the_optimum(own_k: Path, objective: str) -> None:
    manifest = own_k_run(own_k, algorithm="greedy", objective=objective, refine=False)
    assert chosen(manifest) == (4, 3, 1, 0)
    assert (manifest["classes"]["count"], manifest["classes"]["smallest"]) == (30, 10)
    assert manifest["metrics"]["distortion"] == pytest.approx(0.4875, abs=1e-12)
    assert manifest["metrics"]["precision"] == pytest.approx(23 / 48, abs=1e-12)
    assert manifest["metrics"]["loss"] == pytest.approx(0.434461, abs=5e-7)
    assert not manifest["recoding"]["objective"]["proven"]


def cheapest_first(losses: Sequence[Sequence[Any]], top: Node, satisfies: Callable[[Node], bool]) -> Node:
    """The greedy walk with whatever numbers it is given: the least rise of the loss, ties to the first."""
    node = (0,) * len(top)
    while not satisfies(node):
        rises = [
            (losses[column][level + 1] - losses[column][level], column)
            for column, level in enumerate(node)
            if level < top[column]
        ]
        column = min(rises)[1]
        node = (*node[:column], node[column] + 1, *node[column + 1 :])
    return node


def test_the_published_greedy_answer_is_an_artefact_of_floating_point(race_blind: tuple[Engine, Counted]) -> None:
    """Steps of 0.3 tie; floats make 0.7 - 0.4 the least of them and 1 - 0.7 the greatest."""
    result = search(*race_blind, algorithm="greedy", refine=False)
    satisfies = result.evaluator.satisfies
    floats = [[float(loss) for loss in losses] for losses in LOSSES]
    exact = [[Fraction(loss) for loss in losses] for losses in LOSSES]
    published = cheapest_first(floats, result.lattice.top, satisfies)
    assert published == (4, 3, 2, 0)
    assert result.evaluator.figures(published).classes == 20
    assert result.evaluator.figures(published).smallest == 26
    assert cheapest_first(exact, result.lattice.top, satisfies) == (4, 3, 1, 0) == result.node


def test_102_of_300_nodes_satisfy_and_nine_are_minimal(own_k: Path, race_blind: tuple[Engine, Counted]) -> None:
    result = search(*race_blind, algorithm="bidirectional", objective="distortion")
    satisfying = all_satisfying(result)
    assert (result.lattice.size, len(satisfying)) == (300, 102)
    assert minimal_of(satisfying) == MINIMAL
    assert result.outcome.node in LEAST
    manifest = own_k_run(own_k, algorithm="bidirectional", objective="distortion")
    minimal = [tuple(node.values()) for node in manifest["recoding"]["minimal"]]
    assert set(minimal) == MINIMAL
    assert len(minimal) == 9
    assert minimal[0] == chosen(manifest) == min(LEAST, key=lambda node: (sum(node), node))
    assert not manifest["recoding"]["objective"]["proven"]


def test_the_hierarchies_as_printed_give_their_published_figures(own_k: Path, tmp_path: Path) -> None:
    """Seed 000's: three groups of race, and an age whose third level is not nested."""
    printed = (FIXTURES / "seed000/age.yaml").read_text()
    (tmp_path / "age.yaml").write_text(f"{printed}\nnested: false\nloss: [0, 0.2, 0.4, 0.7, 1]\n")
    hierarchies = ["adult/life-stages", f"age={tmp_path / 'age.yaml'}"]
    job = {"columns": {name: {"role": "quasi-identifier"} for name in QI}}
    options = {"k_column": "want", "max_suppression": 0, "hierarchies": hierarchies}
    with counted_by(own_k, job, **options) as (engine, counted):
        every = search(engine, counted)
        assert every.lattice.size == 400
        assert sum(map(every.evaluator.satisfies, every.lattice.nodes())) == 113
        optimal = search(engine, counted, objective="distortion").outcome
        assert (optimal.node, optimal.ties) == ((4, 3, 1, 0), ())
        assert search(engine, counted, algorithm="greedy", refine=False).node == (4, 3, 1, 0)
        balanced = search(engine, counted, algorithm="balanced", refine=False)
        figures = balanced.evaluator.figures(balanced.node)
        assert balanced.node == (2, 3, 2, 2)
        assert (figures.classes, figures.smallest) == (48, 8)


def minimal_of(nodes: set[Node]) -> set[Node]:
    return {node for node in nodes if not any(other != node and is_above(node, other) for other in nodes)}


def test_the_optimum_is_one_of_three_and_names_the_other_two(own_k: Path) -> None:
    manifest = own_k_run(own_k, objective="distortion")
    best = min(LEAST, key=lambda node: (sum(node), node))
    assert chosen(manifest) == best
    assert ties(manifest) == LEAST - {best}
    objective = manifest["recoding"]["objective"]
    assert objective["value"] == objective["bound"] == pytest.approx(39 / 80, abs=1e-12)
    assert objective["gap"] == 0.0
    assert objective["proven"]
    assert manifest["recoding"]["visited"] < 300


@pytest.mark.parametrize(
    ("k", "count", "least", "best"),
    [
        (2, 120, Fraction(7, 16), {(1, 1, 2, 1), (4, 1, 2, 0)}),
        (3, 113, Fraction(7, 16), {(1, 1, 2, 1)}),
        (5, 100, Fraction(39, 80), LEAST),
        (10, 86, Fraction(39, 80), {(2, 1, 2, 1), (4, 3, 1, 0)}),
    ],
)
def test_uniform_k_has_its_published_figures(
    race_blind: tuple[Engine, Counted], k: int, count: int, least: Fraction, best: set[Node]
) -> None:
    engine, counted = race_blind
    counted = replace(counted, plan=replace(counted.plan, requirement=Requirement(KAnonymity(k=k))))
    result = search(engine, counted, objective="distortion")
    assert {result.node, *result.outcome.ties} == best
    assert result.evaluator.objective.published(result.outcome.bound) == pytest.approx(float(least), abs=1e-12)
    satisfying = all_satisfying(result)
    assert len(satisfying) == count
    if k == 5:
        own = all_satisfying(search(*race_blind))
        assert own - satisfying == {(3, 0, 2, 1), (3, 0, 2, 2)}
        assert satisfying < own


@pytest.mark.parametrize(("algorithm", "objective"), [("greedy", "loss"), ("balanced", "distortion")])
def test_refinement_leaves_no_satisfying_node_below(own_k: Path, algorithm: str, objective: str) -> None:
    """Without suppressed rows every step down costs less, so that the end is a minimal node."""
    straight = own_k_run(own_k, algorithm=algorithm, objective=objective, refine=False)
    refined = own_k_run(own_k, algorithm=algorithm, objective=objective)
    assert chosen(refined) in MINIMAL
    assert refined["recoding"]["objective"]["value"] <= straight["recoding"]["objective"]["value"]
    if chosen(refined) == chosen(straight):
        assert "refined_from" not in refined["recoding"]
    else:
        assert tuple(refined["recoding"]["refined_from"].values()) == chosen(straight)
    assert (chosen(straight) in MINIMAL) == (chosen(refined) == chosen(straight))


# --- seed_truth 1.5


def test_the_optimum_may_be_none_of_the_minimal_nodes(adult: Path) -> None:
    """Suppressed rows count as lost, so that the bottom satisfies and loses more than (1, 0, 0, 0)."""
    names = ("age", "sex", "race", "marital-status")
    with counted_by(
        adult, qi=names, hierarchies=["adult/five-year"], k=2, max_suppression=750, missing=["?"], missing_policy="drop"
    ) as counting:
        best = search(*counting)
        assert best.outcome.proven
        assert best.node == (1, 0, 0, 0)
        assert 4 * best.evaluator.objective.published(best.outcome.bound) == pytest.approx(0.0703, abs=5e-5)
        lowest = search(*counting, algorithm="bidirectional")
        assert lowest.outcome.minimal == ((0, 0, 0, 0),)
        assert lowest.node == (0, 0, 0, 0)
        assert 4 * lowest.evaluator.objective.published(lowest.evaluator.value(lowest.node)) == pytest.approx(0.0720, abs=5e-5)
        for walk in WALKS:
            assert search(*counting, algorithm=walk).node == (0, 0, 0, 0)


# --- small lattices against brute force


@st.composite
def asking_tables(draw: st.DrawFn) -> tuple[oracle.Table, int]:
    """Rows with a k of their own, or with persons, or with both; k that holds beside, and losses that the levels state."""
    table = draw(tables())
    kind = draw(st.sampled_from(["own k", "persons", "both"]))
    size = len(table.rows)
    asks = draw(st.lists(st.integers(1, 6), min_size=size, max_size=size)) if kind != "persons" else []
    persons = draw(st.lists(st.sampled_from([None, *"abcdefgh"]), min_size=size, max_size=size)) if kind != "own k" else []
    losses = []
    for height in table.heights:
        inner = draw(st.lists(st.integers(0, 10), min_size=height - 1, max_size=height - 1))
        losses.append([Fraction(loss, 10) for loss in (0, *sorted(inner), 10)])
    return replace(table.asking(asks, persons), levels=losses), draw(st.integers(1, 5))


@contextmanager
def counted_table(
    folder: Path, table: oracle.Table, k: int, columns: Sequence[dict[str, Any]] = ()
) -> Iterator[tuple[Engine, Counted]]:
    names = [f"c{number}" for number in range(len(table.hierarchies))]
    rows: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in table.rows]
    for number, row in enumerate(rows):
        row["want"] = table.asks[number] if table.asks else 1
        row["person"] = table.persons[number] if table.persons else "x"
    source = write_parquet(folder / "in.parquet", rows)
    declared: dict[str, Any] = {}
    for number, name in enumerate(names):
        write_table(folder / f"{name}.csv", list(table.hierarchies[number].values()))
        hierarchy: dict[str, Any] = {"kind": "table", "file": str(folder / f"{name}.csv")}
        if table.levels:
            hierarchy["loss"] = [str(float(loss)) for loss in table.levels[number]]
        declared[name] = {"role": "quasi-identifier", "hierarchy": hierarchy, **(columns[number] if columns else {})}
    requirement: dict[str, Any] = {"model": "k-anonymity", "k": k} | ({"k-column": "want"} if table.asks else {})
    job = {"columns": declared, "privacy": [requirement]} | ({"entity": "person"} if table.persons else {})
    with counted_by(source, job) as counting:
        yield counting


def named(objective: str, aggregate: str) -> str:
    return f"loss {aggregate}" if objective == "loss" else objective


def satisfying_of(
    table: oracle.Table, nodes: Sequence[Node], k: int, limit: int, weights: Sequence[Fraction], *, stars: bool
) -> dict[Node, oracle.Judged]:
    judged = {node: oracle.judge(table, node, k, list(weights), stars=stars) for node in nodes}
    return {node: entry for node, entry in judged.items() if entry.suppressed <= limit and entry.suppressed < len(table.rows)}


@settings(max_examples=levels.at_most(10))
@given(asking=asking_tables(), limit=st.integers(0, 40), data=st.data())
def test_optimal_equals_brute_force_where_records_or_persons_ask(
    tmp_path: Path, asking: tuple[oracle.Table, int], limit: int, data: st.DataObject
) -> None:
    """Every objective, dropped and masked, between bounds of the levels."""
    table, k = asking
    weights = [data.draw(st.sampled_from([1, 2, 3])) for _ in table.hierarchies]
    lows = [data.draw(st.integers(0, height)) for height in table.heights]
    highs = [data.draw(st.integers(low, height)) for low, height in zip(lows, table.heights, strict=True)]
    columns = [
        {"weight": weight, "min-level": low, "max-level": high} for weight, low, high in zip(weights, lows, highs, strict=True)
    ]
    nodes = list(Lattice(tuple(lows), tuple(highs)).nodes())
    with counted_table(tmp_path, table, k, columns) as counting:
        for style in ("drop", "star") if not table.persons else ("drop",):
            satisfying = satisfying_of(table, nodes, k, limit, [Fraction(weight) for weight in weights], stars=style == "star")
            for objective, aggregate in [*OBJECTIVES, ("distortion", "mean")]:
                name = named(objective, aggregate)
                ranked = sorted(satisfying, key=lambda node: oracle.rank(satisfying[node], name, node))
                best = search(*counting, limit=limit, style=style, objective=objective, aggregate=aggregate)
                assert best.outcome.proven
                if not ranked:
                    assert best.outcome.node is None
                    continue
                least = oracle.rank(satisfying[ranked[0]], name, ranked[0])[0]
                tied = [node for node in ranked if oracle.rank(satisfying[node], name, node)[0] == least]
                assert [best.outcome.node, *best.outcome.ties] == tied, (name, style)
                value = best.evaluator.objective.published(best.outcome.bound)
                assert value == pytest.approx(float(satisfying[ranked[0]].objectives[name]), rel=1e-9, abs=1e-9)
                assert best.evaluator.figures(ranked[0]).suppressed == satisfying[ranked[0]].suppressed


@pytest.mark.slow
@settings(max_examples=levels.at_most(10))
@given(asking=asking_tables(), limit=st.integers(0, 40))
def test_the_other_searches_end_where_they_say(tmp_path: Path, asking: tuple[oracle.Table, int], limit: int) -> None:
    table, k = asking
    weights = [Fraction(1)] * len(table.hierarchies)
    with counted_table(tmp_path, table, k) as counting:
        for style in ("drop", "star") if not table.persons else ("drop",):
            satisfying = satisfying_of(table, table.nodes(), k, limit, weights, stars=style == "star")
            lowest = search(*counting, limit=limit, style=style, algorithm="samarati").outcome
            assert lowest.node == min(satisfying, key=lambda node: (sum(node), node), default=None)
            both = search(*counting, limit=limit, style=style, algorithm="bidirectional").outcome
            minimal = minimal_of(set(satisfying))
            assert set(both.minimal) == minimal
            assert len(both.minimal) == len(minimal)
            assert both.node == oracle.best(table, sorted(minimal), k, limit, "loss mean", weights, stars=style == "star")
            for walk in WALKS:
                assert_walk(counting, table, satisfying, walk, limit=limit, style=style)


def assert_walk(
    counted: tuple[Engine, Counted], table: oracle.Table, satisfying: dict[Node, oracle.Judged], walk: str, **how: Any
) -> None:
    """A walk ends on a satisfying node where the top is one; refined, no step down satisfies and is as good."""
    top = tuple(table.heights)
    straight = search(*counted, algorithm=walk, refine=False, **how).outcome
    if straight.node is None:
        assert top not in satisfying
        return
    assert straight.node in satisfying
    assert straight.refined_from is None
    if walk == "greedy" and top in satisfying:
        assert straight.node == cheapest_first(table.levels, top, satisfying.__contains__)
    for objective, aggregate in OBJECTIVES:
        name = named(objective, aggregate)
        refined = search(*counted, algorithm=walk, objective=objective, aggregate=aggregate, **how).outcome
        assert refined.node in satisfying
        assert refined.refined_from == (straight.node if refined.node != straight.node else None)
        value = oracle.rank(satisfying[refined.node], name, refined.node)[0]
        assert value <= oracle.rank(satisfying[straight.node], name, straight.node)[0]
        for column, level in enumerate(refined.node):
            step = (*refined.node[:column], level - 1, *refined.node[column + 1 :])
            assert step not in satisfying or oracle.rank(satisfying[step], name, step)[0] > value, (walk, name)


@given(table=tables(), k=st.integers(1, 8))
def test_greedy_takes_its_steps(tmp_path: Path, table: oracle.Table, k: int) -> None:
    """Without stated losses it raises the column whose `loss_j` rises least."""
    total = len(table.rows)
    leaves = [
        [sum(line[level] == hierarchy[row[column]][level] for line in hierarchy.values()) for row in table.rows]
        for column, hierarchy in enumerate(table.hierarchies)
        for level in range(table.heights[column] + 1)
    ]
    losses = []
    for column, hierarchy in enumerate(table.hierarchies):
        of_levels = [leaves.pop(0) for _ in range(table.heights[column] + 1)]
        span = max(1, len(hierarchy) - 1)
        losses.append([Fraction(sum(column_losses) - total, total * span) for column_losses in of_levels])
    top = tuple(table.heights)
    satisfying = satisfying_of(table, table.nodes(), k, 0, [Fraction(1)] * len(top), stars=False)
    with counted_table(tmp_path, table, k) as counting:
        end = search(*counting, algorithm="greedy", refine=False, limit=0).outcome.node
        assert end == (cheapest_first(losses, top, satisfying.__contains__) if top in satisfying else None)


# --- searches that end early

ALL9 = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class")


@pytest.fixture(scope="module")
def nine(shared: Path) -> Iterator[tuple[Engine, Counted]]:
    folder = shared / "data/arx-adult"
    with counted_by(folder / "adult.csv", qi=ALL9, hierarchies=[str(folder)], k=5, max_suppression="5%") as counting:
        yield counting


@pytest.mark.slow
def test_a_search_that_ends_early_tells_a_bound_that_holds(nine: tuple[Engine, Counted]) -> None:
    whole = search(*nine)
    assert whole.outcome.proven
    assert whole.evaluator.stopped is None
    optimum = whole.evaluator.value(whole.node)
    visited = len(whole.evaluator.visited)
    bounds = []
    for most in (1, 2, 5, 20, 50, 100, visited // 2):
        result = search(*nine, max_nodes=most)
        assert result.evaluator.stopped == "max-nodes"
        assert len(result.evaluator.visited) == most
        assert not result.outcome.proven
        assert result.outcome.node is not None
        assert result.outcome.ties == ()
        assert result.evaluator.satisfies(result.outcome.node)
        assert result.outcome.bound <= optimum <= result.evaluator.value(result.outcome.node)
        bounds.append(result.outcome.bound)
    assert bounds == sorted(bounds)
    descent = len(search(*nine, algorithm="descent").evaluator.visited)
    enough = search(*nine, max_nodes=visited + descent)  # a limited search begins with the path of `descent`
    assert enough.evaluator.stopped is None
    assert enough.outcome == whole.outcome
    at_once = search(*nine, time_limit=1e-9)
    assert at_once.evaluator.stopped == "time-limit"
    assert len(at_once.evaluator.visited) == 1
    assert at_once.outcome.node == whole.lattice.top
    assert at_once.outcome.bound <= optimum


@pytest.mark.parametrize("algorithm", ["samarati", "bidirectional"])
@pytest.mark.parametrize("most", [1, 5, 50])
def test_other_searches_that_end_early_satisfy_too(nine: tuple[Engine, Counted], algorithm: str, most: int) -> None:
    result = search(*nine, algorithm=algorithm, max_nodes=most)
    assert result.evaluator.stopped == "max-nodes"
    assert result.outcome.node is not None
    assert result.evaluator.satisfies(result.outcome.node)
    assert result.outcome.minimal == ()
    assert not result.outcome.proven


def test_refinement_that_ends_early_keeps_where_the_walk_ended(nine: tuple[Engine, Counted]) -> None:
    straight = search(*nine, algorithm="greedy", refine=False)
    steps = len(straight.evaluator.visited)
    cut = search(*nine, algorithm="greedy", max_nodes=steps)
    assert cut.evaluator.stopped == "max-nodes"
    assert cut.node == straight.node
    assert cut.outcome.refined_from is None


def test_the_manifest_tells_that_and_why_a_search_ended_early(shared: Path, cli: Cli) -> None:
    folder = shared / "data/arx-adult"
    names = ",".join(ALL9)
    run = cli(
        *("anonymize", folder / "adult.csv", "--qi", names, "--hierarchies", folder),
        *("--dry-run", "--json", "-q", "--set", "recoding.max-nodes=5"),
        code=0,
    )
    recoding = run.manifest["recoding"]
    objective = recoding["objective"]
    assert recoding["stopped"] == "max-nodes"
    assert recoding["visited"] == 5
    assert not objective["proven"]
    assert 0 <= objective["bound"] <= objective["value"]
    assert objective["gap"] == pytest.approx((objective["value"] - objective["bound"]) / objective["value"])
    assert run.manifest["rows"]["suppressed"] <= run.manifest["suppression"]["rows"]


@pytest.mark.parametrize("algorithm", ["optimal", "samarati", "bidirectional"])
def test_ninety_five_trillion_nodes_end_in_seconds(tmp_path: Path, algorithm: str) -> None:
    names = [f"a{number}" for number in range(20)]
    duckdb.execute(
        f"""copy (
            select {", ".join(f"hash(i * 31 + {number}) % 16 as {name}" for number, name in enumerate(names))}
            from range(2000) as t(i)
        ) to '{tmp_path / "in.parquet"}' (format parquet)"""
    )
    write_table(tmp_path / "h.csv", [[str(v), f"a{v // 2}", f"b{v // 4}", f"c{v // 8}", "*"] for v in range(16)])
    started = time.process_time()
    manifest = anonymize(
        tmp_path / "in.parquet",
        options=Options(
            qi=names,
            hierarchies=[f"{name}={tmp_path / 'h.csv'}" for name in names],
            set={"recoding.max-nodes": 50},
            algorithm=algorithm,
        ),
        run=Run(dry_run=True),
    )
    assert manifest["recoding"]["lattice"] == 5**20
    assert manifest["recoding"]["visited"] == 50
    assert manifest["recoding"]["stopped"] == "max-nodes"
    assert manifest["rows"]["suppressed"] <= 100
    assert time.process_time() - started < 30


@pytest.mark.slow
@settings(max_examples=levels.at_most(10))
@given(asking=asking_tables(), limit=st.integers(0, 40), most=st.integers(1, 12))
def test_bounds_hold_on_small_lattices(tmp_path: Path, asking: tuple[oracle.Table, int], limit: int, most: int) -> None:
    table, k = asking
    weights = [Fraction(1)] * len(table.hierarchies)
    satisfying = satisfying_of(table, table.nodes(), k, limit, weights, stars=False)
    top = tuple(table.heights)
    with counted_table(tmp_path, table, k) as counting:
        for objective, aggregate in [*OBJECTIVES, ("distortion", "mean")]:
            how: dict[str, Any] = {"objective": objective, "aggregate": aggregate, "limit": limit}
            whole, cut = search(*counting, **how), search(*counting, max_nodes=most, **how)
            if top in satisfying:
                assert cut.outcome.node in satisfying
            if whole.outcome.node is not None:
                assert cut.outcome.bound <= whole.outcome.bound
            if cut.evaluator.stopped is None:
                assert cut.outcome == whole.outcome
            else:
                assert not cut.outcome.proven


@settings(max_examples=levels.at_most(10))
@given(asking=asking_tables(), limit=st.integers(0, 40))
def test_neither_more_nodes_nor_a_more_general_search_loses_more(
    tmp_path: Path, asking: tuple[oracle.Table, int], limit: int
) -> None:
    table, k = asking
    weights = [Fraction(1)] * len(table.hierarchies)
    best = oracle.best(table, table.nodes(), k, limit, "loss mean", weights)
    with counted_table(tmp_path, table, k) as counting:

        def loss(most: int | None, algorithm: str) -> float:
            result = search(*counting, limit=limit, max_nodes=most, algorithm=algorithm)
            if result.outcome.node is None:
                return math.inf
            judged = oracle.judge(table, result.outcome.node, k, weights)
            assert judged.suppressed <= limit
            return float(judged.objectives["loss mean"])

        for algorithm in ("optimal", "descent"):
            losses = [loss(most, algorithm) for most in (1, 2, 3, 5, 8, 13, 21, None)]
            assert losses == sorted(losses, reverse=True)
        for most in (1, 2, 3, 5, 8, 13, None):
            assert loss(most, "optimal") <= loss(most, "descent")
        optimum = loss(None, "optimal")
    assert (
        (optimum == math.inf)
        if best is None
        else optimum == float(oracle.judge(table, best, k, weights).objectives["loss mean"])
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [("--set", "recoding.max-nodes=0"), ("--set", "recoding.max-nodes=x"), ("--time-limit", "0"), ("--time-limit", "-1")],
)
def test_a_budget_of_nothing_is_refused(tmp_path: Path, cli: Cli, option: str, value: str) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 20}] * 10)
    assert "Traceback" not in cli("anonymize", "in.parquet", "--qi", "age", option, value, code=2).err


# --- the most that a column may lose


@settings(max_examples=levels.at_most(10))
@given(table=tables(), k=st.integers(1, 8), limit=st.integers(0, 40), data=st.data())
def test_no_column_loses_more_than_it_may(tmp_path: Path, table: oracle.Table, k: int, limit: int, data: st.DataObject) -> None:
    """Suppressed rows are lost; a column's loss may reach its bound, and not exceed it."""
    weights = [Fraction(1)] * len(table.hierarchies)
    every = {node: oracle.judge(table, node, k, weights) for node in table.nodes()}
    possible = sorted({judged.losses[0] for judged in every.values()} | {Fraction(1, 2), Fraction(1)})
    exact = [loss for loss in possible if is_decimal(loss)]
    bounds = [data.draw(st.sampled_from(exact))] + [
        data.draw(st.sampled_from([None, Fraction(3, 10), Fraction(7, 10)])) for _ in weights[1:]
    ]
    columns = [{} if bound is None else {"max-loss": as_decimal(bound)} for bound in bounds]
    satisfying = {
        node: judged
        for node, judged in every.items()
        if judged.suppressed <= limit
        and judged.suppressed < len(table.rows)
        and all(bound is None or loss <= bound for bound, loss in zip(bounds, judged.losses, strict=True))
    }
    with counted_table(tmp_path, table, k, columns) as counting:
        for objective, aggregate in OBJECTIVES:
            name = named(objective, aggregate)
            outcome = search(*counting, limit=limit, objective=objective, aggregate=aggregate).outcome
            assert outcome.node == min(satisfying, key=lambda node: oracle.rank(satisfying[node], name, node), default=None)
        lowest = search(*counting, limit=limit, algorithm="samarati").outcome.node
        assert lowest == min(satisfying, key=lambda node: (sum(node), node), default=None)
        minimal = search(*counting, limit=limit, algorithm="bidirectional").outcome.minimal
        assert set(minimal) == minimal_of(set(satisfying))
        for walk in WALKS:
            end = search(*counting, limit=limit, algorithm=walk).outcome.node
            assert end is None or end in satisfying


def is_decimal(value: Fraction) -> bool:
    """Whether a job file can say the number exactly."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def as_decimal(value: Fraction) -> str:
    return str(Decimal(value.numerator) / Decimal(value.denominator))


def losing(folder: Path) -> list[str]:
    """Ten values, five a label: level 1 loses 4/9 of the column."""
    write_parquet(folder / "in.parquet", [{"q": number % 10, "ill": "x"} for number in range(100)])
    write_table(folder / "q.csv", [[str(value), f"g{value // 5}", "*"] for value in range(10)])
    return ["anonymize", "in.parquet", "--qi", "q", "--hierarchies", "q=q.csv", "--dry-run", "-q"]


def test_a_bound_rules_the_levels_above_out(tmp_path: Path, cli: Cli) -> None:
    arguments = losing(tmp_path)
    free = cli(*arguments, "--k", "60", "--json")
    assert free.manifest["recoding"]["levels"] == {"q": 2}
    held = cli(*arguments, "--k", "60", "--set", "columns.q.max-loss=0.5", code=1)
    assert "raise max-loss: --set columns.q.max-loss=" in held.err
    kept = cli(*arguments, "--k", "40", "--set", "columns.q.max-loss=0.5", "--json", code=0)
    assert kept.manifest["recoding"]["levels"] == {"q": 1}
    assert kept.manifest["recoding"]["lattice"] == 2
    assert kept.manifest["metrics"]["loss_by_attribute"]["q"] == pytest.approx(4 / 9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "columns.p.max-loss=0.5"], "--set names the column 'p', which has no role"),
        (["--set", "columns.q.max-loss=1.5"], "max-loss"),
        (["--set", "columns.q.max-loss=-0.1"], "max-loss"),
        (["--set", "columns.q.max-loss=much"], "max-loss"),
    ],
)
def test_a_bound_that_is_none_is_refused(tmp_path: Path, cli: Cli, options: list[str], message: str) -> None:
    run = cli(*losing(tmp_path), *options, code=2)
    assert message in run.err
    assert "Traceback" not in run.err


def test_a_bound_that_no_level_keeps_is_refused(tmp_path: Path, cli: Cli) -> None:
    losing(tmp_path)
    (tmp_path / "job.yaml").write_text(
        "version: 1\ncolumns:\n  q: {role: quasi-identifier, hierarchy: q.csv, min-level: 1, max-loss: 0.4}\n"
    )
    run = cli("anonymize", "in.parquet", "--job", "job.yaml", "--dry-run", code=2)
    assert "the loss of column 'q' exceeds its max-loss 0.4 on every level from 1 up; raise its max-loss" in run.err


def test_a_bound_holds_a_chosen_node_too(tmp_path: Path) -> None:
    losing(tmp_path)
    how: dict[str, Any] = {"qi": ["q"], "hierarchies": [f"q={tmp_path / 'q.csv'}"], "k": 2, "levels": {"q": 1}}
    with pytest.raises(Infeasible, match=r"raise max-loss: --set columns\.q\.max-loss="):
        anonymize(tmp_path / "in.parquet", options=options_of(**how, set={"columns.q.max-loss": "0.4"}), run=Run(dry_run=True))
    manifest = anonymize(
        tmp_path / "in.parquet", options=options_of(**how, set={"columns.q.max-loss": "0.45"}), run=Run(dry_run=True)
    )
    assert manifest["metrics"]["loss_by_attribute"]["q"] == pytest.approx(4 / 9)


def test_distortion_needs_hierarchies_that_state_losses(tmp_path: Path) -> None:
    losing(tmp_path)
    with pytest.raises(JobError, match="declares none; give it `loss:"):
        anonymize(
            tmp_path / "in.parquet",
            options=Options(qi=["q"], hierarchies=[f"q={tmp_path / 'q.csv'}"], set={"recoding.objective": "distortion"}),
            run=Run(dry_run=True),
        )


# --- sets of nodes closed downwards


@settings(max_examples=200)
@given(data=st.data())
def test_what_a_down_set_says_of_a_node_is_so(data: st.DataObject) -> None:
    top = tuple(data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=4)))
    lattice = Lattice((0,) * len(top), top)
    assert lattice.size == math.prod(level + 1 for level in top)
    node = st.tuples(*(st.integers(0, level) for level in top))
    members = data.draw(st.lists(node, max_size=8))
    down_set = DownSet(lattice)
    for member in members:
        down_set.add(member)
    for candidate in lattice.nodes():
        above = [member for member in members if is_above(member, candidate)]
        covering = down_set.covering(candidate)
        assert (candidate in down_set) == bool(above)
        if covering is None:
            assert not above
            continue
        assert covering in above
        assert not any(other != covering and is_above(other, covering) for other in members), "it is a maximal one"


@given(data=st.data())
def test_sets_of_nodes_are_closed_and_have_maximal_members(data: st.DataObject) -> None:
    ends = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=4))
    lattice = Lattice(tuple(low for low, _ in ends), tuple(low + more for low, more in ends))
    nodes, sets = list(lattice.nodes()), NodeSets(lattice)
    bits = [sets.bit(node) for node in nodes]
    assert sorted(bits) == list(range(lattice.size))
    members = data.draw(st.lists(st.sampled_from(nodes), max_size=8))
    packed = sets.of(map(sets.bit, members))
    below = [bit for bit, node in zip(bits, nodes, strict=True) if any(is_above(member, node) for member in members)]
    assert sets.members(bits, sets.closed(packed)) == below
    highest = {member for member in members if not any(other != member and is_above(other, member) for other in members)}
    assert set(sets.members(bits, sets.maximal(packed))) == set(map(sets.bit, highest))
    assert sets.members(bits, sets.of(bits)) == bits

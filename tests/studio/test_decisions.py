"""Decisions of the studio against runs of the command line: the same levels, losses, suppressed rows and risks at every k and limit."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.errors import DuckanonError
from duckanon.job.options import Options, Run
from duckanon.job.prepare import prepare
from duckanon.observers import Silent
from duckanon.search.variants import variant
from duckanon.studio.analysis import before_and_after
from duckanon.studio.decisions import Decisions
from duckanon.studio.nodes import Counts
from tests.support import levels
from tests.support.runs import anonymize

QI = ("age", "sex", "race", "marital-status")


def content(k: int = 5, limit: str = "1%", **more: Any) -> dict[str, Any]:
    """A job of the demo's people."""
    columns = {name: {"role": "quasi-identifier", "hierarchy": f"adult/five-year/{name}"} for name in QI}
    return {
        "columns": {**columns, "occupation": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": k}, *more.pop("models", [])],
        "suppression": {"limit": limit},
        **more,
    }


class Desk:
    """Counts and decisions over one engine, as the studio keeps them."""

    def __init__(self, engine: DuckDBEngine, people: Path) -> None:
        self.engine = engine
        self.people = people
        self.counts: Counts | None = None

    def decisions(self, job: dict[str, Any]) -> tuple[Decisions, Any]:
        """The decisions over the counts that the job needs, swept."""
        prepared = prepare(self.people, job, Options(), Run())
        counted = self.counts.under(prepared.job) if self.counts is not None else None
        if self.counts is None or counted is None:
            columns = self.counts.counted.columns if self.counts is not None else ()
            self.counts = Counts.of(self.engine, prepared, columns, Silent())
            self.own = Decisions(self.engine, self.counts)
            for _ in self.counts.swept():
                pass
            counted = self.counts.counted
        return self.own, counted

    def decided(self, job: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """The decision of a job."""
        decisions, counted = self.decisions(job)
        return decisions.decided(counted, seconds, lambda: False)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    from duckanon.workflows.demo import demo

    people = tmp_path_factory.mktemp("studio") / "people.parquet"
    demo(people, 20_000)
    with DuckDBEngine() as engine:
        yield Desk(engine, people)


def manifest(desk: Desk, job: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    return anonymize(desk.people, tmp_path / "out.parquet", job=job, overwrite=True)


@pytest.mark.parametrize(("limit", "k"), levels.spread(["0", "1%", "20%"], [2, 5, 49, 77, 1000]))
def test_a_decision_is_that_of_the_command_line(desk: Desk, tmp_path: Path, k: int, limit: str) -> None:
    """77 is no k of the sweep, so the search decides."""
    job = content(k, limit)
    decision, run = desk.decided(job), manifest(desk, job, tmp_path)
    assert decision["feasible"]
    assert decision["complete"]
    assert decision["levels"] == run["recoding"]["levels"]
    assert decision["loss"] == pytest.approx(run["metrics"]["loss"], abs=1e-12)
    assert {each["column"]: each["loss"] for each in decision["loss_by_column"]} == pytest.approx(
        run["metrics"]["loss_by_attribute"], abs=1e-12
    )
    assert (decision["suppressed"], decision["rows"]) == (run["rows"]["suppressed"], run["rows"]["read"])
    assert decision["classes"] == run["classes"]["count"]
    for side in ("before", "after"):
        assert decision["risk"][side]["highest"] == pytest.approx(run["risk"][side]["prosecutor"]["highest"])
        assert decision["risk"][side]["average"] == pytest.approx(run["risk"][side]["prosecutor"]["average"])
        assert decision["risk"][side]["uniques"] == run["risk"][side]["uniques"]


@pytest.mark.parametrize("aggregate", ["mean", "max", "geometric-mean"])
def test_every_aggregate_is_minimized(desk: Desk, tmp_path: Path, aggregate: str) -> None:
    job = content(10, "2%", recoding={"aggregate": aggregate})
    assert desk.decided(job)["levels"] == manifest(desk, job, tmp_path)["recoding"]["levels"]


@pytest.mark.parametrize(
    "model",
    [
        {"model": "l-diversity", "variant": "distinct", "l": 3, "column": "occupation"},
        {"model": "t-closeness", "t": 0.4, "column": "occupation"},
    ],
    ids=["distinct-l", "t-closeness"],
)
def test_a_sensitive_model_is_searched(desk: Desk, tmp_path: Path, model: dict[str, Any]) -> None:
    job = content(3, "5%", models=[model])
    decision, run = desk.decided(job), manifest(desk, job, tmp_path)
    assert decision["levels"] == run["recoding"]["levels"]
    assert [check["model"] for check in decision["models"]] == [check["model"] for check in run["privacy"]]
    assert all(check["passed"] for check in decision["models"])


def test_adversaries_are_shown(desk: Desk, tmp_path: Path) -> None:
    job = content(
        adversaries={"neighbour": {"columns": ["age", "sex"], "k": 10}, "employer": {"columns": list(QI[1:]), "k": 5}}
    )
    decision, run = desk.decided(job), manifest(desk, job, tmp_path)
    assert decision["levels"] == run["recoding"]["levels"]
    assert {each["name"]: each["columns"] for each in decision["adversaries"]} == {
        name: each["columns"] for name, each in run["risk"]["adversaries"].items()
    }


def test_the_best_so_far_is_shown_when_time_is_short(desk: Desk) -> None:
    job = content(2, "5%", models=[{"model": "t-closeness", "t": 0.1, "column": "occupation"}])
    short, whole = desk.decided(job, 1e-9), desk.decided(job)
    assert not short["complete"]
    assert whole["complete"]
    assert short["loss"] >= whole["loss"]


@pytest.mark.parametrize("limit", ["0", "5%"])
def test_other_values_of_k_are_decided_ahead(desk: Desk, limit: str) -> None:
    """Nearest first, each as if it was asked for by itself; then all nodes are counted, and nothing is left."""
    prepared = prepare(desk.people, content(20, limit), Options(), Run())
    counts = Counts.of(desk.engine, prepared, (), Silent())
    decisions = Decisions(desk.engine, counts)
    decisions.decided(counts.counted, None, lambda: False)
    steps = list(iter(decisions.ahead, None))
    assert [stage for stage, _ in steps] == sorted((stage for stage, _ in steps), key="deciding at other values of k".__ne__)
    assert all(0 <= share <= 1 for _, share in steps)
    assert counts.is_swept
    size = counts.lattice.size
    for k in (2, 19, 60, 1000):
        ahead = decisions.decided(variant(counts.counted, k=k), 0.0, lambda: False)
        fresh = Decisions(desk.engine, Counts.of(desk.engine, prepared, (), Silent()))
        alone = fresh.decided(variant(counts.counted, k=k), None, lambda: False)
        assert ahead["complete"]
        assert {**ahead, "visited": 0} == {**alone, "visited": 0}
        assert ahead["visited"] <= size


def test_a_value_of_k_with_little_time_is_decided_by_and_by(desk: Desk) -> None:
    """Each request counts at least one more node, and remembers it."""
    counts = Counts.of(desk.engine, prepare(desk.people, content(30, "3%"), Options(), Run()), (), Silent())
    decisions = Decisions(desk.engine, counts)
    losses = []
    for _ in range(counts.lattice.size):
        decision = decisions.decided(counts.counted, 0.0, lambda: False)
        losses.append(decision["loss"])
        if decision["complete"]:
            break
    assert decision["complete"]
    assert len(losses) > 1
    assert losses[-1] < losses[0]
    assert losses == sorted(losses, reverse=True)


def test_what_cannot_be_met_says_why(desk: Desk) -> None:
    decision = desk.decided(content(1000, "0") | {"privacy": [{"model": "k-anonymity", "k": 30_000}]})
    assert not decision["feasible"]
    assert "30,000" in decision["message"] or "20,000" in decision["message"]


def test_subgroups_are_those_of_the_rows(desk: Desk) -> None:
    """Counted again from the input and the labels of the chosen levels, which are the values themselves at level 0."""
    import duckdb

    decision = desk.decided(content(20, "30%"))
    groups = [group for group in decision["subgroups"] if decision["levels"][group["column"]] == 0]
    assert groups
    for group in groups:
        query = f"select count(*) from '{desk.people}' where \"{group['column']}\" = '{group['value']}'"
        [(rows,)] = duckdb.execute(query).fetchall()
        assert group["rows"] == rows
        assert 0 < group["suppressed"] <= rows


def test_the_lattice_holds_every_node_and_its_frontier(desk: Desk) -> None:
    decisions, counted = desk.decisions(content(5, "1%"))
    lattice = decisions.lattice(counted)
    assert lattice["complete"]
    assert len(lattice["nodes"]) == lattice["size"]
    [chosen] = [node for node in lattice["nodes"] if node["chosen"]]
    assert chosen["levels"] == desk.decided(content(5, "1%"))["levels"]
    front = [node for node in lattice["nodes"] if node["frontier"]]
    satisfying = [node for node in lattice["nodes"] if node["satisfies"]]
    assert chosen["loss"] == min(node["loss"] for node in satisfying)
    for node in satisfying:
        assert any(other["risk"] <= node["risk"] and other["loss"] <= node["loss"] for other in front)


def test_a_node_has_the_figures_of_a_run_at_its_levels(desk: Desk, tmp_path: Path) -> None:
    levels = dict(zip(QI, (2, 0, 1, 1), strict=True))
    decisions, counted = desk.decisions(content(5, "100%"))
    node = decisions.at_node(counted, levels)
    run = manifest(desk, content(5, "100%", recoding={"levels": levels}), tmp_path)
    assert (node["suppressed"], node["classes"]) == (run["rows"]["suppressed"], run["classes"]["count"])
    assert node["loss"] == pytest.approx(run["metrics"]["loss"], abs=1e-12)


def test_a_node_outside_of_the_lattice_is_refused(desk: Desk) -> None:
    decisions, counted = desk.decisions(content())
    with pytest.raises(DuckanonError, match="level 9 of 'age' is not allowed"):
        decisions.at_node(counted, {"age": 9})
    with pytest.raises(DuckanonError, match="'agee' is not a quasi-identifier of the job; did you mean 'age'"):
        decisions.at_node(counted, {"agee": 1})


@pytest.mark.parametrize("algorithm", ["local", "mondrian"])
def test_other_algorithms_are_further_points(desk: Desk, tmp_path: Path, algorithm: str) -> None:
    decisions, counted = desk.decisions(content())
    point = decisions.point(counted, algorithm, 60)
    run = manifest(desk, content(recoding={"algorithm": algorithm}), tmp_path)
    assert point["feasible"]
    assert point["loss"] == pytest.approx(run["metrics"]["loss"], abs=1e-9)
    assert point["risk"] == pytest.approx(run["risk"]["after"]["prosecutor"]["highest"])


def test_records_before_and_after(desk: Desk) -> None:
    job = content(200, "50%")
    decisions, counted = desk.decisions(job)
    levels = decisions.decided(counted, None, lambda: False)["levels"]
    shown = before_and_after(desk.engine, counted, levels, shows_records=True)
    assert len(shown["rows"]) == 20
    assert any(row["after"] is None for row in shown["rows"])
    place = shown["columns"].index("sex")
    assert {row["before"][place] for row in shown["rows"]} <= {"Male", "Female"}
    assert all(row["after"][place] in ("Male", "Female", "*") for row in shown["rows"] if row["after"])
    assert before_and_after(desk.engine, counted, levels, shows_records=False)["rows"] == []
    for column in shown["distributions"]:
        assert sum(bar["share"] for bar in column["before"]) == pytest.approx(1)
    assert len(shown["associations"]) == 6


def test_other_columns_are_counted_again(desk: Desk) -> None:
    desk.decided(content())
    before = desk.counts
    desk.decided(content(k=7))
    assert desk.counts is before
    fewer = content()
    fewer["columns"].pop("race")
    assert set(desk.decided(fewer)["levels"]) == {*QI} - {"race"}
    assert desk.counts is not before


K5 = {"model": "k-anonymity", "k": 5}


def _born(folder: Path) -> Path:
    """Persons with a birth date, whose labels are too many for a sweep; some persons have several rows."""
    chosen = Random(4)
    rows = [
        f"{chosen.randrange(700)},{date(1930, 1, 1) + timedelta(days=chosen.randrange(28_000))},{chosen.choice('FM')},"
        f"{chosen.choice(['nurse', 'clerk', 'cook', 'smith'])},{chosen.choice(['flu', 'gout', 'none'])}"
        for _ in range(1_000)
    ]
    path = folder / "born.csv"
    path.write_text("\n".join(["person,birth_date,sex,job,disease", *rows]) + "\n")
    return path


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"privacy": [K5, {"model": "t-closeness", "t": 0.3, "column": "disease"}]},
        {"suppression": {"limit": "20%", "style": "star"}},
        {"entity": "person"},
        {"recoding": {"aggregate": "max"}},
        {"recoding": {"algorithm": "local"}},
    ],
    ids=["k", "t", "star", "persons", "max", "local"],
)
def test_a_node_has_the_figures_of_a_run_on_every_tab(tmp_path: Path, more: dict[str, Any]) -> None:
    """The search knows many of its nodes only by bounds; none of them is shown as a figure. The oracle is a run at the levels of the node."""
    units = {"kind": "dates", "units": ["month", "year", "decade", "century"]}
    columns = {
        "birth_date": {"role": "quasi-identifier", "hierarchy": units},
        **{name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in ("sex", "job")},
        "disease": {"role": "sensitive"},
    }
    job = {"columns": columns, "privacy": [K5], "suppression": {"limit": "20%"}, "entity": "none", **more}
    source = _born(tmp_path)
    with DuckDBEngine() as engine:
        counts = Counts.of(engine, prepare(source, job, Options(), Run()), (), Silent())
        decisions = Decisions(engine, counts)
        decision = decisions.decided(counts.counted, None, lambda: False)
        first = decisions.lattice(counts.counted)
        list(iter(decisions.ahead, None))
        lattice = decisions.lattice(counts.counted)
        chosen = [node for node in lattice["nodes"] if node["chosen"]]
        if decision["levels"]:
            assert [node["levels"] for node in chosen] == [decision["levels"]]
            assert all(chosen[0][key] == pytest.approx(decision[key]) for key in ("loss", "suppressed", "classes"))
            assert first["proven"]
        assert lattice["complete"]
        assert len(lattice["nodes"]) == lattice["size"]
        satisfying = [node for node in lattice["nodes"] if node["satisfies"]]
        assert lattice["proven"] == (chosen[0]["value"] == min(node["value"] for node in satisfying))
        details = [(node, decisions.at_node(counts.counted, node["levels"])) for node in [*lattice["nodes"][::4], *chosen]]
    again = {str(node["levels"]): node for node in lattice["nodes"]}
    assert all(node["value"] is not None for node in first["nodes"])
    assert all(again[str(node["levels"])]["loss"] == node["loss"] for node in first["nodes"])
    for node, detail in details:
        assert all(node[key] == pytest.approx(detail[key]) for key in ("loss", "suppressed", "classes"))
        assert detail["feasible"] == node["satisfies"]
    for node in [*chosen, satisfying[0]]:
        fixed = job | {"recoding": {**job.get("recoding", {}), "algorithm": "optimal", "levels": node["levels"]}}
        run = anonymize(source, tmp_path / "out.csv", job=fixed, overwrite=True)
        assert node["loss"] == pytest.approx(run["metrics"]["loss"])
        assert node["suppressed"] == run["rows"]["suppressed"]
        assert node["risk"] == pytest.approx(run["risk"]["after"]["prosecutor"]["highest"])
        assert node["classes"] == run["classes"]["count"]

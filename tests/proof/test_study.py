"""What a study would find before and after a release, against pandas and numpy on the input and on the written file."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.errors import Infeasible
from duckanon.job.prepare import Run
from duckanon.observers import Silent
from duckanon.reports.regression import critical, inverted
from duckanon.reports.study import study
from duckanon.workflows.replay import recount, reopen
from tests.support import levels
from tests.support.oracles import study as oracle
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize

ROWS = st.tuples(st.integers(0, 2**20), st.integers(30, 90))

WAYS: list[dict[str, Any]] = [
    {},
    {"suppression": {"limit": "40%", "style": "star"}},
    {"recoding": {"algorithm": "local"}},
    {"recoding": {"algorithm": "mondrian"}},
    {"output": {"ranges": "bounds"}},
    {"output": {"ranges": "midpoint"}, "recoding": {"algorithm": "mondrian"}},
]


def table(seed: int, size: int) -> list[dict[str, Any]]:
    """Persons whose death and cost depend on their age and group."""
    random = Random(seed)
    rows = []
    for _ in range(size):
        age, group = random.randint(20, 79), random.choice("aaabbcdefgh")
        dead = random.random() < 0.2 + (age - 20) / 120 - 0.1 * (group == "a")
        cost = None if random.random() < 0.05 else 100 * random.random() + 3 * age + 40 * (group > "b")
        rows.append({"age": age, "group": group, "dead": ("no", "yes")[dead], "cost": cost})
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("study")
    write_table(made / "group.csv", [[value, "abc" if value < "d" else "rest", "*"] for value in "abcdefgh"])
    write_table(
        made / "age.csv",
        [
            [str(age), f"[{age // 5 * 5}, {age // 5 * 5 + 5})", f"[{age // 20 * 20}, {age // 20 * 20 + 20})", "*"]
            for age in range(20, 80)
        ],
    )
    return made


def studied(
    folder: Path, rows: Sequence[Mapping[str, Any]], way: Mapping[str, Any]
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """The released file as pandas reads it, and the part of the report about the study."""
    source = write_parquet(folder / "rows.parquet", [dict(row) for row in rows])
    job = {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": str(folder / "age.csv")},
            "group": {"role": "quasi-identifier", "hierarchy": str(folder / "group.csv")},
            "dead": {"role": "sensitive"},
            "cost": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "suppression": {"limit": "40%"},
        **way,
    }
    anonymize(source, folder / "out.parquet", job=job, run=Run(overwrite=True))
    released = pd.read_parquet(folder / "out.parquet")
    if "age_min" in released:
        bounds = released[["age_min", "age_max"]].astype(float)
        released["age"] = bounds.mean(axis=1)
    return released, study_of(folder / "out.parquet.manifest.json")


def study_of(manifest: Path) -> list[dict[str, Any]]:
    """The part of a report about a study, without the rest of the report, whose searches take seconds."""
    reopened = reopen(manifest, None, Run())
    with DuckDBEngine(Run().settings, Silent()) as engine:
        counted, _, recoding = recount(engine, reopened)
        return study(engine, counted, recoding)


def read(data: pd.DataFrame) -> pd.DataFrame:
    frame = oracle.frame(data, ["age", "cost"], ["group"])
    frame["dead"] = data["dead"].map({"yes": 1.0, "no": 0.0})
    return frame


@pytest.mark.parametrize("way", WAYS, ids=("dropped", "masked", "local", "mondrian", "bounds", "midpoint"))
@settings(max_examples=levels.at_most(3), deadline=None, phases=[Phase.explicit, Phase.generate])
@given(ROWS)
def test_every_figure_is_that_of_pandas(folder: Path, way: dict[str, Any], drawn: tuple[int, int]) -> None:
    rows = table(*drawn)
    try:
        released, document = studied(folder, rows, way)
    except Infeasible:
        return
    before = read(pd.DataFrame(rows))
    sides = {"before": before, "after": read(released)}
    assert {entry["outcome"] for entry in document} == {"dead", "cost"}
    for entry in document:
        name = entry["outcome"]
        if name == "dead" and entry["value"] == "no":
            for data in sides.values():
                data["dead"] = 1 - data["dead"]
        for side, data in sides.items():
            check_side(entry, side, data, before)
        check_counts(entry["model"])


def check_side(entry: Mapping[str, Any], side: str, data: pd.DataFrame, source: pd.DataFrame) -> None:
    name = entry["outcome"]
    assert entry[f"rows_{side}"] == data[name].notna().sum()
    assert entry[side] == approx(data[name].mean())
    [correlation] = entry["correlations"]
    assert correlation[side] == approx(pearson(data["age"], data[name]))
    groups = {group["group"]: group for column in entry["groups"] if column["column"] == "group" for group in column["groups"]}
    if side == "after" and groups:
        means = data.groupby("group")[name].agg(["mean", "count"])
        shown = {key: (row["count"], row["mean"]) for key, row in means.iterrows() if row["count"]}
        assert {key: group["rows_after"] for key, group in groups.items() if group["rows_after"]} == {
            key: count for key, (count, _) in shown.items()
        }
        assert all(groups[key]["after"] == approx(mean) for key, (_, mean) in shown.items())
    model = entry["model"]
    columns = list(dict.fromkeys(term["column"] for term in model["terms"] if term["column"] in ("age", "group")))
    keys, terms, outcome = oracle.design(data, source, columns, ["age"], name)
    if terms.shape[1] > 1:
        assert model[f"rows_{side}"] == len(terms)
    given = {(term["column"], term["level"], term["against"]): term[side] for term in model["terms"] if term[side] is not None}
    if not oracle.is_regular(terms) or outcome.nunique() < 2:
        return
    fit = oracle.FITS[model["kind"]]
    try:
        coefficients, errors = fit(terms, outcome)
    except np.linalg.LinAlgError:
        # a group in which all or none died
        return
    for key, coefficient, error in zip(keys, coefficients, errors, strict=True):
        if key[0] and abs(coefficient) < 8 and error < 20:
            assert given[key]["coefficient"] == pytest.approx(coefficient, rel=1e-5, abs=1e-6)
            assert given[key]["error"] == pytest.approx(error, rel=1e-4)


def pearson(first: pd.Series, second: pd.Series) -> float:
    both = first.notna() & second.notna()
    return first[both].corr(second[both]) if first[both].nunique() > 1 and second[both].nunique() > 1 else float("nan")


def approx(value: float) -> Any:
    return None if math.isnan(value) else pytest.approx(value, rel=1e-9, abs=1e-9)


def check_counts(model: Mapping[str, Any]) -> None:
    """The summary counts what the terms say."""
    both = [(term["before"], term["after"]) for term in model["terms"] if term["before"] and term["after"]]
    assert model["estimated"] == sum(term["before"] is not None for term in model["terms"])
    assert model["signs_kept"] == sum(before["coefficient"] * after["coefficient"] > 0 for before, after in both)
    assert model["significance_kept"] == sum(before["significant"] == after["significant"] for before, after in both)
    assert (
        model["sign_changed"] + model["signs_kept"] == len(both) == model["significance_changed"] + model["significance_kept"]
    )


def of(columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], tmp_path: Path, **job: Any) -> list[dict[str, Any]]:
    """What the report of a release says about a study; each column has its role, and rows with fewer than three alike are suppressed."""
    source = write_parquet(tmp_path / "in.parquet", [dict(row) for row in rows])
    content = {
        "columns": {name: {"role": role} for name, role in columns.items()},
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "suppression": {"limit": "100%"},
        **job,
    }
    anonymize(source, tmp_path / "out.parquet", job=content, run=Run(overwrite=True))
    return study_of(tmp_path / "out.parquet.manifest.json")


def test_suppression_that_turns_an_effect_is_seen(tmp_path: Path) -> None:
    """Of those who took the drug the ten who died are all of another place each, so that only survivors are left."""
    rows = [
        *({"drug": "yes", "place": f"p{number}", "died": 1} for number in range(10)),
        *({"drug": "yes", "place": "home", "died": int(number % 10 == 0)} for number in range(20)),
        *({"drug": "no", "place": "home", "died": int(number % 4 == 0)} for number in range(40)),
    ]
    roles = {"drug": "quasi-identifier", "place": "quasi-identifier", "died": "sensitive"}
    [entry] = of(roles, rows, tmp_path, recoding={"levels": {"drug": 0, "place": 0}})
    assert (entry["kind"], entry["value"]) == ("share", "1")
    moved = entry["largest_difference"]
    groups = {group["group"]: (group["before"], group["after"]) for column in entry["groups"] for group in column["groups"]}
    assert groups["yes"] == (pytest.approx(12 / 30), pytest.approx(2 / 20))
    assert groups["no"] == (pytest.approx(10 / 40), pytest.approx(10 / 40))
    assert (moved["column"], moved["group"]) == ("drug", "yes")
    assert entry["model"]["rows_before"] == 70
    [term] = [term for term in entry["model"]["terms"] if term["column"] == "drug"]
    assert term["after"]["coefficient"] == pytest.approx(
        (math.log(2 / 18) - math.log(10 / 30)) * (1 if term["level"] == "yes" else -1)
    )


def test_an_outcome_that_says_nothing_has_no_figures(tmp_path: Path) -> None:
    rows = [{"age": number % 4, "ill": "flu", "note": f"n{number}", "gone": None} for number in range(40)]
    roles = {"age": "quasi-identifier", "ill": "sensitive", "note": "sensitive", "gone": "sensitive"}
    by_name = {entry["outcome"]: entry for entry in of(roles, rows, tmp_path)}
    assert {name: (entry["kind"], entry["why"]) for name, entry in by_name.items()} == {
        "ill": ("none", "it has a single value"),
        "note": ("none", "it has 40 values and is no number"),
        "gone": ("none", "it has no value"),
    }


def test_a_column_that_shows_nothing_has_no_estimate_after(tmp_path: Path) -> None:
    rows = [{"age": number % 30, "sex": "mf"[number % 2], "cost": number % 30 + number % 7} for number in range(90)]
    roles = {"age": "quasi-identifier", "sex": "quasi-identifier", "cost": "sensitive"}
    [entry] = of(roles, rows, tmp_path, recoding={"levels": {"age": 0, "sex": 1}})
    [term] = [term for term in entry["model"]["terms"] if term["column"] == "sex"]
    assert term["before"] is not None
    assert term["after"] is None
    assert [group["column"] for group in entry["groups"]] == []


def test_masked_records_are_missing(tmp_path: Path) -> None:
    """Two thirds keep their age; the others are alone with it, and show `*`."""
    rows = [{"age": number % 20, "cost": number % 20 + number % 7} for number in range(60)]
    rows += [{"age": 100 + number, "cost": 0} for number in range(30)]
    star = {"limit": "100%", "style": "star"}
    [entry] = of(
        {"age": "quasi-identifier", "cost": "sensitive"}, rows, tmp_path, recoding={"levels": {"age": 0}}, suppression=star
    )
    assert (entry["rows_before"], entry["rows_after"]) == (90, 90)
    assert (entry["model"]["rows_before"], entry["model"]["rows_after"]) == (90, 60)
    kept = np.array([[row["age"], row["cost"]] for row in rows[:60]], dtype=float)
    [pair] = entry["correlations"]
    assert pair["after"] == pytest.approx(np.corrcoef(kept.T)[0, 1])
    assert pair["before"] < 0 < pair["after"]
    assert (entry["model"]["estimated"], entry["model"]["signs_kept"]) == (1, 0)


def test_a_value_that_separates_the_outcome_has_no_estimate_and_others_have(tmp_path: Path) -> None:
    rows = [
        {"ward": "abc"[number % 3], "sex": "mf"[number // 3 % 2], "dead": int(number % 3 == 0 or number % 7 < 2)}
        for number in range(120)
    ]
    roles = {"ward": "quasi-identifier", "sex": "quasi-identifier", "dead": "sensitive"}
    [entry] = of(roles, rows, tmp_path)
    estimates = {(term["column"], term["level"]): term["before"] for term in entry["model"]["terms"]}
    # all of ward a died, which is the value that the others are compared with
    assert estimates["ward", "b"] is None
    assert estimates["ward", "c"] is None
    assert any(estimate is not None for (column, _), estimate in estimates.items() if column == "sex")


def test_the_target_may_be_a_quasi_identifier(tmp_path: Path) -> None:
    rows = [{"age": 20 + number % 40, "sex": "mf"[number % 40 < 15], "ill": str(number % 2)} for number in range(400)]
    roles = {"age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"}
    [entry] = of(roles, rows, tmp_path, target="age")
    assert (entry["outcome"], entry["kind"], entry["model"]["kind"]) == ("age", "number", "linear")
    assert entry["before"] == pytest.approx(np.mean([row["age"] for row in rows]))
    assert [column["column"] for column in entry["groups"]] == ["sex"]
    assert [term["column"] for term in entry["model"]["terms"]] == ["sex"]


def test_two_columns_that_say_the_same_count_once(tmp_path: Path) -> None:
    rows = [{"age": number % 20, "born": 2000 - number % 20, "cost": number % 20 + number % 3} for number in range(200)]
    roles = {"age": "quasi-identifier", "born": "quasi-identifier", "cost": "sensitive"}
    [entry] = of(roles, rows, tmp_path)
    assert entry["model"]["collinear"] == {"before": ["born"], "after": ["born"]}
    assert entry["model"]["estimated"] == entry["model"]["signs_kept"] == 1


@pytest.mark.parametrize(("freedom", "quantile"), [(3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1_000, 1.962)])
def test_the_quantile_is_that_of_the_tables(freedom: int, quantile: float) -> None:
    assert critical(freedom) == pytest.approx(quantile, rel=0.01)


@given(st.integers(0, 2**20), st.integers(1, 8))
def test_a_matrix_is_inverted_without_its_dependent_columns(seed: int, size: int) -> None:
    columns = np.random.default_rng(seed).normal(size=(30, size))
    columns = np.hstack([columns, columns[:, :1] * 3])
    matrix = columns.T @ columns
    inverse, kept = inverted(matrix.tolist(), range(size + 1), 1e-9)
    assert kept == list(range(size))
    assert np.array(inverse)[:size, :size] == pytest.approx(np.linalg.inv(matrix[:size, :size]), rel=1e-6, abs=1e-9)

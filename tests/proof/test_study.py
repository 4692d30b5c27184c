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
        [[str(age), f"[{age // 5 * 5}, {age // 5 * 5 + 5})", f"[{age // 20 * 20}, {age // 20 * 20 + 20})", "*"] for age in range(20, 80)],
    )
    return made


def studied(folder: Path, rows: Sequence[Mapping[str, Any]], way: Mapping[str, Any]) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
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
    return released, found(folder / "out.parquet.manifest.json")


def found(manifest: Path) -> list[dict[str, Any]]:
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
    assert model["signs_kept"] == sum(one["coefficient"] * other["coefficient"] > 0 for one, other in both)
    assert model["significance_kept"] == sum(one["significant"] == other["significant"] for one, other in both)
    assert model["sign_changed"] + model["signs_kept"] == len(both) == model["significance_changed"] + model["significance_kept"]

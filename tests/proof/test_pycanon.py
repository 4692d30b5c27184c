"""Figures of `duckanon check` against pyCANON's on Adult, for the models that it computes as they are defined."""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon import Options, check
from tests.support.environments import PEERS, programs

SCRIPT = """
import json, sys
import pandas
from pycanon import anonymity

table = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
columns, sensitive = sys.argv[2].split(","), [sys.argv[3]]
alpha, k = anonymity.alpha_k_anonymity(table, columns, sensitive)
print(json.dumps({
    "k-anonymity": anonymity.k_anonymity(table, columns),
    "alpha-k-anonymity": alpha,
    "distinct l-diversity": anonymity.l_diversity(table, columns, sensitive),
    "equal t-closeness": anonymity.t_closeness(table, columns, sensitive),
    "basic beta-likeness": anonymity.basic_beta_likeness(table, columns, sensitive),
}, default=float))
"""

Peer = Callable[[Path, Sequence[str], str], dict[str, float]]


@pytest.fixture(scope="session")
def peer() -> Peer:
    """pyCANON's figures for a CSV file; installed from its own lock into an environment of its own."""
    python = programs(PEERS / "pycanon.txt") / "python"

    def figures(table: Path, columns: Sequence[str], sensitive: str) -> dict[str, float]:
        run = subprocess.run(
            [python, "-c", SCRIPT, table, ",".join(columns), sensitive], capture_output=True, text=True, check=True
        )
        measures: dict[str, float] = json.loads(run.stdout)
        return measures

    return figures


def measured(table: Path, columns: Sequence[str], sensitive: str) -> dict[str, Any]:
    """Our figures by the same names."""
    document = check(table, options=Options(qi=columns, sensitive=[sensitive]))
    varieties = ("variant", "distance")
    return {
        " ".join([*(entry[key] for key in varieties if key in entry), entry["model"]]): entry["achieved"]
        for entry in document["privacy"]
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "sensitive"),
    [
        (["education", "sex"], "occupation"),
        (["age", "race"], "occupation"),
        (["age", "sex", "marital-status"], "income"),
        (["workclass", "relationship", "native-country"], "marital-status"),
    ],
)
def test_figures_equal_pycanons(adult: Path, tmp_path: Path, peer: Peer, columns: list[str], sensitive: str) -> None:
    table = tmp_path / "adult.csv"
    duckdb.connect().execute(f"copy (select * from read_parquet('{adult}')) to '{table}'")
    theirs = peer(table, columns, sensitive)
    ours = measured(table, columns, sensitive)
    assert {name: ours[name] for name in theirs} == pytest.approx(theirs, rel=1e-9, abs=1e-12)

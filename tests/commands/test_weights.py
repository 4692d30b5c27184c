"""The weights of columns in the information loss: detected, or given."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from duckanon.job.options import Options
from tests.support.associations import association
from tests.support.command_line import Cli, refused
from tests.support.rows import write_parquet
from tests.support.runs import anonymize

ROWS = 600


def tenths(values: Sequence[float]) -> list[int]:
    """The tenth of the rows in which each value lies; equal values lie in the same."""
    return [10 * sum(other < value for other in values) // len(values) for value in values]


def table() -> dict[str, list[Any]]:
    rng = random.Random(30)
    region = [rng.choice("nesw") for _ in range(ROWS)]
    return {
        "region": region,
        "dialect": [place if rng.random() < 0.9 else rng.choice("nesw") for place in region],
        "height": [150 + 10 * "nesw".index(place) + rng.randrange(15) for place in region],
        "shoe": [rng.choice(["s", "m", "l"]) for _ in range(ROWS)],
        "street": [f"street {rng.randrange(60)}" for _ in range(ROWS)],
        "same": ["x"] * ROWS,
    }


def columns_of(folder: Path) -> dict[str, Any]:
    """The columns of the job file beside the release."""
    columns: dict[str, Any] = yaml.safe_load((folder / "out.parquet.job.yaml").read_text())["columns"]
    return columns


def test_columns_with_few_values_that_are_associated_with_others_count_more(tmp_path: Path) -> None:
    values = table()
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet")
    groups = {name: tenths(column) if name == "height" else column for name, column in values.items() if name != "street"}
    expected = {}
    for name in ("region", "dialect", "shoe", "same"):
        largest = sorted(association(groups[name], groups[other]) for other in groups if other != name)[-3:]
        expected[name] = float(round(1 + sum(largest) / 3, 1))
    actual = columns_of(tmp_path)
    assert expected["region"] > expected["shoe"]
    assert {name: actual[name].get("weight", 1) for name in expected} == expected
    assert "weight" not in actual["height"]
    # every record would show * for the street, so it is dropped
    assert "street" not in actual


def test_a_given_weight_replaces_a_detected_one_and_that_of_the_job(tmp_path: Path) -> None:
    values = table()
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    first = anonymize(source, tmp_path / "out.parquet", options=Options(set={"recoding.weights.shoe": "3.5"}))
    assert columns_of(tmp_path)["shoe"]["weight"] == 3.5
    losses, weights = first["metrics"]["loss_by_attribute"], {n: p.get("weight", 1) for n, p in columns_of(tmp_path).items()}
    mean = sum(weights[name] * loss for name, loss in losses.items()) / sum(weights[name] for name in losses)
    assert first["recoding"]["objective"]["value"] == pytest.approx(mean)
    job = {"columns": {name: {"role": "quasi-identifier", "weight": 2} for name in ("region", "shoe")}}
    light, heavy = (
        anonymize(
            source, tmp_path / f"{weight}.parquet", job=job, options=Options(k=120, set={"recoding.weights.shoe": weight})
        )
        for weight in ("0.01", "100")
    )
    assert light["metrics"]["loss_by_attribute"]["shoe"] > heavy["metrics"]["loss_by_attribute"]["shoe"]


@pytest.mark.parametrize(
    ("weight", "phrase"),
    [
        ("shoes=2", "recoding.weights names 'shoes', which is not a quasi-identifier; did you mean 'shoe'?"),
        ("shoe=0", "recoding.weights.shoe: '0' is not more than 0"),
        ("shoe=much", "recoding.weights.shoe: needs a number; got 'much'"),
    ],
)
def test_a_wrong_weight_is_refused(tmp_path: Path, cli: Cli, weight: str, phrase: str) -> None:
    values = table()
    write_parquet(tmp_path / "in.parquet", [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)])
    refused(cli("anonymize", "in.parquet", "--set", f"recoding.weights.{weight}"), 2, phrase, narrates=True)

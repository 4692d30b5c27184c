"""The warning of biased cells beside a plain count of the input and the released file."""

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from duckanon.job.options import Options
from duckanon.observers import Remembering, Silent
from tests.support.rows import multiset, read_rows, write_parquet
from tests.support.runs import anonymize
from tests.support.studies import studies


@pytest.mark.parametrize("algorithm", ["mondrian", "local", "optimal"])
@pytest.mark.parametrize("seed", range(8))
def test_the_columns_whose_shown_cells_are_biased_are_named_with_both_shares(tmp_path: Path, seed: int, algorithm: str) -> None:
    draw = Random(seed)
    weights = {name: [draw.random() ** 3 for _ in range(draw.randint(2, 9))] for name in "abcd"}
    rows = [
        {
            name: draw.choices([None, *(f"{name}{place}" for place in range(1, len(each)))], each)[0]
            for name, each in weights.items()
        }
        for _ in range(draw.randint(60, 250))
    ]
    columns = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in weights}
    heard = Remembering(Silent())
    anonymize(
        write_parquet(tmp_path / "in.parquet", rows),
        tmp_path / "out.parquet",
        job={"columns": columns},
        options=Options(k=4, algorithm=algorithm),
        observer=heard,
    )
    released = read_rows(tmp_path / "out.parquet")
    expected = {}
    for name in weights:
        values = Counter(row[name] for row in rows)
        shown = Counter(row[name] for row in released if row[name] in values)
        if len(values) > 1 and shown:
            pairs = [(values[value] / len(rows), shown[value] / shown.total()) for value in values]
            expected[name] = max(abs(true - share) for true, share in pairs)
    lines = [line for line in heard.warnings if "points among the cells" in line]
    named = set(re.findall(r"'([a-d])' \(one has", " ".join(lines)))
    assert named == {name for name, difference in expected.items() if difference > 0.1}


def test_a_column_whose_values_are_hidden_unequally_weighs_more_and_the_job_gives_the_same_release(tmp_path: Path) -> None:
    rows = next(study.table() for study in studies() if study.name == "school")
    source = write_parquet(tmp_path / "in.parquet", rows)
    plain = anonymize(source, tmp_path / "plain.parquet", options=Options(algorithm="mondrian"))
    released = anonymize(source, tmp_path / "out.parquet")
    job = tmp_path / "out.parquet.job.yaml"
    weights_before, weights = (weights_of(file) for file in (tmp_path / "plain.parquet.job.yaml", job))
    heavier = {name for name in weights if weights[name] > weights_before[name]}
    assert heavier
    assert worst(rows, tmp_path / "out.parquet", heavier) < worst(rows, tmp_path / "plain.parquet", heavier)
    losses, others = (document["metrics"]["loss_by_attribute"] for document in (released, plain))
    assert sum(weights_before[name] * losses[name] for name in losses) <= 1.1 * sum(
        weights_before[name] * others[name] for name in losses
    )
    again = anonymize(source, tmp_path / "again.parquet", job=job)
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")
    assert again["metrics"] == released["metrics"]


def weights_of(job: Path) -> dict[str, float]:
    """The weight of each column of a job file."""
    return {name: column.get("weight", 1) for name, column in yaml.safe_load(job.read_text())["columns"].items()}


def worst(rows: list[dict[str, Any]], output: Path, columns: set[str]) -> float:
    """The largest difference of a share among cells that show a single number, or a range without it."""
    differences = []
    for name in columns:
        spans = [span(str(row[name])) for row in read_rows(output)]
        for value in {row[name] for row in rows}:
            decided = [low == high for low, high in spans if low == high == value or not low <= value <= high]
            alone = sum(low == high == value for low, high in spans)
            true = sum(row[name] == value for row in rows) / len(rows)
            if len(decided) >= 0.05 * len(rows) and alone:
                differences.append(abs(alone / len(decided) - true))
    return float(max(differences))


def span(label: str) -> tuple[float, float]:
    """The numbers that a label covers."""
    numbers = [float(number) for number in re.findall(r"\d+", label)] or [float("-inf"), float("inf")]
    low = float("-inf") if "<" in label else numbers[0]
    return low, float("inf") if ">" in label else numbers[-1]

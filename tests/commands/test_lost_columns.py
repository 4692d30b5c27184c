"""The information loss counts dropped columns, except direct identifiers and columns with one value."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.choices import Algorithm
from duckanon.workflows.compare import compare
from duckanon.workflows.explain import explain
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply

LOST = ["job", "note", "wage"]


def table(folder: Path) -> Path:
    """Two quasi-identifiers, a sensitive column, three columns without a role, a direct identifier, and a constant."""
    drawn = Random(7)
    rows: list[dict[str, Any]] = [
        {
            "age": drawn.randint(20, 60),
            "sex": drawn.choice("MF"),
            "illness": drawn.choice(["flu", "asthma", None]),
            "job": drawn.choice(["cook", "smith", "nurse"]),
            "note": drawn.choice(["x1", "x2", None]),
            "wage": drawn.randint(1000, 3000),
            "surname": f"Person{number}",
            "country": "Norway",
        }
        for number in range(400)
    ]
    return write_parquet(folder / "in.parquet", rows)


@pytest.mark.parametrize(
    ("algorithm", "style"), [("optimal", "drop"), ("optimal", "star"), ("local", "drop"), ("mondrian", "drop")]
)
def test_dropped_columns_are_lost(tmp_path: Path, cli: Cli, algorithm: Algorithm, style: str) -> None:
    source, options = table(tmp_path), ["--qi", "age,sex", "--sensitive", "illness", "--max-suppression", "20%"]
    options += ["--algorithm", algorithm, "--set", f"suppression.style={style}"]
    run = cli("anonymize", source, *options, "-o", tmp_path / "out.parquet", code=0)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    metrics, suppressed = manifest["metrics"], manifest["rows"]["suppressed"] / 400
    own = [metrics["loss_by_attribute"]["age"], metrics["loss_by_attribute"]["sex"]]
    expected = (sum(own) + (0 if style == "star" else suppressed) + 3) / 6
    assert manifest["lost_columns"] == LOST
    assert metrics["loss_with_dropped"] == pytest.approx(expected, abs=1e-12)
    assert metrics["loss"] == pytest.approx(sum(own) / 2, abs=1e-12)
    [line] = [line for line in run.err.splitlines() if "information loss" in line]
    printed = re.search(r" ([\d.]+)%  with 3 dropped columns; ([\d.]+)% of the quasi-identifiers, ", line)
    assert printed is not None
    assert [float(text) for text in printed.groups()] == pytest.approx([100 * expected, 100 * metrics["loss"]], abs=0.05)
    explained = explain(tmp_path / "out.parquet.manifest.json")
    assert explained["loss_with_dropped"] == metrics["loss_with_dropped"]
    assert "with 3 dropped columns" in cli("explain", tmp_path / "out.parquet.manifest.json").out
    applied = apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet")
    assert applied["lost_columns"] == LOST
    assert applied["metrics"]["loss_with_dropped"] == pytest.approx(expected, abs=1e-12)
    job = {
        "columns": {name: {"role": "quasi-identifier"} for name in ("age", "sex")} | {"illness": {"role": "sensitive"}},
        "suppression": {"limit": "20%", "style": style},
        "recoding": {"algorithm": algorithm},
    }
    [compared] = compare(source, algorithms=[algorithm], job=job)["runs"]
    assert compared["loss_with_dropped"] == pytest.approx(expected, abs=1e-12)


def test_without_a_dropped_column_the_loss_is_of_the_quasi_identifiers(tmp_path: Path, cli: Cli) -> None:
    source = table(tmp_path)
    roles = ["--qi", "age,sex,job,note", "--keep", "wage", "--set", "accept=key", "--sensitive", "illness"]
    run = cli("anonymize", source, *roles, "-o", tmp_path / "out.parquet", code=0)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert manifest["lost_columns"] == []
    assert "loss_with_dropped" not in manifest["metrics"]
    assert "dropped column" not in run.err


def test_null_counts_have_every_sensitive_column(tmp_path: Path) -> None:
    columns = {"age": {"role": "quasi-identifier"}, "illness": {"role": "sensitive"}, "note": {"role": "sensitive"}}
    source = table(tmp_path)
    manifest = anonymize(source, tmp_path / "out.parquet", job={"columns": columns})
    rows = read_rows(source)
    assert manifest["nulls"] == {name: sum(row[name] is None for row in rows) for name in ("illness", "note")}

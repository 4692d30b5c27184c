"""The figures of the manifest, from the written file, for each algorithm and each rule for missing values; NULL is a value."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.workflows.explain import explain
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply

TREE = {"a1": ("a", "*"), "a2": ("a", "*"), "b1": ("b", "*"), "b2": ("b", "*"), "b3": ("b", "*")}
ALGORITHMS = ("optimal", "local", "mondrian")
CASES = [*product(ALGORITHMS, ("value", "top"), ("listed", "data"), (False, True))]
"""Algorithm, rule for missing values, the leaves that count, and whether the hierarchy lists NULL."""


def cell_loss(label: Any, value: Any, leaves: dict[Any, tuple[str, ...]], *, is_missing: bool) -> Fraction:
    """(M - 1) / (A - 1): M leaves under the label, A leaves; a missing value at the top loses all."""
    if len(leaves) <= 1:
        return Fraction(0)
    if is_missing or label == "*":
        return Fraction(1)
    if label == value or str(label) == str(value):
        return Fraction(0)
    if str(label)[0] in "[<>":
        ends = [int(end) for end in str(label).strip("[]<>=) ").split(", ")]
        low = ends[0] if str(label)[0] != "<" else -1000
        high = (ends[-1] - str(label).endswith(")")) if str(label)[0] != ">" else 1000
        under = sum(leaf is not None and low <= leaf <= high for leaf in leaves)
    else:
        under = sum(label in labels for labels in leaves.values())
    return Fraction(under - 1, len(leaves) - 1)


def leaves_of(present: set[Any], listed: dict[Any, tuple[str, ...]], policy: str, domain: str) -> dict[Any, tuple[str, ...]]:
    """All listed values, or those present; NULL, if it occurs. At the top it is a leaf only beside a single value."""
    leaves = {value: listed.get(value, ("*",)) for value in (present if domain == "data" else {*present, *listed})}
    if policy == "top" and None in leaves:
        known = {value: labels for value, labels in leaves.items() if value is not None}
        return leaves if len(known) == 1 and None in present else known
    return leaves


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_masked_missing_values_withhold_information(tmp_path: Path, algorithm: str) -> None:
    """Each value is released unchanged, but a missing one reads `*`, which may stand for any of the N rows."""
    drawn = Random(5)
    column = drawn.choices(["a", "b", "?", None], k=300)
    source = write_parquet(tmp_path / "in.parquet", [{"x": value, "id": row} for row, value in enumerate(column)])
    job = {
        "columns": {"x": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "id": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "missing": {"tokens": ["?", None], "policy": "top"},
        "recoding": {"algorithm": algorithm},
    }
    manifest = anonymize(source, tmp_path / "out.parquet", job=job)
    shown = {row["id"]: row["x"] for row in read_rows(tmp_path / "out.parquet")}
    assert [shown[row] for row in range(300)] == ["*" if value in ("?", None) else value for value in column]
    own = Counter(column)
    expected = sum(own[value] * log2(300 / own[value]) for value in ("?", None))
    assert manifest["metrics"]["entropy"] == pytest.approx(expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_losses_of_columns_with_null(tmp_path: Path, case: tuple[str, str, str, bool]) -> None:
    (algorithm, policy, domain, null_listed), folder, drawn = case, tmp_path, Random(str(case))
    size = drawn.randint(8, 40)
    values: dict[str, list[Any]] = {
        "code": ["a1", *drawn.choices([*TREE, None], k=size - 1)],
        "age": [20, *drawn.choices([20, 21, 22, 27, 33, None], k=size - 1)],
        "mark": ["yes", *drawn.choices(["yes", None], k=size - 1)],
    }
    rows = [{**{name: column[row] for name, column in values.items()}, "id": row} for row in range(size)]
    source = write_parquet(folder / "in.parquet", rows)
    listed: dict[Any, tuple[str, ...]] = {**TREE, **({None: ("b", "*")} if null_listed else {})}
    write_table(folder / "code.csv", [["" if value is None else value, *labels] for value, labels in listed.items()])
    job = {
        "columns": {
            "code": {"role": "quasi-identifier", "hierarchy": str(folder / "code.csv"), "domain": domain},
            "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}, "domain": domain},
            "mark": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}, "domain": domain},
            "id": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "suppression": {"limit": "20%"},
        "missing": {"policy": policy},
        "recoding": {"algorithm": algorithm},
    }
    manifest = anonymize(source, folder / "out.parquet", job=job)
    released = {row["id"]: row for row in read_rows(folder / "out.parquet")}
    losses = {}
    for name, column in values.items():
        leaves = leaves_of(set(column), listed if name == "code" else {}, policy, domain)
        cells = [
            cell_loss(released[row][name], value, leaves, is_missing=policy == "top" and value is None)
            if row in released
            else Fraction(len(leaves) > 1)
            for row, value in enumerate(column)
        ]
        losses[name] = float(sum(cells, Fraction(0)) / size)
    metrics = manifest["metrics"]
    assert metrics["loss_by_attribute"] == pytest.approx(losses, abs=1e-9)
    assert metrics["loss_sum"] == pytest.approx(sum(losses.values()), abs=1e-9)
    assert metrics["granularity"] == pytest.approx(1 - sum(losses.values()) / 3, abs=1e-9)
    sizes = Counter(tuple(str(row[name]) for name in values) for row in released.values())
    gone = size - len(released)
    assert metrics["discernibility"] == sum(rows**2 for rows in sizes.values()) + size * gone
    assert metrics["average_class_size"] == pytest.approx(len(released) / len(sizes))
    nulls = {name: column.count(None) for name, column in values.items() if None in column and policy == "value"}
    assert manifest.get("nulls", {}) == nulls
    # whether a release explains itself and is applied again, the figures are the same
    assert {
        column["column"]: column["loss"] for column in explain(folder / "out.parquet.manifest.json")["columns"]
    } == pytest.approx(losses, abs=1e-9)
    again = apply(folder / "out.parquet.manifest.json", source, folder / "again.parquet")["metrics"]
    assert again["loss_by_attribute"] == pytest.approx(losses, abs=1e-9)
    assert again["entropy"] == pytest.approx(metrics["entropy"], abs=1e-6)

"""The classes of a person's rows, intersected: the sensitive values that remain possible, against an intersection in plain Python."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.errors import Infeasible
from duckanon.job.options import Options, Run
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply
from tests.support.settings import options_of

Row = dict[str, Any]


def visits(patients: int, each: int = 6, conditions: int = 40, seed: int = 5, missing: float = 0.0) -> list[Row]:
    """Visits in a random ward and month; `condition` is that of the patient, `mood` that of the visit. `place` is the number of the row."""
    random = Random(seed)
    rows: list[Row] = []
    for number in range(patients):
        condition = f"cond{random.randrange(conditions):02}"
        for _ in range(each):
            shown = None if random.random() < missing else condition
            rows.append(
                {
                    "patient": f"p{number:04}",
                    "ward": random.choice("abcdefgh"),
                    "month": random.randrange(1, 13),
                    "condition": shown,
                    "mood": random.choice("uvwxyz"),
                }
            )
    random.shuffle(rows)
    return [row | {"place": number} for number, row in enumerate(rows)]


def possible(rows: Sequence[Row], released: Sequence[Row], column: str = "condition") -> dict[str, int]:
    """For each patient with one value and rows in several classes, the values that all these classes have."""
    values, classes, of = defaultdict(set), defaultdict(set), defaultdict(set)
    for row in rows:
        values[row["patient"]].add(row[column])
    for row in released:
        label = (row["ward"], row["month"])
        if row[column] is not None:
            classes[label].add(row[column])
        of[rows[row["place"]]["patient"]].add(label)
    constant = [name for name, entries in values.items() if len(entries) == 1 and None not in entries and len(of[name]) > 1]
    return {name: len(set.intersection(*(classes[label] for label in of[name]))) for name in constant}


def options(**more: Any) -> Options:
    given = {"require": ["distinct-l=10@condition"], "accept": ["key@place"], **more}
    return options_of(qi=["ward", "month"], sensitive=["condition"], entity="patient", keep=["place"], **given)


LEVELS = {"ward": 0, "month": 0}


@pytest.mark.parametrize(
    ("model", "least"),
    [("distinct-l=10", 10), ("entropy-l=5.5", 6), ("recursive-cl=9,8", 8), ("t=0.9", 2), ("beta=90", 2), ("alpha-k=0.9,5", 2)],
)
def test_the_search_leaves_enough_values(tmp_path: Path, model: str, least: int) -> None:
    rows = visits(250, conditions=30)
    source = write_parquet(tmp_path / "in.parquet", rows)
    unsafe = options(
        require=[f"{model}@condition"], accept=["key@place", "possible-values"], levels=LEVELS, max_suppression="99%"
    )
    anonymize(source, tmp_path / "unsafe.parquet", options=unsafe, run=Run())
    assert min(possible(rows, read_rows(tmp_path / "unsafe.parquet")).values()) < least
    document = anonymize(source, tmp_path / "out.parquet", options=options(require=[f"{model}@condition"]), run=Run())
    left = possible(rows, read_rows(tmp_path / "out.parquet"))
    counts = document["persons"]["possible_values"]["condition"]
    assert counts["required"] == least
    assert counts["achieved"] == min(left.values(), default=0) >= (least if left else 0)
    assert counts["persons"] == len(left)


def test_fixed_levels_are_refused_with_the_number_of_persons(tmp_path: Path, cli: Cli) -> None:
    rows = visits(500)
    source = write_parquet(tmp_path / "in.parquet", rows)
    words = [
        "--qi",
        "ward,month",
        "--sensitive",
        "condition",
        "--entity",
        "patient",
        "--keep",
        "place",
        "--set",
        "accept=key@place",
    ]
    common = ["anonymize", source, *words, "--require", "distinct-l=10", "--levels", "ward=0,month=0"]
    refused = cli(*common, "-o", tmp_path / "no.parquet", code=1)
    accepted = cli(*common, "-o", tmp_path / "out.parquet", "--set", "accept=possible-values@condition", code=0)
    left = possible(rows, read_rows(tmp_path / "out.parquet"))
    few = sum(count < 10 for count in left.values())
    assert f"remain possible for {few:,} of {len(left):,} persons" in refused.err
    assert "--set accept=possible-values@condition" in refused.err
    counts = json.loads((tmp_path / "out.parquet.manifest.json").read_text())["persons"]["possible_values"]["condition"]
    assert (counts["persons_below"], counts["achieved"]) == (few, min(left.values()))
    assert "condition: fewer values than required remain possible" in accepted.err


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_persons_are_left_out_as_far_as_the_limit_allows(tmp_path: Path, cli: Cli, algorithm: str) -> None:
    rows = visits(1250)
    source = write_parquet(tmp_path / "in.parquet", rows)
    chosen: dict[str, Any] = {"levels": LEVELS} if algorithm == "optimal" else {"algorithm": algorithm}
    given = options(require=["distinct-l=11@condition"], max_suppression="20%", **chosen)
    document = anonymize(source, tmp_path / "out.parquet", options=given, run=Run())
    assert 0 < document["rows"]["suppressed"] <= 0.2 * len(rows)
    assert min(possible(rows, read_rows(tmp_path / "out.parquet")).values()) >= 11
    assert cli("check", tmp_path / "out.parquet", "--manifest", tmp_path / "out.parquet.manifest.json").code == 0
    assert cli("report", tmp_path / "out.parquet.manifest.json", "-o", tmp_path / "report.html").code == 0


def test_a_recoding_is_applied_without_the_persons_that_fail(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", visits(2000))
    anonymize(source, tmp_path / "out.parquet", options=options(levels=LEVELS), run=Run())
    few, many = visits(300, seed=6), visits(1250, seed=7)
    files = [write_parquet(tmp_path / f"{name}.parquet", rows) for name, rows in (("few", few), ("many", many))]
    manifest, limit = tmp_path / "out.parquet.manifest.json", Options(max_suppression="20%")
    with pytest.raises(Infeasible, match="remain possible for"):
        apply(manifest, files[0], tmp_path / "few.out.parquet", options=limit, run=Run())
    apply(manifest, files[1], tmp_path / "many.out.parquet", options=limit, run=Run())
    assert min(possible(many, read_rows(tmp_path / "many.out.parquet")).values()) >= 10


def test_a_value_that_varies_is_judged_in_each_class(tmp_path: Path) -> None:
    rows = visits(500)
    source = write_parquet(tmp_path / "in.parquet", rows)
    given = Options(qi=["ward", "month"], sensitive=["mood"], entity="patient", require=["distinct-l=2"], levels=LEVELS)
    document = anonymize(source, tmp_path / "out.parquet", options=given, run=Run())
    assert "possible_values" not in document["persons"]


def test_missing_values_are_not_possible_values(tmp_path: Path) -> None:
    rows = visits(800, missing=0.02)
    source = write_parquet(tmp_path / "in.parquet", rows)
    document = anonymize(source, tmp_path / "out.parquet", options=options(), run=Run())
    left = possible(rows, read_rows(tmp_path / "out.parquet"))
    assert document["persons"]["possible_values"]["condition"]["achieved"] == min(left.values()) >= 10


def test_persons_in_one_class_are_judged_by_it(tmp_path: Path) -> None:
    rows = [row | {"ward": "ab"[int(row["patient"][1:]) % 2], "month": 1} for row in visits(300)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    document = anonymize(source, tmp_path / "out.parquet", options=options(), run=Run())
    assert document["persons"]["possible_values"]["condition"]["persons"] == 0


def test_check_intersects_the_classes_of_a_file_with_its_persons(tmp_path: Path, cli: Cli) -> None:
    rows = visits(500)
    source = write_parquet(tmp_path / "in.parquet", rows)
    words = ["check", source, "--qi", "ward,month", "--sensitive", "condition,mood", "--entity", "patient"]
    remaining = possible(rows, rows)
    below = sum(values < 5 for values in remaining.values())
    assert below > 50
    run = cli(*words, "--require", "distinct-l=5@condition", code=1)
    assert f"fewer than 5 values of 'condition' remain possible for {below} of {len(remaining)} persons" in run.err
    assert cli(*words, "--require", "distinct-l=5@condition", "--set", "accept=possible-values@condition").code == 0
    assert cli(*words, "--require", "distinct-l=2@mood").code == 0, "it varies"

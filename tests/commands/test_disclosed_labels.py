"""What retained columns disclose is judged on the labels that the file shows, and the stated figures are those of the file."""

import re
from collections import Counter, defaultdict
from json import dumps
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet, write_table

Row = dict[str, Any]


def _treated(path: Path) -> list[Row]:
    """A trial: half of the patients have no treatment and mostly no result, and three patients have treatments of their own."""
    drawn, rows = Random(2), []
    for _ in range(1_500):
        got = drawn.choices(["nothing", "drug", "placebo"], [45, 30, 25])[0]
        result = "n/a" if got == "nothing" and drawn.random() < 0.9 else drawn.choice(["good", "bad", "good", "none"])
        town = drawn.choices([f"t{number}" for number in range(8)], [2 ** -(number / 2) for number in range(8)])[0]
        rows.append({"town": town, "sex": drawn.choice("fm"), "got": got, "result": result})
    rows += [{"town": "t0", "sex": "m", "got": "surgery", "result": "good"}] * 3
    write_parquet(path, rows)
    return rows


@pytest.mark.parametrize("how", [("--algorithm", "local", "--max-suppression", "0"), ("--set", "suppression.style=star")])
def test_an_outcome_is_released_where_few_rows_hide_what_it_predicts(cli: Cli, tmp_path: Path, how: tuple[str, ...]) -> None:
    rows = _treated(tmp_path / "in.parquet")
    predicted = [row for row in rows if row["result"] == "n/a"]
    assert {row["got"] for row in predicted} == {"nothing"}
    assert len(predicted) / len(rows) > 0.3  # what would be disclosed if no row showed what the patient got
    run = cli("anonymize in.parquet --qi town,sex,got --others keep -o out.parquet --entity none", *how, code=0)
    assert "discloses" not in run.err
    released = read_rows(tmp_path / "out.parquet")
    hidden = [row for row in released if row["got"] == "*"]
    assert 0 < len(hidden) < 0.1 * len(released)
    assert {"result"} < {*released[0]}


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
def test_the_stated_share_is_that_of_the_file(cli: Cli, tmp_path: Path, algorithm: str) -> None:
    """A street is in one area. Its rows that show the same label, two or more, disclose the code that the label hides."""
    drawn, rows = Random(4), []
    for _ in range(1_500):
        code = 10_000 + drawn.randrange(200)
        rows.append(
            {"zip": f"{code}", "sex": drawn.choice("fm"), "street": f"s{code}-{drawn.randrange(2)}", "mood": drawn.choice("ab")}
        )
    write_parquet(tmp_path / "in.parquet", rows)
    hierarchy = {
        "columns": {
            "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "redaction"}},
            "sex": {"role": "quasi-identifier"},
        }
    }
    arguments = [
        "in.parquet",
        "--job",
        _job(tmp_path, hierarchy),
        "--algorithm",
        algorithm,
        "--entity",
        "none",
        "--set",
        "output.shuffle=false",
    ]
    dropped = cli("anonymize", *arguments, "--others", "keep", "-o", "a.parquet", code=0)
    stated = re.search(r"'street' discloses 'zip' for ([0-9]+)% of the rows; duckanon drops the column", dropped.err)
    assert stated is not None, dropped.err
    cli("anonymize", *arguments, "--keep", "street", "--set", "accept=dependency@street", "-o", "b.parquet", code=0)
    released = read_rows(tmp_path / "b.parquet")
    assert len(released) == len(rows), "no row is suppressed, so both files have the same order"
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    sizes, labels = Counter((row["street"], row["zip"]) for row in released), defaultdict[str, Counter[str]](Counter)
    for row, source in zip(released, rows, strict=True):
        groups[row["street"], row["zip"]].add(source["zip"])
        labels[row["zip"]][source["zip"]] += 1
    disclosed = 0
    for row in released:
        shown = labels[row["zip"]]
        is_open = max(shown.values()) / shown.total() < 0.95
        disclosed += is_open and sizes[row["street"], row["zip"]] > 1 and len(groups[row["street"], row["zip"]]) == 1
    assert int(stated[1]) == round(100 * disclosed / len(rows))


def test_a_column_that_shows_what_few_masked_records_hide_is_refused_if_an_adversary_gets_below_k(
    cli: Cli, tmp_path: Path
) -> None:
    """The number has one education each, and each education several numbers: the number does not follow from it."""
    sizes, drawn = {"Bach": 300, "Mast": 200, "Doc": 3, "Pre": 2, "HS": 495}, Random(3)
    rows = [
        {"edu": edu, "num": 10 * place + drawn.randrange(4)}
        for place, (edu, count) in enumerate(sizes.items())
        for _ in range(count)
    ]
    write_parquet(tmp_path / "in.parquet", rows)
    write_table(tmp_path / "edu.csv", [(edu, "*") for edu in sizes])
    arguments = [
        "in.parquet",
        "--qi",
        "edu",
        "--hierarchies",
        "edu=edu.csv",
        "--set",
        "suppression.style=star",
        "--levels",
        "edu=0",
        "-q",
        "--keep",
        "num",
    ]
    run = cli("anonymize", *arguments, "-o", "out.parquet", code=2)
    assert "'num' discloses 'edu': together with the labels, 5 of 1,000 records are in classes of fewer than 5" in run.err
    cli("anonymize", *arguments, "--set", "accept=dependency@num", "-o", "out.parquet", code=0)
    known = Counter((row["edu"], row["num"] // 10) for row in read_rows(tmp_path / "out.parquet"))
    assert sum(count for count in known.values() if count < 5) == 5


def _job(folder: Path, job: Row) -> Path:
    (folder / "job.yaml").write_text(dumps(job))
    return folder / "job.yaml"

"""The risk of records if persons are counted: one definition of the average, and the largest share of one person, in plain Python."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from duckanon.checks.file import check
from duckanon.checks.risk import risk
from duckanon.job.options import Options, Run
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize

Row = tuple[str, str]
"""A class and a person."""


def average(rows: Sequence[Row]) -> Fraction:
    """The mean over the rows of 1 / (persons in the row's class)."""
    persons = defaultdict(set)
    for label, person in rows:
        persons[label].add(person)
    return sum((Fraction(1, len(persons[label])) for label, _ in rows), Fraction(0)) / len(rows)


def average_of_persons(rows: Sequence[Row]) -> Fraction:
    """The mean over persons, each once in each class."""
    return average(sorted(set(rows)))


def largest_share(rows: Sequence[Row]) -> Fraction:
    classes = Counter(label for label, _ in rows)
    return max(Fraction(count, classes[label]) for (label, _), count in Counter(rows).items())


def write(path: Path, rows: Sequence[Row]) -> Path:
    write_parquet(path, [{"q": label, "pid": person} for label, person in rows])
    return path


def random_rows(seed: int) -> list[Row]:
    random = Random(seed)
    persons = random.randint(5, 40)
    return [
        (random.choice("abc"), f"p{min(random.randrange(persons), random.randrange(persons))}")
        for _ in range(random.randint(60, 200))
    ]


def test_one_person_with_many_rows(tmp_path: Path, cli: Cli) -> None:
    rows = [("u", "q0")] * 30 + [("v", f"q{number}") for number in range(1, 22)]
    source = write(tmp_path / "in.parquet", rows)
    measured = cli("check", source, "--qi", "q", "--entity", "pid", "--require", "average-risk=0.6", "--json")
    document = json.loads(measured.out)
    assert measured.code == 1, "30 of 51 rows are of a person alone in a class"
    assert document["risk"]["average"] == pytest.approx(31 / 51)
    assert document["risk"]["average_of_persons"] == pytest.approx(2 / 22)
    assert document["risk"]["person_share"] == 1
    assert cli("check", source, "--qi", "q", "--entity", "pid", "--require", "average-risk=0.607843138").code == 0
    assert "average risk of a person 0.0909" in cli("risk", source, "--qi", "q", "--entity", "pid").out
    compared = json.loads(cli("compare", source, "--qi", "q", "--entity", "pid", "--k", "1", "--json").out)
    assert {run["average_risk"] for run in compared["runs"]} == {31 / 51}


def test_a_class_of_one_person_almost(tmp_path: Path, cli: Cli) -> None:
    rows = [("a", "p0")] * 95 + [("a", f"p{number}") for number in range(1, 5)] + [("b", f"r{number}") for number in range(20)]
    source = write(tmp_path / "in.parquet", rows)
    run = cli("anonymize", source, "--qi", "q", "--entity", "pid", "-o", tmp_path / "out.parquet", code=0)
    assert "largest share of one person in a class" in run.err + run.out
    after = json.loads((tmp_path / "out.parquet.manifest.json").read_text())["risk"]["after"]
    assert (after["prosecutor"]["highest"], after["person_share"]) == (0.2, pytest.approx(95 / 99))


@pytest.mark.parametrize("seed", range(3))
def test_every_command_has_the_same_average(tmp_path: Path, seed: int) -> None:
    rows = random_rows(seed)
    source = write(tmp_path / "in.parquet", rows)
    options = Options(qi=["q"], entity="pid")
    expected = (float(average(rows)), float(average_of_persons(rows)), float(largest_share(rows)))
    measured = risk(source, options=options)["risk"]
    checked = check(source, options=options)["risk"]
    assert (measured["prosecutor"]["average"], measured["average_of_persons"], measured["person_share"]) == pytest.approx(
        expected
    )
    assert (checked["average"], checked["average_of_persons"], checked["person_share"]) == pytest.approx(expected)
    assert measured["marketer"] == measured["prosecutor"]["average"]


@pytest.mark.parametrize(("algorithm", "seed"), levels.spread(["optimal", "mondrian", "local"], range(3)))
def test_a_required_average_is_that_of_the_released_rows(tmp_path: Path, seed: int, algorithm: str) -> None:
    rows = random_rows(seed)
    source = write(tmp_path / "in.parquet", rows)
    most = Decimal("0.15")
    options = Options(qi=["q"], entity="pid", k=1, require=[f"average-risk={most}"], max_suppression="90%", algorithm=algorithm)
    document = anonymize(source, tmp_path / "out.parquet", options=options, run=Run())
    kept = Counter(row["q"] for row in read_rows(tmp_path / "out.parquet"))
    # a label of the file is a value, or * for all
    released = rows if "*" in kept else [row for row in rows if row[0] in kept]
    assert len(released) == sum(kept.values())
    shown = [("*" if "*" in kept else label, person) for label, person in released]
    assert average(shown) <= most
    after = document["risk"]["after"]
    assert after["prosecutor"]["average"] == pytest.approx(float(average(shown)))
    assert (after["average_of_persons"], after["person_share"]) == pytest.approx(
        (float(average_of_persons(shown)), float(largest_share(shown)))
    )
    [achieved] = [check["achieved"] for check in document["privacy"] if check["model"] == "average-risk"]
    assert achieved == pytest.approx(float(average(shown)))

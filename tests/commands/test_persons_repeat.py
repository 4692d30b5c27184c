"""Persons who have several rows: detected without an option, counted in every class, and linked by their pseudonyms."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

import duckanon
from duckanon.dataset.column_names import identifies_persons
from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows, write_parquet
from tests.support.settings import keywords_of

Row = dict[str, Any]
KEY = "6f1c9a5be0d2473886bd1f0a54c7e39281ab4fd60c7785ea23914bb0de6f8a17"


def visits(patients: int = 300, each: int = 20) -> list[Row]:
    """Visits of patients, of whom few share an age, a sex and a place: a class of 20 rows may be one patient."""
    chance = random.Random(7)
    rows: list[Row] = []
    for number in range(patients):
        person = {
            "patient_id": f"P{number:04}",
            "age": 20 + number % 60,
            "sex": "fm"[number // 60 % 2],
            "zip": f"{53700 + number // 120}",
        }
        rows += [{**person, "diagnosis": chance.choice(["cold", "flu", "asthma", "hiv"])} for _ in range(each)]
    chance.shuffle(rows)
    return rows


def smallest(rows: Sequence[Row], released: Sequence[Row], qi: Sequence[str]) -> int:
    """The fewest persons of a class, by joining a release that keeps the place of its rows with their persons."""
    classes: dict[Any, set[Any]] = defaultdict(set)
    for row in released:
        classes[tuple(str(row[name]) for name in qi)].add(rows[row["place"]]["patient_id"])
    return min(map(len, classes.values()))


@pytest.mark.slow
def test_visits_without_options_are_released_by_persons(tmp_path: Path, cli: Cli) -> None:
    """By rows each class holds 20 and nothing is generalized, although every class is one patient."""
    rows = visits()
    by_rows = Counter((row["age"], row["sex"], row["zip"]) for row in rows)
    persons = {key: len({row["patient_id"] for row in rows if (row["age"], row["sex"], row["zip"]) == key}) for key in by_rows}
    assert min(by_rows.values()) == 20
    assert min(persons.values()) == 1
    source = write_parquet(tmp_path / "visits.parquet", rows)
    run = cli("anonymize", source, "-o", tmp_path / "out.parquet", "-v", code=0)
    assert "'patient_id' identifies persons and repeats: 300 persons in 6,000 rows" in run.err
    assert "300, counted by patient_id" in " ".join(run.err.split())
    counted = duckanon.anonymize(source, tmp_path / "again.parquet").manifest
    assert counted["persons"] == {
        "unit": "persons",
        "column": "patient_id",
        "columns": ["patient_id"],
        "chosen": "detected",
        "persons": 300,
        "rows": 6000,
        "rows_without": 0,
    }
    [k] = [check for check in counted["privacy"] if check["model"] == "k-anonymity"]
    assert (k["of"], k["required"]) == ("patient_id", 5)
    assert k["achieved"] >= 5


def test_persons_are_counted_in_the_released_classes(tmp_path: Path) -> None:
    rows = visits()
    source = write_parquet(tmp_path / "visits.parquet", [{**row, "place": place} for place, row in enumerate(rows)])
    qi = ["age", "sex", "zip"]
    released = duckanon.anonymize(source, tmp_path / "out.parquet", qi=qi, keep=["place"])
    assert smallest(rows, read_rows(tmp_path / "out.parquet"), qi) == released.manifest["privacy"][0]["achieved"]
    assert released.manifest["privacy"][0]["achieved"] >= 5
    rowwise = duckanon.anonymize(source, tmp_path / "rows.parquet", qi=qi, keep=["place"], entity="none")
    assert rowwise.manifest["persons"] == {"unit": "rows", "columns": [], "chosen": "named"}
    assert "of" not in rowwise.manifest["privacy"][0]
    assert smallest(rows, read_rows(tmp_path / "rows.parquet"), qi) == 1


@pytest.mark.parametrize("more", [{"identifying": ["code"]}, {"pseudonym": ["code"], "release": "r1", "linkable": True}])
def test_a_column_that_is_named_as_identifying_is_counted_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, Any]
) -> None:
    """Its name and its values say nothing."""
    monkeypatch.setenv("DUCKANON_KEY", KEY)
    rows = [{"code": number % 40, "age": number % 4, "x": "y"} for number in range(400)]
    made = duckanon.anonymize(
        write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet", qi=["age"], **keywords_of(**more)
    )
    assert made.manifest["persons"]["column"] == "code"
    assert made.manifest["privacy"][0]["achieved"] == 10


def test_check_and_risk_count_persons_too(tmp_path: Path, cli: Cli) -> None:
    source = write_parquet(tmp_path / "visits.parquet", visits())
    for command in ("check", "risk"):
        assert "'patient_id' identifies persons and repeats" in cli(command, source, "--qi", "age,sex,zip").err
        assert cli(command, source, "--qi", "age,sex,zip", "--entity", "none").err == ""
    document = duckanon.check(source, qi=["age", "sex", "zip"])
    assert document["privacy"][0]["achieved"] == 1
    assert duckanon.risk(source, qi=["age", "sex", "zip"])["risk"]["unit"] == "patient_id"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(
            (name, True)
            for name in ("patient_id", "PatientID", "customer no", "id", "email", "kunde", "user_name", "mrn", "name")
        ),
        *((name, False) for name in ("hospital_id", "order_id", "first_name", "comment", "number", "age", "patient_age")),
    ],
)
def test_names_of_columns_that_identify_persons(name: str, expected: bool) -> None:
    assert identifies_persons(name) is expected


@pytest.mark.parametrize(
    "columns",
    [
        {"patient_id": lambda number: number},
        {"patient_id": lambda number: number, "first_name": lambda number: f"Ann{number // 2}"},
        {"hospital_id": lambda number: number % 3},
    ],
)
def test_rows_are_persons_where_nobody_repeats(tmp_path: Path, columns: dict[str, Any]) -> None:
    """The column of persons has another value in every row, or there is none."""
    rows = [{name: value(number) for name, value in columns.items()} | {"age": number % 4} for number in range(200)]
    made = duckanon.anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet", qi=["age"])
    assert made.manifest["persons"] == {"unit": "rows", "columns": [], "chosen": None}


def test_a_unique_entity_is_reported(tmp_path: Path, cli: Cli) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"who": number, "age": number % 4} for number in range(200)])
    run = cli("anonymize", source, "--qi", "age", "--entity", "who", "-o", tmp_path / "out.parquet", code=0)
    assert "'who' has a different value in every row: each row is a person" in run.err


def test_rows_without_a_person_count_as_one(tmp_path: Path, cli: Cli) -> None:
    rows = [{"patient_id": None if number % 2 else number % 20, "age": number % 4} for number in range(200)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    run = cli("anonymize", source, "--qi", "age", "-o", tmp_path / "out.parquet", "--max-suppression", "100%", "--k", "2")
    assert "100 rows have no value in 'patient_id': in every equivalence class they count as one person" in run.err
    persons = [len({row["patient_id"] for row in rows if row["age"] == age}) for age in range(4)]
    document = duckanon.check(source, qi=["age"])
    assert document["privacy"][0]["achieved"] == min(persons)


@pytest.mark.slow
def test_one_person_with_very_many_rows_is_one(tmp_path: Path) -> None:
    source = tmp_path / "in.parquet"
    duckdb.execute(
        "copy (select case when i < 200000 then 0 else i end as patient_id, i % 3 as age from range(200600) t(i)) "
        f"to '{source}' (format parquet)"
    )
    made = duckanon.anonymize(source, tmp_path / "out.parquet", qi=["age"])
    assert made.manifest["persons"]["persons"] == 601
    assert made.manifest["privacy"][0]["achieved"] == 201
    assert made.manifest["rows"]["released"] == 200_600


@pytest.mark.parametrize("options", [["--set", "suppression.style=star"], ["--population", "visits.parquet"]])
def test_what_counts_rows_only_is_refused(tmp_path: Path, cli: Cli, options: list[str]) -> None:
    source = write_parquet(tmp_path / "visits.parquet", visits(30, 4))
    run = cli("anonymize", source, "--qi", "age,sex", *options, cwd=tmp_path)
    refused(
        run,
        2,
        "'patient_id' identifies persons and repeats (30 persons in 120 rows)",
        options[-1] if "--set" in options else options[0],
        "--entity none",
    )
    assert cli("anonymize", source, "--qi", "age,sex", *options, "--entity", "none", "--k", "2", cwd=tmp_path).code == 0


def wards(persons: int = 400, each: int = 6) -> list[Row]:
    """Visits to few wards in few months: every class is large, and hardly two persons were in the same set of them."""
    chance = random.Random(3)
    return [
        {"who": number // each, "ward": f"W{chance.randrange(5)}", "month": chance.randrange(1, 7), "ill": chance.choice("abc")}
        for number in range(persons * each)
    ]


def trails(rows: Sequence[Row], *, by_class: bool = False) -> Counter[frozenset[Any]]:
    """How many persons (or pseudonyms, which differ by class) have as many rows in the same classes."""
    seen: dict[Any, Counter[Any]] = defaultdict(Counter)
    for row in rows:
        label = (row["ward"], row["month"])
        seen[(row["who"], label) if by_class else row["who"]][label] += 1
    return Counter(frozenset(classes.items()) for classes in seen.values())


def test_pseudonyms_that_link_a_persons_rows_are_refused(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUCKANON_KEY", KEY)
    rows = wards()
    shared = trails(rows)
    below = sum(count for count in shared.values() if count < 5)
    assert min(shared.values()) == 1
    source = write_parquet(tmp_path / "in.parquet", rows)
    arguments = ["--qi ward,month --entity who --pseudonym who --release r1", "-o", tmp_path / "out.parquet"]
    run = cli("anonymize", source, *arguments, code=1)
    assert f"{below} of 400 persons have numbers of rows in equivalence classes that fewer than 5 persons have" in run.err
    assert not (tmp_path / "out.parquet").exists()
    accepted = cli("anonymize", source, *arguments, "--set", "linkable=true", code=0)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert manifest["identifiers"]["who"]["linked"] == {"persons": 400, "required": 5, "achieved": 1, "persons_below": below}
    assert "accepted with linkable" in " ".join(accepted.err.split())


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_pseudonyms_of_a_class_link_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """A person has the same pseudonym in the rows of a class, and another one in each class; the number of rows in a class still tells."""
    monkeypatch.setenv("DUCKANON_KEY", KEY)
    rows = [{**row, "place": place} for place, row in enumerate(wards())]
    made = duckanon.anonymize(
        write_parquet(tmp_path / "in.parquet", rows),
        tmp_path / f"out.{ending}",
        qi=["ward", "month"],
        entity="who",
        pseudonym="who",
        release="r1",
        keep=["place"],
        set={"linkable": True, "columns.who.pseudonym.scope": "class"},
    )
    shown = duckdb.execute(f"select place, cast(who as varchar) from '{tmp_path / f'out.{ending}'}'").fetchall()
    pairs = {((rows[place]["who"], rows[place]["ward"], rows[place]["month"]), who) for place, who in shown}
    assert len({first for first, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
    assert made.manifest["identifiers"]["who"]["scope"] == "class"
    assert made.manifest["identifiers"]["who"]["linked"]["persons_below"] == sum(
        count for count in trails(rows, by_class=True).values() if count < 5
    )


@pytest.mark.slow
def test_what_was_counted_by_rows_is_opened_and_applied_by_rows(tmp_path: Path, cli: Cli) -> None:
    """Without it in the saved job, persons would be detected again, and the release would look like another one."""
    source = write_parquet(tmp_path / "visits.parquet", visits())
    assert cli("anonymize", source, "--qi", "age,sex,zip", "--entity", "none", "-o", "out.parquet").code == 0
    assert cli("report", "out.parquet.manifest.json").code == 0
    applied = cli("apply", "out.parquet.manifest.json", source, "-o", "next.parquet", "--json")
    assert applied.manifest["persons"] == {"unit": "rows", "columns": [], "chosen": "named"}

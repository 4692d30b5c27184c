"""Proposed roles: what duckanon proposes, that it is safe to release, and what a retained column may disclose."""

import csv
import io
import json
import math
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.errors import GuaranteeError, UsageError
from duckanon.job import file
from duckanon.job.options import Options
from duckanon.observers import Silent
from duckanon.workflows.profile import profile
from tests.support import levels
from tests.support.command_line import Cli, Finished, refused, run_command
from tests.support.rows import multiset, read_rows, write_parquet, write_table
from tests.support.runs import anonymize

Row = dict[str, Any]
Maker = Callable[[random.Random], Iterable[Row]]

ROLES = {"quasi-identifier", "sensitive", "identifying", "dropped"}
"""What a column may become where nobody named it."""

DIRECT = re.compile(
    r"(^|[^a-z])(id|uid|uuid|name|surname|e-?mail|phone|ssn|ip|url|address|medallion|license|msisdn|imsi|iban|user|session|token)"
    r"s?($|[^a-z])|[a-z](ID|Id|Name)$"
)
"""Names of columns that point at a person."""
GROUPS = {"schoolName", "cell_id"}
"""Fifteen schools and ninety cells of a network: places whose names and numbers many records share, which k records hide."""


# ------------------------------------------------------------------- independent looks at a release


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def sizes(path: Path, names: Sequence[str]) -> list[int]:
    """Rows of every combination of values, NULL being a value, counted without our code."""
    keys = ", ".join(map(quoted, names))
    statement = f"select cast(count(*) as bigint) from read_parquet($1) group by {keys}"
    return [int(size) for (size,) in duckdb.connect().execute(statement, [str(path)]).fetchall()]


def of_role(manifest: Row, role: str) -> list[str]:
    return [name for name, declared in manifest["columns"].items() if declared == role]


def is_safe(path: Path, manifest: Row, k: int = 5) -> None:
    """Roles are of the four, the file is k-anonymous over all its quasi-identifiers, and no column identifies persons."""
    names = pq.read_schema(path).names
    quasi_identifiers = of_role(manifest, "quasi-identifier")
    assert manifest["roles"] == "detected"
    assert set(manifest["columns"].values()) <= ROLES
    assert set(names) == {*quasi_identifiers, *of_role(manifest, "sensitive")}
    assert quasi_identifiers
    assert min(sizes(path, quasi_identifiers)) >= k
    assert [name for name in names if DIRECT.search(name) and name not in GROUPS] == []
    for name in names:
        rows = sizes(path, [name])
        assert rows.count(1) * 2 <= len(rows), f"more than half the values of {name} are unique"


def guessed(folder: Path, rows: Sequence[Row], **options: Any) -> tuple[Path, Row]:
    """A release of rows whose roles nobody named, within this process."""
    source, output = write_parquet(folder / "in.parquet", rows), folder / "out.parquet"
    return output, anonymize(source, output, **options, overwrite=True)


class Listening(Silent):
    """Keeps the warnings."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)


# ------------------------------------------------------------------- zero configuration on Adult

BUNDLED = "matches bundled hierarchy adult/five-year/"
KNOWN = "name matches a known quasi-identifier"
OTHER = "an adversary may know it"
SET = "sensitive in the data that adult/five-year is made for"
ADULT = {
    "age": ("quasi-identifier", f"{BUNDLED}age"),
    "workclass": ("quasi-identifier", KNOWN),
    "fnlwgt": ("quasi-identifier", OTHER),
    "education": ("quasi-identifier", KNOWN),
    "education-num": ("quasi-identifier", KNOWN),
    "marital-status": ("quasi-identifier", f"{BUNDLED}marital-status"),
    "occupation": ("sensitive", SET),
    "relationship": ("quasi-identifier", OTHER),
    "race": ("quasi-identifier", f"{BUNDLED}race"),
    "sex": ("quasi-identifier", f"{BUNDLED}sex"),
    "capital-gain": ("quasi-identifier", OTHER),
    "capital-loss": ("quasi-identifier", OTHER),
    "hours-per-week": ("quasi-identifier", OTHER),
    "native-country": ("quasi-identifier", KNOWN),
    "income": ("sensitive", "name matches a known sensitive attribute"),
}
DISCLOSES = re.compile(r"'(occupation|income)' discloses '[a-z-]+' for [0-9]+% of the rows")
"""Why the release drops a sensitive column that predicts a generalized quasi-identifier."""


@pytest.fixture(scope="module")
def zero(adult: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Finished]:
    """`duckanon anonymize adult.parquet`, and the folder that it ran in."""
    folder = tmp_path_factory.mktemp("zero")
    shutil.copy(adult, folder / "adult.parquet")
    return folder, run_command(folder, "anonymize", "adult.parquet", code=0)


def manifest_of(folder: Path, output: str = "adult.anonymized.parquet") -> Row:
    document: Row = json.loads((folder / f"{output}.manifest.json").read_text(encoding="utf-8"))
    return document


@pytest.mark.slow
def test_every_column_of_adult_has_its_role_and_its_reason(zero: tuple[Path, Finished]) -> None:
    folder, run = zero
    manifest = manifest_of(folder)
    roles = {name: (role, manifest["reasons"][name]) for name, role in manifest["columns"].items()}
    for name in ("occupation", "income"):
        role, reason = roles[name]
        if role == "dropped":
            assert DISCLOSES.fullmatch(reason)
            assert f"warning: {reason}; duckanon drops the column" in run.err
            roles[name] = ADULT[name]
    assert roles == ADULT
    assert not any(reason in run.err for _, reason in ADULT.values())
    document = profile(folder / "adult.parquet")
    assert {column["column"]: (column["role"], column["reason"]) for column in document["columns"]} == ADULT
    assert run.out == ""


@pytest.mark.slow
def test_verbose_output_has_the_reason_of_each_role(tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", list(patients(random.Random(11)))[:500])
    lines = run_command(tmp_path, "anonymize", "in.parquet", "--dry-run", "-v").err.splitlines()
    for column in profile(tmp_path / "in.parquet")["columns"]:
        role = "dropped" if column["role"] == "identifying" else column["role"]
        named = [line for line in lines if re.search(rf"(^|[ ,]){re.escape(column['column'])}[,:]", line)]
        assert any(f"{role}; {column['reason']}" in line for line in named), column


@pytest.mark.slow
def test_adult_is_released_safely_with_no_options(zero: tuple[Path, Finished]) -> None:
    folder, _ = zero
    manifest, output = manifest_of(folder), folder / "adult.anonymized.parquet"
    is_safe(output, manifest)
    assert manifest["rows"]["released"] == len(read_rows(output)) >= 0.95 * 30_000
    compared = manifest["recoding"]["compared"]
    assert manifest["recoding"]["objective"]["value"] == min(compared.values()) < 0.25
    assert all(loss < 1 for loss in manifest["metrics"]["loss_by_attribute"].values()), "no column is `*` in every record"


@pytest.mark.slow
def test_the_job_that_was_written_gives_the_same_release(zero: tuple[Path, Finished]) -> None:
    folder, _ = zero
    job = "adult.anonymized.parquet.job.yaml"
    valid = run_command(folder, "job", "validate", job)
    assert (valid.code, valid.out, valid.err) == (0, "", "")
    run_command(folder, "anonymize", "--job", job, "-o", "other.parquet", code=0)
    first, second = manifest_of(folder), manifest_of(folder, "other.parquet")
    assert second["roles"] == "declared"
    assert second["recoding"]["algorithm"] == first["recoding"]["algorithm"]
    assert second["columns"] == first["columns"]
    assert "reasons" not in second
    assert multiset(folder / "other.parquet") == multiset(folder / "adult.anonymized.parquet")


@pytest.mark.slow
def test_a_usual_mark_of_missing_values_is_hinted_at(zero: tuple[Path, Finished]) -> None:
    folder, _ = zero
    run = run_command(folder, "anonymize", "adult.parquet", "-o", "again.parquet", "-v", code=0)
    hints = [line.split()[0] for line in run.err.splitlines() if "give --missing '?'" in line]
    assert sorted(hints) == ["native-country", "occupation", "workclass"]
    assert "give --missing" not in run_command(folder, "profile", "adult.parquet", "--missing", "?", code=0).err


# ------------------------------------------------------------------- retained columns that disclose others

EDUCATION = {
    "Preschool": "low",
    "1st-4th": "low",
    "5th-6th": "low",
    "7th-8th": "low",
    "9th": "low",
    "10th": "low",
    "11th": "low",
    "12th": "low",
    "HS-grad": "middle",
    "Some-college": "middle",
    "Assoc-voc": "middle",
    "Assoc-acdm": "middle",
    "Bachelors": "high",
    "Masters": "high",
    "Prof-school": "high",
    "Doctorate": "high",
}
EXPLICIT = ("--qi", "age,education,sex,race", "--hierarchies", "adult/five-year", "--hierarchies", "education=education.csv")
OTHERS = ("--others", "keep", "--identifying", "fnlwgt")
"""Retains the other columns; nine of ten rows have a value of `fnlwgt` that fewer than five rows have."""


@pytest.fixture
def educated(adult: Path, tmp_path: Path) -> Path:
    """A folder with Adult and a hierarchy of its education."""
    write_table(tmp_path / "education.csv", [(value, level, "*") for value, level in EDUCATION.items()])
    shutil.copy(adult, tmp_path / "adult.parquet")
    return tmp_path


def test_a_kept_column_that_gives_education_away_is_dropped_with_a_warning(educated: Path) -> None:
    run = run_command(educated, "anonymize", "adult.parquet", *EXPLICIT, "--levels", "age=1,education=1", *OTHERS, code=0)
    warnings = [line for line in run.err.splitlines() if "'education-num' discloses 'education'" in line]
    assert len(warnings) == 1
    assert warnings[0].endswith("duckanon drops the column")
    manifest, released = manifest_of(educated), pq.read_schema(educated / "adult.anonymized.parquet").names
    assert manifest["roles"] == "declared"
    assert manifest["columns"]["education-num"] == "dropped"
    assert "education-num" not in released
    assert {"occupation", "native-country", "hours-per-week", "income"} <= set(released), "what says nothing is kept"


def test_nothing_is_dropped_where_education_is_shown_anyway(educated: Path) -> None:
    levels = ("--levels", "age=1,education=0", "--max-suppression", "50%")
    run = run_command(educated, "anonymize", "adult.parquet", *EXPLICIT, *levels, *OTHERS, code=0)
    assert manifest_of(educated)["columns"]["education-num"] == "kept"
    about = [line for line in run.err.splitlines() if not line.startswith(("warning: every record", "warning: some groups"))]
    assert "'education-num'" not in "\n".join(about)


def test_a_column_that_the_user_keeps_is_refused_where_it_gives_another_away(educated: Path) -> None:
    levels = ("--levels", "age=1,sex=1,education=2")
    run = run_command(educated, "anonymize", "adult.parquet", *EXPLICIT, *levels, "--keep", "relationship")
    refused(run, 2, "'relationship'", "'sex'", "make it a quasi-identifier, or accept it with --set accept=dependency@")
    assert "linked" not in run.err, "several relationships go with one sex"
    assert not list(educated.glob("adult.anonymized*"))


def test_a_sensitive_column_that_the_user_names_is_warned_of_and_released(educated: Path) -> None:
    levels = ("--levels", "age=1,education=1")
    run = run_command(educated, "anonymize", "adult.parquet", *EXPLICIT, *levels, "--sensitive", "education-num", code=0)
    assert "the sensitive 'education-num' discloses 'education'" in run.err
    assert manifest_of(educated)["columns"]["education-num"] == "sensitive"
    assert "education-num" in pq.read_schema(educated / "adult.anonymized.parquet").names


@pytest.mark.parametrize("level", [0, 1])
def test_a_linked_column_is_shown_where_its_quasi_identifier_is(educated: Path, level: int) -> None:
    columns = {
        "age": {"role": "quasi-identifier", "hierarchy": "adult/five-year/age"},
        "education": {"role": "quasi-identifier", "hierarchy": "education.csv"},
        "education-num": {"role": "insensitive"},
    }
    job = {"columns": columns, "linked": [["education", "education-num"]], "suppression": {"limit": "100%"}}
    (educated / "linked.yaml").write_text(json.dumps(job))
    levels = ("--levels", f"age=1,education={level}", "-o", "out.parquet")
    assert "discloses" not in run_command(educated, "anonymize", "adult.parquet", "--job", "linked.yaml", *levels, code=0).err
    pairs = {(row["education"], row["education-num"]) for row in read_rows(educated / "out.parquet")}
    source = {(row["education"], row["education-num"]) for row in read_rows(educated / "adult.parquet")}
    if level:
        assert pairs == {("low", "*"), ("middle", "*"), ("high", "*")}
    else:
        assert pairs <= source
        assert len(pairs) > 10


def accusations(folder: Path, rows: Sequence[Row], levels: dict[str, int], **hierarchies: Row) -> list[str]:
    """What is said of kept columns where the quasi-identifiers stand at these levels."""
    listening, source = Listening(), write_parquet(folder / "in.parquet", rows)
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()}
    # a column in which most rows are alone, and that gives nothing away, is kept only where it is named
    unique = [name for name in rows[0] if name in ("noise", "_released_0", "unique", "real")]
    options = Options(levels=levels, others="keep", keep=unique, max_suppression="100%", k=2)
    anonymize(source, folder / "out.parquet", job={"columns": columns}, options=options, overwrite=True, observer=listening)
    return [warning for warning in listening.warnings if "discloses" in warning]


AGES = {"kind": "intervals", "widths": [5, 20]}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_kept_column_that_says_nothing_is_never_accused(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    count = rng.choice([40, 300, 1000, 3000])
    rows = [
        {
            "age": rng.randrange(18, 90) if seed % 2 else min(90, int(18 + rng.expovariate(0.2))),
            "city": rng.choices("abcd", [90, 5, 3, 2])[0],
            "coin": rng.randrange(2),
            "letter": rng.choice("abcdef"),
            "of two rows": rng.randrange(max(1, count // 2)),
            "of three rows": rng.randrange(max(1, count // 3)),
            "of five rows": rng.randrange(max(1, count // 5)),
            "skewed": rng.choices([0, 1, 2], [97, 2, 1])[0],
            "mostly missing": rng.choice([None, None, None, 1]),
            "unique": number,
            "real": rng.random(),
        }
        for number in range(count)
    ]
    levels = {"age": rng.choice([1, 2, 3]), "city": rng.choice([0, 1])}
    assert accusations(tmp_path, rows, levels, age=AGES, city={"kind": "flat"}) == []


def test_a_kept_column_is_accused_however_it_says_it(tmp_path: Path) -> None:
    rng = random.Random(5)
    ages = [rng.randrange(18, 90) for _ in range(1500)]
    rows = [{"age": age, "born": 2024 - age, "as text": f"{age} years", "noise": rng.randrange(4)} for age in ages]
    text = " ".join(accusations(tmp_path, rows, {"age": 2}, age=AGES))
    assert "'born'" in text
    assert "'as text'" in text
    assert "'noise'" not in text


def test_a_columns_name_does_not_hide_what_another_says(tmp_path: Path) -> None:
    rng = random.Random(5)
    ages = [rng.randrange(18, 90) for _ in range(1000)]
    rows = [{"age": age, "copy": age, "_released_0": number, "share": 1, "finer": 2} for number, age in enumerate(ages)]
    assert "'copy'" in " ".join(accusations(tmp_path, rows, {"age": 2}, age=AGES))


def test_a_kept_column_with_a_value_a_row_is_accused_too(tmp_path: Path) -> None:
    """Values of a single row are no proof of dependence each, but together they are."""
    rng = random.Random(6)
    rows = [
        {
            "age": age,
            "born at": datetime(2024 - age, 1, 1) + timedelta(seconds=rng.randrange(365 * 86_400)),
            "noise": rng.random(),
        }
        for age in (rng.randrange(18, 90) for _ in range(1500))
    ]
    text = " ".join(accusations(tmp_path, rows, {"age": 2}, age=AGES))
    assert "'noise'" not in text
    assert "'born at'" in text


# ------------------------------------------------------------------- tables as they are published

FIRST = ("Anna", "Ben", "Carla", "David", "Eva", "Frank", "Greta", "Hugo", "Ida", "Jon")
LAST = ("Abel", "Brandt", "Cole", "Diaz", "Evans", "Fischer", "Garcia", "Huber", "Ito", "Jansen")


def moment(rng: random.Random, days: int) -> datetime:
    return datetime(2024, 1, 1) + timedelta(seconds=rng.randrange(days * 86_400))


def patients(rng: random.Random) -> Iterator[Row]:
    for number in range(3000):
        yield {
            "patient_id": f"P{number:06}",
            "name": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
            "birth_date": date(1930, 1, 1) + timedelta(days=rng.randrange(30_000)),
            "sex": rng.choice("FM"),
            "zip": str(rng.randrange(80_100, 80_160)),
            "admission_date": date(2023, 1, 1) + timedelta(days=rng.randrange(365)),
            "diagnosis": rng.choice(["flu", "asthma", "diabetes", "fracture", "migraine"]),
            "ward": rng.choice("ABCD"),
        }


def trips(rng: random.Random) -> Iterator[Row]:
    for _ in range(3000):
        start, fare = moment(rng, 60), round(rng.uniform(3, 90), 2)
        yield {
            "medallion": f"{rng.randrange(300):05X}",
            "hack_license": f"H{rng.randrange(500):05}",
            "pickup_datetime": start,
            "dropoff_datetime": start + timedelta(seconds=rng.randrange(120, 4000)),
            "passenger_count": rng.randrange(1, 6),
            "trip_distance": round(rng.uniform(0.3, 25), 2),
            "pickup_longitude": round(rng.uniform(-74.05, -73.75), 6),
            "pickup_latitude": round(rng.uniform(40.6, 40.9), 6),
            "payment_type": rng.choice(["CRD", "CSH", "NOC"]),
            "fare_amount": fare,
            "tip_amount": round(fare * rng.choice([0, 0, 0.1, 0.2]), 2),
        }


def payroll(rng: random.Random) -> Iterator[Row]:
    for number in range(2000):
        first, last = rng.choice(FIRST), rng.choice(LAST)
        yield {
            "employee_id": 10_000 + number,
            "first_name": first,
            "last_name": last,
            "e-mail": f"{first}.{last}{number}@example.org".lower(),
            "hire_date": date(1990, 1, 1) + timedelta(days=rng.randrange(12_000)),
            "department": rng.choice(["Police", "Fire", "Parks", "Water", "Library"]),
            "job_title": f"title {rng.randrange(40)}",
            "salary": rng.randrange(30_000, 150_000, 500),
        }


def clicks(rng: random.Random) -> Iterator[Row]:
    for _ in range(3000):
        yield {
            "session_id": f"{rng.getrandbits(64):016x}",
            "user_id": rng.randrange(600),
            "ip": f"10.{rng.randrange(4)}.{rng.randrange(200)}.{rng.randrange(200)}",
            "user_agent": f"Mozilla/5.0 ({rng.randrange(60)})",
            "url": f"/page/{rng.randrange(400)}",
            "country": rng.choice(["DE", "FR", "ES", "IT", "US", "CH"]),
            "ts": moment(rng, 7),
            "duration": round(rng.expovariate(1 / 30), 3),
        }


def survey(rng: random.Random) -> Iterator[Row]:
    for number in range(2000):
        yield {
            "respondent": number + 1,
            "weight": round(rng.uniform(0.2, 4), 4),
            "age": rng.randrange(18, 95),
            "gender": rng.choice(["female", "male", "diverse"]),
            "region": f"R{rng.randrange(12)}",
            "income band": rng.choice(["<1000", "1000-2000", "2000-3000", ">3000"]),
            **{f"q{question}": rng.choice([1, 2, 3, 4, 5, None]) for question in range(1, 21)},
        }


def nested(rng: random.Random) -> Iterator[Row]:
    for number in range(1500):
        yield {
            "order_id": number,
            "customer": {"name": f"{rng.choice(FIRST)} {number}", "city": rng.choice(["Rome", "Oslo"])},
            "items": [rng.randrange(100) for _ in range(rng.randrange(4))],
            "labels": [("key", str(rng.randrange(9)))],
            "gender": rng.choice("fm"),
            "birth_year": rng.randrange(1940, 2005),
            "channel": rng.choice(["web", "shop", "telephone"]),
            "total": round(rng.uniform(5, 500), 2),
        }


def school(rng: random.Random) -> Iterator[Row]:
    for number in range(2000):
        yield {
            "StudentID": number + 500,
            "studentName": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
            "schoolName": f"School {rng.randrange(15)}",
            "gradeLevel": rng.randrange(1, 13),
            "DateOfBirth": date(2005, 1, 1) + timedelta(days=rng.randrange(4300)),
            "gender": rng.choice("FM"),
            "ethnicity": rng.choice("ABCDE"),
            "homeLanguage": rng.choice(["en", "de", "es", "tr"]),
            "freeLunch": rng.random() < 0.3,
            "disability": rng.choice(["none", "none", "none", "hearing", "sight"]),
            "gpa": round(rng.uniform(1, 4), 2),
            "testScore": rng.randrange(200, 800),
        }


def loans(rng: random.Random) -> Iterator[Row]:
    for number in range(2500):
        amount = rng.randrange(500, 40_000, 25)
        yield {
            "id": number,
            "loan_amnt": amount,
            "funded_amnt": amount,
            "term": rng.choice([" 36 months", " 60 months"]),
            "int_rate": round(rng.uniform(5, 25), 2),
            "emp_title": f"job {rng.randrange(900)}",
            "emp_length": rng.choice(["< 1 year", "1 year", "5 years", "10+ years", "n/a"]),
            "home_ownership": rng.choice(["RENT", "OWN", "MORTGAGE"]),
            "annual_inc": float(rng.randrange(12_000, 300_000)),
            "desc": f"I need the money because of {rng.random()}",
            "zip_code": f"{rng.randrange(100, 999)}xx",
            "addr_state": rng.choice(["NY", "CA", "TX", "FL"]),
            "loan_status": rng.choice(["Current", "Paid", "Default"]),
        }


def calls(rng: random.Random) -> Iterator[Row]:
    for _ in range(3000):
        yield {
            "caller": f"4917{rng.randrange(700):07}",
            "callee": f"4917{rng.randrange(700):07}",
            "imsi": f"26201{rng.randrange(700):010}",
            "cell_id": rng.randrange(90),
            "start_time": moment(rng, 31),
            "duration_s": int(rng.expovariate(1 / 120)),
            "kind": rng.choice(["voice", "sms", "data"]),
            "temperature": round(rng.gauss(20, 5), 1),
            "roaming": rng.random() < 0.05,
        }


def tiny(_: random.Random) -> Iterator[Row]:
    for number in range(8):
        yield {"age": 30 + number % 2, "sex": "FM"[number % 2], "city": "X"}


def single(rng: random.Random) -> Iterator[Row]:
    for _ in range(500):
        yield {"colour": rng.choice(["red", "green", "blue"])}


def unique(_: random.Random) -> Iterator[Row]:
    for number in range(300):
        yield {"a": number, "b": f"v{number}", "c": number * 1.5, "d": moment(random.Random(number), 300).date()}


def all_unique(_: random.Random) -> Iterator[Row]:
    for number in range(300):
        yield {"a": number, "b": f"v{number}", "c": number * 1.5}


def wide(rng: random.Random) -> Iterator[Row]:
    for _ in range(300):
        yield {
            f"var{column:03}": round(rng.gauss(0, 1), 5)
            if column % 6 == 0
            else rng.choice("abcdefgh"[: 2 + column % 6])
            if column % 3 == 0
            else rng.randrange(2 + column)
            for column in range(300)
        }


def questionnaire(rng: random.Random) -> Iterator[Row]:
    for _ in range(300):
        yield {f"item {column}": rng.randrange(1, 6) for column in range(60)}


TABLES: dict[str, tuple[Maker, set[str]]] = {
    "patients": (patients, {"patient_id", "name"}),
    "trips": (trips, {"medallion", "hack_license"}),
    "payroll": (payroll, {"employee_id", "first_name", "last_name", "e-mail"}),
    "clicks": (clicks, {"session_id", "user_id", "ip", "user_agent", "url"}),
    "survey": (survey, {"respondent"}),
    "nested": (nested, {"order_id", "customer", "items", "labels"}),
    "school": (school, {"StudentID", "studentName"}),
    "loans": (loans, {"id", "desc"}),
    "calls": (calls, {"caller", "callee", "imsi"}),
    "tiny": (tiny, set()),
    "single": (single, set()),
    "unique": (unique, {"a", "b"}),
    "all unique": (all_unique, {"a", "b"}),
}


def table_of(rows: Sequence[Row]) -> pa.Table:
    """Rows as a table; lists of pairs become a map."""
    maps = [name for name, value in rows[0].items() if isinstance(value, list) and value and isinstance(value[0], tuple)]
    plain = pa.Table.from_pylist([{name: value for name, value in row.items() if name not in maps} for row in rows])
    for name in maps:
        plain = plain.append_column(name, pa.array([row[name] for row in rows], pa.map_(pa.string(), pa.string())))
    return plain


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_nobody_described_is_released_safely_or_refused(tmp_path: Path, table: str) -> None:
    make, never = TABLES[table]
    rows = list(make(random.Random(11)))
    pq.write_table(table_of(rows), tmp_path / "table.parquet")
    run = run_command(tmp_path, "anonymize", "table.parquet")
    if run.code:
        refused(run, 1 if run.code == 1 else 2, narrates=True)
        assert [path.name for path in tmp_path.iterdir()] == ["table.parquet"]
        return
    manifest = manifest_of(tmp_path, "table.anonymized.parquet")
    is_safe(tmp_path / "table.anonymized.parquet", manifest)
    assert manifest["columns"].keys() == rows[0].keys() == manifest["reasons"].keys()
    assert never.isdisjoint(pq.read_schema(tmp_path / "table.anonymized.parquet").names)


@pytest.mark.parametrize("make", [wide, questionnaire])
def test_a_table_of_many_columns_is_looked_at_in_seconds(tmp_path: Path, make: Maker) -> None:
    """Pairs of columns grow with the square of the columns; a few hundred rows must not take a minute."""
    pq.write_table(table_of(list(make(random.Random(1)))), tmp_path / "table.parquet")
    run = run_command(tmp_path, "anonymize", "table.parquet", code=0)
    is_safe(tmp_path / "table.anonymized.parquet", manifest_of(tmp_path, "table.anonymized.parquet"))
    assert len(run.err.splitlines()) < 40, "dropped columns do not share their lines"


# ------------------------------------------------------------------- what strangers call their columns


PLACES_AND_TIMES: dict[str, Sequence[Any]] = {
    "diagnosis_date": [date(2024, 1, 1) + timedelta(days=day) for day in range(200)],
    "date_of_arrest": [date(2024, 1, 1) + timedelta(days=day) for day in range(200)],
    "treatment_start": [datetime(2024, 1, 1) + timedelta(days=day) for day in range(200)],
    "age_at_diagnosis": range(18, 90),
    "treatment_city": [f"Town {number}" for number in range(80)],
    "test_zip": [f"80{number}" for number in range(100, 190)],
    "sentence_year": range(1990, 2020),
}
OWN: dict[str, Sequence[Any]] = {
    "caller": [f"+4917012345{number}" for number in range(10, 40)],
    "msisdn": [f"4917012345{number}" for number in range(10, 40)],
    "contact": [f"{first.lower()}.{last.lower()}@example.org" for first in FIRST[:5] for last in LAST[:5]],
    "custid": range(100_000, 100_030),
    "userid": [f"u{number}" for number in range(30)],
    "patientid": [f"p{number}" for number in range(30)],
    "customer_no": [f"c{number}" for number in range(30)],
    "Nachname": LAST,
    "Kundennummer": [f"c{number}" for number in range(30)],
    "nom": LAST,
    "apellido": LAST,
    "DNI": [f"123456{number}X" for number in range(10, 40)],
    "account_id": range(100, 130),
    "driver_id": range(100, 130),
    "origin": [f"10.0.{number}.77" for number in range(30)],
}
WRITTEN = [
    *("userId", "user-id", "USER_ID", "user id", "iPAddress", "eMail", "E-Mail"),
    *("PhoneNo", "téléphone", "lastName2", "phone1", "store_phone", "birth_name", "motherName"),
]


def test_a_date_an_age_or_a_place_is_not_released_raw_because_a_sensitive_word_stands_beside(tmp_path: Path) -> None:
    """When and where somebody was treated is what others know."""
    rng = random.Random(2)
    rows = [{name: rng.choice(values) for name, values in PLACES_AND_TIMES.items()} for _ in range(2500)]
    write_parquet(tmp_path / "in.parquet", rows)
    assert "sensitive" not in {column["role"] for column in profile(tmp_path / "in.parquet")["columns"]}


def test_a_persons_own_number_or_name_is_not_released_because_the_person_has_many_rows(tmp_path: Path) -> None:
    """k rows of one customer are k-anonymous and name the customer."""
    rng = random.Random(3)
    rows = [{**{name: rng.choice(values) for name, values in OWN.items()}, "product": rng.choice("abc")} for _ in range(3000)]
    output, manifest = guessed(tmp_path, rows)
    released = read_rows(output)
    for name in OWN.keys() & released[0].keys():
        assert {str(row[name]) for row in released}.isdisjoint(map(str, OWN[name])), manifest["reasons"][name]


@pytest.mark.parametrize("names", [WRITTEN, ["UserID"]])
def test_a_direct_identifier_is_known_however_it_is_written(tmp_path: Path, names: list[str]) -> None:
    rng = random.Random(4)
    rows = [{**{name: f"v{rng.randrange(30)}" for name in names}, "product": rng.choice("abc")} for _ in range(1000)]
    _, manifest = guessed(tmp_path, rows)
    assert {name for name, role in manifest["columns"].items() if role == "identifying"} == set(names)


def test_letters_with_accents_part_no_words(tmp_path: Path) -> None:
    rng = random.Random(4)
    rows = [{name: rng.randrange(3) for name in ("Idéal", "identité_validée", "Unité", "großartig")} for _ in range(500)]
    write_parquet(tmp_path / "in.parquet", rows)
    assert {column["role"] for column in profile(tmp_path / "in.parquet")["columns"]} == {"quasi-identifier"}


# ------------------------------------------------------------------- what strangers keep in their columns

VALUES: dict[str, Sequence[Any]] = {
    "infinite": [math.inf, *(number / 3 for number in range(60))],
    "minus infinite": [-math.inf, *(number / 3 for number in range(60))],
    "not a number": [math.nan, *(number / 3 for number in range(60))],
    "huge span": [1.7e308, -1e308, *(number / 3 for number in range(60))],
    "huge": [number * 1e25 for number in range(60)],
    "small": [number * 1e-12 for number in range(60)],
    "subnormal": [number * 5e-324 for number in range(60)],
    "close together": [1e15 + number / 8 for number in range(60)],
    "large whole": [2**60 + number for number in range(60)],
    "infinite date": [date.max, *(date(2024, 1, 1) + timedelta(days=number) for number in range(60))],
    "text": ["", " ", "NaN", "null", *(str(number) for number in range(60))],
    "boolean": [True, False, None],
}


@pytest.mark.parametrize("values", VALUES)
def test_no_value_breaks_the_proposal(tmp_path: Path, values: str) -> None:
    rng = random.Random(7)
    rows = [{"reading": rng.choice(VALUES[values]), "group": rng.randrange(3)} for _ in range(1200)]
    try:
        output, manifest = guessed(tmp_path, rows)
    except (UsageError, GuaranteeError):
        return
    is_safe(output, manifest)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type", "expression"),
    [
        ("decimal(38, 2)", "1e33::decimal(38, 2) + (i % 60) * 0.01::decimal(38, 2)"),
        ("hugeint", "'170141183460469231731687303715884105000'::hugeint + i % 60"),
        ("uhugeint", "'340282366920938463463374607431768211000'::uhugeint + (i % 60)::uhugeint"),
        ("timestamptz", "timestamptz '2024-01-01 00:00:00+02' + to_days((i % 60)::int)"),
        ("timestamp_ns", "(timestamp '2024-01-01' + to_days((i % 60)::int))::timestamp_ns"),
        ("time", "time '00:00:00' + to_minutes(i % 60)"),
        ("interval", "to_minutes(i % 60)"),
        ("enum", "(['a', 'b', 'c'])[i % 3 + 1]::enum('a', 'b', 'c')"),
        ("json", "json_object('a', i % 3)"),
        ("blob", "i::varchar::blob"),
        ("uuid", "uuid()"),
        ("bit", "i::int::bit"),
    ],
)
def test_no_type_breaks_the_proposal(tmp_path: Path, type: str, expression: str) -> None:
    """A DuckDB table keeps types that Parquet does not have."""
    with duckdb.connect(tmp_path / "in.duckdb") as connection:
        connection.execute(
            f"create table t as select cast({expression} as {'varchar' if type == 'enum' else type}) as reading, "
            "cast(hash(i * 31) % 3 as integer) as party, hash(i * 7) % 4 = 0 as group_two from range(1200) as t(i)"
        )
        if type == "enum":
            connection.execute("alter table t alter reading type enum('a', 'b', 'c')")
    try:
        manifest = anonymize(f"{tmp_path / 'in.duckdb'}::t", tmp_path / "out.parquet")
    except UsageError:
        return
    is_safe(tmp_path / "out.parquet", manifest)


@pytest.mark.parametrize(
    "rows",
    [[{"a": None, "b": None}] * 50, [{"payload": str(number).encode()} for number in range(50)]],
    ids=["all missing", "binary"],
)
def test_a_table_with_nothing_to_propose_is_refused(tmp_path: Path, rows: list[Row]) -> None:
    schema = pa.schema([(name, pa.string()) for name in rows[0]]) if rows[0].get("a", 0) is None else None
    pq.write_table(pa.Table.from_pylist(rows, schema), tmp_path / "table.parquet")
    refused(run_command(tmp_path, "anonymize", "table.parquet"), 2, "no quasi-identifier detected", narrates=True)


NAMES = {
    "quotes": ['a"b', "it's", "[c]", "{a, b}"],
    "yaml": ["x: y # z", "null", "yes", "2024", "~", "- a"],
    "sql": ["attribute", "number", "text", "records", "select", "value"],
    "letters": ["a.b", "a/b", "名前", "🙂", "  "],
    "a question": ["On a scale from one to five, how satisfied are you with the help that you got from our staff " * 2, "b"],
    "two lines": ["new\nline", "b"],
}


@pytest.mark.slow
@pytest.mark.parametrize("names", NAMES)
def test_the_job_runs_again_whatever_the_columns_are_called(tmp_path: Path, names: str) -> None:
    rng = random.Random(8)
    rows = [{name: rng.randrange(3) for name in NAMES[names]} for _ in range(900)]
    _, first = guessed(tmp_path, rows)
    job = tmp_path / "out.parquet.job.yaml"
    again = anonymize(job=job, output=tmp_path / "again.parquet")
    assert again["recoding"]["algorithm"] == first["recoding"]["algorithm"]
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")


def test_the_job_of_a_file_without_a_header_runs_again(tmp_path: Path) -> None:
    rng = random.Random(9)
    lines = [f"{rng.randrange(18, 80)},{rng.choice('FM')}\n" for _ in range(500)]
    (tmp_path / "in.csv").write_text("".join(lines))
    run_command(tmp_path, "anonymize", "in.csv", "--set", "names=[age,gender]", "-o", "out.parquet", code=0)
    run_command(tmp_path, "anonymize", "--job", "out.parquet.job.yaml", "-o", "again.parquet", code=0)


# ------------------------------------------------------------------- reasons are true


def test_a_column_of_two_values_does_not_have_a_value_a_row(tmp_path: Path) -> None:
    _, manifest = guessed(tmp_path, list(tiny(random.Random(0))))
    assert "nearly every row" not in manifest["reasons"]["sex"]


def test_the_salaries_of_the_few_are_not_shown(tmp_path: Path) -> None:
    """A sensitive value that one row has is that person's, however many share the others."""
    rng = random.Random(20)
    salaries = [*range(200_000, 300_000, 1000), *(rng.randrange(30_000, 70_000, 1000) for _ in range(2900))]
    is_safe(*guessed(tmp_path, [{"department": rng.choice("abc"), "salary": salary} for salary in salaries]))


def test_a_date_repeats_no_date_that_it_has_nothing_to_do_with(tmp_path: Path) -> None:
    rng = random.Random(10)
    rows = [
        {
            "birth_date": date(1940, 1, 1) + timedelta(days=rng.randrange(25_000)),
            "admission_date": date(2000, 1, 1) + timedelta(days=rng.randrange(8000)),
            "sex": rng.choice("FM"),
        }
        for _ in range(500)
    ]
    _, manifest = guessed(tmp_path, rows)
    assert "repeats" not in " ".join(manifest["reasons"].values())


def test_a_column_that_repeats_another_is_generalized_with_it(tmp_path: Path) -> None:
    """Both are quasi-identifiers, so an adversary who knows both finds no fewer than k records."""
    rng = random.Random(12)
    regions = [rng.choices(range(10), [50, 20, 10, 5, 5, 4, 3, 1, 1, 1])[0] for _ in range(400)]
    rows = [{"region": f"R{number}", "region_code": number * 11, "sex": rng.choice("FM")} for number in regions]
    output, manifest = guessed(tmp_path, rows)
    assert {manifest["columns"][name] for name in ("region", "region_code")} == {"quasi-identifier"}
    is_safe(output, manifest)


def test_a_guessed_sensitive_column_that_gives_another_away_is_dropped_from_the_job_too(tmp_path: Path) -> None:
    rng = random.Random(13)
    rows = [
        {"age": age, "treatment": f"for {age}", "sex": rng.choice("FM")} for age in (rng.randrange(18, 88) for _ in range(900))
    ]
    output, manifest = guessed(tmp_path, rows)
    assert not {str(row["age"]) for row in read_rows(output)} <= {str(age) for age in range(18, 88)}
    assert manifest["columns"]["treatment"] == "dropped"
    assert "discloses 'age'" in manifest["reasons"]["treatment"]
    assert "treatment" not in pq.read_schema(output).names
    assert anonymize(job=tmp_path / "out.parquet.job.yaml", output=tmp_path / "again.parquet")["warnings"] == []
    assert multiset(tmp_path / "again.parquet") == multiset(output)


def test_declared_roles_stand_where_the_rest_is_guessed(tmp_path: Path) -> None:
    rows = list(patients(random.Random(14)))
    _, manifest = guessed(tmp_path, rows, identifying=["ward"], sensitive=["zip"])
    assert (manifest["columns"]["ward"], manifest["columns"]["zip"]) == ("identifying", "sensitive")
    assert manifest["roles"] == "detected"
    assert manifest["reasons"]["zip"] == "as declared"


def test_others_that_nobody_names_are_never_kept(tmp_path: Path) -> None:
    output, manifest = guessed(tmp_path, list(patients(random.Random(15))), others="keep")
    is_safe(output, manifest)
    assert any("does not keep columns without a declared role" in warning for warning in manifest["warnings"])


# ------------------------------------------------------------------- `duckanon profile`

HEADS = [
    "column",
    "type",
    "role",
    "distinct_values",
    "exact",
    "missing",
    "distinction",
    "separation",
    "looks_like",
    "hierarchy",
    "labels",
    "reason",
]

CELLS: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.int64(): st.integers(-3, 3),
    pa.string(): st.sampled_from(["", " ", "a", "A", "ä", "NULL", "?"]),
    pa.float64(): st.sampled_from([0.0, 0.5, -1.5, 1e300]),
    pa.bool_(): st.booleans(),
    pa.date32(): st.dates(date(2024, 1, 1), date(2024, 1, 5)),
}


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A few rows of a few columns of any type, NULLs among them."""
    rows = draw(st.integers(1, 30))
    types = draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=5))
    cells = [draw(st.lists(st.none() | CELLS[type], min_size=rows, max_size=rows)) for type in types]
    return pa.table(
        {f"c{number}": pa.array(column, type) for number, (type, column) in enumerate(zip(types, cells, strict=True))}
    )


def distinction_and_separation(values: Sequence[Any]) -> tuple[float, float]:
    groups, rows = Counter(values), len(values)
    pairs = rows * (rows - 1)
    return len(groups) / rows, 1 - sum(size * (size - 1) for size in groups.values()) / pairs if pairs else 0.0


@settings(max_examples=levels.at_most(10))
@given(table=tables())
def test_a_profile_is_what_plain_python_counts(tmp_path: Path, table: pa.Table) -> None:
    pq.write_table(table, tmp_path / "table.parquet")
    document = profile(tmp_path / "table.parquet")
    assert document["rows"] == table.num_rows
    assert sorted(row["column"] for row in document["columns"]) == sorted(table.column_names)
    for row in document["columns"]:
        values = table.column(row["column"]).to_pylist()
        assert row["exact"]
        assert row["distinct_values"] == len({value for value in values if value is not None})
        assert row["missing"] == values.count(None)
        assert (row["distinction"], row["separation"]) == pytest.approx(distinction_and_separation(values))
        assert row["role"] in ROLES
    proposed = [row["column"] for row in document["columns"] if row["role"] == "quasi-identifier"]
    assert [entry["columns"] for entry in document["sets"]] == ([proposed] if proposed else [])
    for actual in document["sets"]:
        together = list(zip(*(table.column(name).to_pylist() for name in proposed), strict=True))
        assert (actual["distinction"], actual["separation"]) == pytest.approx(distinction_and_separation(together))


def test_the_three_formats_say_the_same_and_stdout_holds_data_only(cli: Cli, tmp_path: Path) -> None:
    rows = [{**row, "zip": None if number % 9 == 0 else row["zip"]} for number, row in enumerate(patients(random.Random(16)))]
    write_parquet(tmp_path / "patients.parquet", rows)
    runs = {name: cli("profile", "patients.parquet", "--format", name) for name in ("table", "csv", "json")}
    assert [(run.code, run.err) for run in runs.values()] == [(0, "")] * 3
    document = json.loads(runs["json"].out)
    assert [list(row) for row in document["columns"]] == [HEADS] * 8
    read = list(csv.DictReader(io.StringIO(runs["csv"].out)))
    assert list(read[0]) == HEADS
    assert len(read) == 8
    for written, row in zip(read, document["columns"], strict=True):
        for head in ("column", "type", "role", "reason"):
            assert written[head] == row[head]
        for head in ("distinct_values", "missing", "distinction", "separation"):
            assert float(written[head]) == pytest.approx(row[head])
    lines = runs["table"].out.splitlines()
    assert lines[0].split()[:3] == ["column", "type", "distinct"]
    for line, row in zip(lines[1:9], document["columns"], strict=True):
        assert line.split()[:2] == [row["column"], row["type"]]
        assert f" {row['role']}" in line
    for row in document["columns"]:
        assert any(row["column"] in line and line.endswith(f": {row['role']}; {row['reason']}") for line in lines[9:])
    assert lines[-2] == "3,000 rows"
    assert lines[-1].startswith("birth_date, sex, zip, admission_date, ward together: ")
    zipped = next(row for row in document["columns"] if row["column"] == "zip")
    assert zipped["missing"] == sum(row["zip"] is None for row in rows)


def test_the_labels_of_a_profile_are_those_of_the_most_frequent_value(cli: Cli, tmp_path: Path) -> None:
    """In the document, the table and the page; the page is one file that is not overwritten."""
    ages = [20 + number % 50 for number in range(900)] + [37] * 100
    rows = [{"age": age, "sex": "FM"[number % 2], "code": ("<b>", "red", "tea")[number % 3]} for number, age in enumerate(ages)]
    write_parquet(tmp_path / "in.parquet", rows)
    labels = {column["column"]: column["labels"] for column in profile(tmp_path / "in.parquet")["columns"]}
    assert labels == {"age": ["[35, 40)", "[30, 40)", "[20, 40)", "*"], "sex": ["*"], "code": labels["code"]}
    assert "[35, 40) → [30, 40) → ... → *" in cli("profile", "in.parquet", "--report", "profile.html", code=0).out
    page = (tmp_path / "profile.html").read_text(encoding="utf-8")
    assert "[35, 40) → [30, 40) → … → *" in page
    assert all(column in page for column in ("age", "sex", "code"))
    assert "http://" not in page.partition("<script")[0].replace("http://www.w3.org", "")
    refused(cli("profile", "in.parquet", "--report", "profile.html"), 3, "profile.html", "--overwrite")


def test_nested_columns_have_no_distinct_values(cli: Cli, tmp_path: Path) -> None:
    pq.write_table(table_of(list(nested(random.Random(17)))), tmp_path / "table.parquet")
    run = cli("profile", "table.parquet", "--json", code=0)
    by_column = {row["column"]: row for row in run.manifest["columns"]}
    for name in ("customer", "items", "labels"):
        assert by_column[name]["role"] == "dropped"
        assert (by_column[name]["distinct_values"], by_column[name]["distinction"], by_column[name]["separation"]) == (
            None,
            None,
            None,
        )
    assert cli("profile", "table.parquet").code == 0


def test_the_job_that_a_profile_writes_runs_and_is_not_overwritten(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "patients.parquet", list(patients(random.Random(18))))
    first = cli("profile", "patients.parquet", "--write-job", "job.yaml", code=0)
    assert "job.yaml" in first.err
    assert "job.yaml" not in first.out
    job = (tmp_path / "job.yaml").read_bytes()
    again = cli("profile", "patients.parquet", "--write-job", "job.yaml", code=3)
    assert again.out == ""
    assert "--overwrite" in again.err
    assert (tmp_path / "job.yaml").read_bytes() == job
    assert cli("profile", "patients.parquet", "--write-job", "job.yaml", "--overwrite").code == 0
    assert file.faults(tmp_path / "job.yaml") == []
    manifest = cli("anonymize", "--job", "job.yaml", "--json", code=0).manifest
    assert manifest["roles"] == "declared"
    assert min(sizes(tmp_path / "patients.anonymized.parquet", of_role(manifest, "quasi-identifier"))) >= 5
    proposed = profile(tmp_path / "patients.parquet")
    assert {row["column"]: row["role"] for row in proposed["columns"]} == manifest["columns"]


def test_a_profile_takes_the_roles_of_a_job(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "patients.parquet", list(patients(random.Random(19))))
    (tmp_path / "job.yaml").write_text("columns: {ward: {role: insensitive}, name: {role: sensitive}}\n")
    run = cli("profile", "patients.parquet", "--job", "job.yaml", "--json")
    by_column = {row["column"]: (row["role"], row["reason"]) for row in run.manifest["columns"]}
    assert by_column["ward"] == ("insensitive", "as declared")
    assert by_column["name"] == ("sensitive", "as declared")


def test_an_input_without_rows_is_not_profiled(cli: Cli, tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), tmp_path / "table.parquet")
    run = cli("profile", "table.parquet", code=3)
    assert "no rows" in run.err
    assert run.out == ""


def test_a_linked_column_is_judged_beside_the_other_quasi_identifiers(tmp_path: Path, cli: Cli) -> None:
    rows = [{"edu": number % 50, "town": number % 50, "townno": number % 50 * 7} for number in range(1000)]
    write_parquet(tmp_path / "in.parquet", rows)
    (tmp_path / "job.yaml").write_text(
        "source: in.parquet\n"
        "columns:\n"
        "  edu: {role: quasi-identifier, hierarchy: {kind: flat}}\n"
        "  town: {role: quasi-identifier, hierarchy: {kind: flat}}\n"
        "  townno: {role: insensitive}\n"
        "recoding: {levels: {edu: 0, town: 1}}\n"
        "linked: [[edu, townno]]\n"
    )
    assert "'townno' discloses 'town'" in cli("anonymize", "--job", "job.yaml", code=2).err


@pytest.mark.parametrize("name", ["👨‍👩‍👧 size", "tab\tsize", "q" * 1500, 'two\nlines "quoted" \\ back', "a: b #c"])
def test_a_job_file_names_any_column(tmp_path: Path, cli: Cli, name: str) -> None:
    rng = random.Random(8)
    write_parquet(tmp_path / "in.parquet", [{name: rng.choice("abc"), "age": rng.randrange(20, 60)} for _ in range(500)])
    assert cli("anonymize", "in.parquet", "-o", "out.parquet", "--identifying", "age", "-q").code == 0
    assert cli("job", "validate", "out.parquet.job.yaml").code == 0
    again = cli("anonymize", "--job", "out.parquet.job.yaml", "-o", "again.parquet", "--json", "-q", code=0)
    assert again.manifest["columns"][name] == "quasi-identifier"


def test_a_job_file_takes_no_other_files_place(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": number % 40} for number in range(500)])
    before = (tmp_path / "in.parquet").read_bytes()
    for place in ("in.parquet", ".", "nowhere/job.yaml"):
        run = cli("profile", "in.parquet", "--write-job", place, "--overwrite", code=3)
        assert "job file" in run.err
        assert ".part" not in run.err
    assert (tmp_path / "in.parquet").read_bytes() == before

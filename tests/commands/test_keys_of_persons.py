"""Retained columns that link the rows of a person, judged like pseudonyms; and pseudonyms, judged by the number of rows in each class."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import duckanon
from duckanon.checks.file import check
from duckanon.checks.risk import risk
from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.job.accepted import CASES
from duckanon.job.options import Options, Run
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply
from tests.support.settings import keywords_of

Row = dict[str, Any]
KEY = "6f1c9a5be0d2473886bd1f0a54c7e39281ab4fd60c7785ea23914bb0de6f8a17"


def visits(patients: int = 400, each: int = 3, seed: int = 3) -> list[Row]:
    """Visits of patients in a random ward and month; `token`, `badge` and `phone` tell patients apart, `country` and `nurse` do not."""
    random = Random(seed)
    rows = [
        {
            "patient": f"pat{number:05}",
            "token": f"T{number * 7919 % 100003:06}",
            "badge": 70_000 + number,
            "phone": f"{random.choice(['030', '040'])} 555 {number:06}",
            "country": f"c{number % 7}",
            "nurse": random.choice("mnopqr"),
            "ward": random.choice("abcdefgh"),
            "month": random.randrange(1, 13),
        }
        for number in range(patients)
        for _ in range(each)
    ]
    random.shuffle(rows)
    return rows


def below(released: Sequence[Row], column: str, known: Sequence[str], k: int) -> int:
    """The values of a column whose rows are, in number, in the same classes as those of fewer than k values."""
    trails: dict[Any, Counter[Any]] = defaultdict(Counter)
    for row in released:
        trails[row[column]][tuple(row[name] for name in known)] += 1
    groups = Counter(frozenset(classes.items()) for classes in trails.values())
    return sum(size for size in groups.values() if size < k)


def test_a_token_of_each_patient_is_refused_unless_it_is_accepted(tmp_path: Path, cli: Cli) -> None:
    source = write_parquet(tmp_path / "in.parquet", visits())
    common = ["anonymize", source, "--qi", "ward,month", "--k", "20", "--entity", "patient", "--keep", "token,country"]
    refused = cli(*common, "-o", tmp_path / "no.parquet", code=2)
    assert "'token' links the rows of a person" in refused.err
    assert "400 of 400 persons" in refused.err
    assert "--set accept=key@token" in refused.err
    accepted = cli(*common, "-o", tmp_path / "out.parquet", "--set", "accept=key@token", code=0)
    assert below(read_rows(tmp_path / "out.parquet"), "token", ["ward", "month"], 20) == 400
    assert "token: a retained column links rows of a person" in accepted.err
    assert cli(*common, "-o", tmp_path / "linkable.parquet", "--set", "linkable=true").code == 0


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_every_recoding_is_judged(tmp_path: Path, algorithm: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", visits())
    options = Options(qi=["ward", "month"], k=20, entity="patient", keep=["badge"], algorithm=algorithm)
    with pytest.raises(JobError, match="'badge' links the rows of a person"):
        anonymize(source, tmp_path / "out.parquet", options=options, run=Run())


@pytest.mark.parametrize(
    ("given", "column"),
    [
        ({"keep": ["token"], "adversary": ["a=ward", "b=month"]}, "token"),
        ({"sensitive": ["badge"]}, "badge"),
        ({"identifying": ["phone"], "set": ["columns.phone.mask.last=6"]}, "phone"),
    ],
    ids=["adversaries", "sensitive", "mask"],
)
def test_relatives_are_refused(tmp_path: Path, cli: Cli, given: dict[str, Any], column: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", visits())
    words = [word for name, values in given.items() for value in values for word in (f"--{name}", value)]
    run = cli("anonymize --qi ward,month --k 20 --entity patient", source, *words, "-o", tmp_path / "out.parquet", code=2)
    assert f"{column!r} links the rows of a person" in run.err


def test_a_nearly_constant_column_is_judged_and_a_varying_or_common_one_is_not(tmp_path: Path, cli: Cli) -> None:
    rows = visits()
    for row in rows[:40]:
        row["token"] = "unknown"
    for number, row in enumerate(rows):
        row["ticket"] = number
    source = write_parquet(tmp_path / "in.parquet", rows)
    common = ["anonymize", source, "--qi", "ward,month", "--k", "20", "--entity", "patient", "-o", tmp_path / "out.parquet"]
    assert "'token' links" in cli(*common, "--keep", "token").err
    kept = cli(*common, "--keep", "country,nurse,ticket", code=0)
    assert "values that fewer than 20 persons have in retained 'ticket' (100% of the rows)" in kept.err
    assert "country" not in " ".join(line for line in kept.err.splitlines() if "warning" in line)


def test_rows_in_one_class_tell_by_their_number_only(tmp_path: Path, cli: Cli) -> None:
    """All patients of a ward have all their rows there: as a set of classes they are alike, but not by the number of visits."""
    random = Random(1)
    rows = [
        {"patient": f"p{number:04}", "ward": "abcd"[number % 4]}
        for number in range(400)
        for _ in range(random.choice([1, 1, 1, 2, 3, *range(4, 30)]))
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    (tmp_path / "key").write_text(KEY)
    (tmp_path / "key").chmod(0o600)
    words = ["--pseudonym", "patient", "--release", "r", "--key-file", tmp_path / "key"]
    common = ["anonymize", source, "--qi", "ward", "--k", "20", "--entity", "patient", *words]
    refused = cli(*common, "-o", tmp_path / "no.parquet", code=1)
    cli(*common, "--set", "linkable=true", "-o", tmp_path / "out.parquet", code=0)
    expected = below(read_rows(tmp_path / "out.parquet"), "patient", ["ward"], 20)
    assert f"{expected:,} of 400 persons" in refused.err
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert manifest["identifiers"]["patient"]["linked"]["persons_below"] == expected > 200


def test_patients_with_equally_many_rows_are_not_told_apart(tmp_path: Path, cli: Cli) -> None:
    rows = [
        {"patient": f"p{number:04}", "token": f"t{number:04}", "ward": "abcd"[number % 4]}
        for number in range(200)
        for _ in range(3)
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    cli("anonymize --qi ward --k 20 --entity patient --keep token", source, "-o", tmp_path / "out.parquet", code=0)
    assert below(read_rows(tmp_path / "out.parquet"), "token", ["ward"], 20) == 0


def test_persons_with_one_row_and_the_same_value_are_not_linked(tmp_path: Path, cli: Cli) -> None:
    """Two patients have each pay, in different wards; one patient has a second row."""
    rows = [{"patient": number, "pay": 3_000 + number // 2, "ward": "abcd"[number % 4]} for number in range(400)]
    rows.append({"patient": 7, "pay": 3_003, "ward": "a"})
    words = ["--qi", "ward", "--k", "20", "--entity", "patient", "--keep", "pay", "-o", tmp_path / "out.parquet"]
    cli("anonymize", write_parquet(tmp_path / "once.parquet", rows[:400]), *words, code=0)
    twice = cli("anonymize", write_parquet(tmp_path / "twice.parquet", rows), *words, "--overwrite", code=2)
    assert "'pay' links the rows of a person like a pseudonym: 2 of 400 persons" in twice.err, "of the pair with a second row"


def test_new_data_are_judged(tmp_path: Path) -> None:
    # three visits of each patient in one ward: the token tells nothing
    calm = [row | {"ward": "abcd"[int(row["patient"][3:]) % 4], "month": 1} for row in visits()]
    source = write_parquet(tmp_path / "in.parquet", calm)
    options = Options(qi=["ward", "month"], k=20, entity="patient", keep=["token"])
    anonymize(source, tmp_path / "out.parquet", options=options, run=Run())
    later = write_parquet(tmp_path / "later.parquet", [row | {"month": 1} for row in visits(seed=4)])
    options = Options(max_suppression="10%")
    with pytest.raises(JobError, match="'token' links the rows of a person"):
        apply(tmp_path / "out.parquet.manifest.json", later, tmp_path / "applied.parquet", options=options, run=Run())


def test_a_column_that_nobody_named_is_dropped(tmp_path: Path, cli: Cli) -> None:
    """Of 60% of the patients, the token is that of their group: with fewer than half of the rows, it is no key that `--others keep` refuses."""
    rows = [row | {"token": row["token"] if int(row["patient"][3:]) % 10 < 4 else "none"} for row in visits()]
    source = write_parquet(tmp_path / "in.parquet", rows)
    words = ["--qi", "ward,month", "--k", "20", "--entity", "patient", "--others", "keep", "--identifying", "badge,phone"]
    run = cli("anonymize", source, *words, "-o", tmp_path / "out.parquet", code=0)
    assert "'token' links the rows of a person like a pseudonym; duckanon drops the column" in run.err
    assert set(read_rows(tmp_path / "out.parquet")[0]) == {"country", "nurse", "ward", "month"}


def test_outliers_are_those_of_persons(tmp_path: Path, cli: Cli) -> None:
    """Six rows of one billionaire are more than five rows, but one person."""
    random = Random(2)
    rows = [
        {"pid": f"p{n % 100:03}", "q": "ab"[n % 2], "income": random.randrange(20_000, 60_000) + n / 1000} for n in range(600)
    ]
    for number, row in enumerate(row for row in rows if row["pid"] == "p007"):
        row["income"] = 9_000_000 + number
    source = write_parquet(tmp_path / "in.parquet", rows)
    run = cli("anonymize", source, "--qi", "q", "--entity", "pid", "--keep", "income", "-o", tmp_path / "out.parquet")
    assert "outliers in retained 'income' (above), in fewer than five persons" in run.err


def test_a_sensitive_column_whose_possible_values_are_enough_gets_a_warning(tmp_path: Path, cli: Cli) -> None:
    rows = [
        {"patient": f"P{person:04d}", "ward": row % 2, "condition": f"c{person % 60}"}
        for person in range(240)
        for row in range(2 + person % 60)
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    command = ["anonymize", source, "--qi", "ward", "--entity", "patient", "--k", "5", "--sensitive", "condition"]
    judged = cli(*command, "--require", "distinct-l=10", "-o", tmp_path / "judged.parquet", "--strict", code=1)
    assert "the sensitive column 'condition' links the rows" in judged.err
    assert cli(*command, "-o", tmp_path / "bare.parquet").code == 2


def test_rare_values_of_a_common_column_are_named_in_a_warning(tmp_path: Path, cli: Cli) -> None:
    """Four of 400 patients are from one country: who knows that, or sees that these rows belong together, links them."""
    rows = [row | {"country": "none" if row["patient"] < "pat00004" else row["country"]} for row in visits()]
    common = ["anonymize", write_parquet(tmp_path / "in.parquet", rows), "--qi ward,month --k 20 --entity patient"]
    common += ["--keep", "country", "-o", tmp_path / "out.parquet", "--overwrite"]
    assert "4 persons have values of 'country' that fewer than 20 persons have and that link" in cli(*common, code=0).err
    assert cli(*common, "--strict").code == 1
    cli(*common, "--strict", "--set", "accept=key@country", code=0)


def test_rows_of_a_shared_value_may_all_be_of_one_person(tmp_path: Path, cli: Cli) -> None:
    """Two families of two persons have as many rows in the same classes; in each class, these are of two persons and not of four."""
    rows = [
        {"patient": 2 * family + ("ab".index(ward)), "family": f"f{family}", "ward": ward}
        for family in range(60)
        for ward in "ab"
        for _ in "12"
    ]
    rows = [row for row in rows if row["family"] in ("f0", "f1")] + [
        row | {"family": "f"} for row in rows if row["family"] not in ("f0", "f1")
    ]
    words = ["--qi", "ward", "--k", "3", "--entity", "patient", "--keep", "family", "-o", tmp_path / "out.parquet"]
    run = cli("anonymize", write_parquet(tmp_path / "in.parquet", rows), *words, code=0)
    assert "4 persons have values of 'family' that fewer than 3 persons have" in run.err
    assert "4 of 4 persons" in run.err


@pytest.mark.parametrize("column", ["patient", "token"])
def test_check_names_columns_that_link_the_rows_of_a_file(tmp_path: Path, cli: Cli, column: str) -> None:
    rows = [{name: row[name] for name in ("patient", column, "country", "ward", "month")} for row in visits()]
    words = ["check", write_parquet(tmp_path / "in.parquet", rows), "--qi", "ward,month", "--entity", "patient"]
    expected = below(rows, column, ["ward", "month"], 5)
    run = cli(*words, "--require", "k=5", "--strict", code=1)
    assert f"column {column!r} links the rows of a person like a pseudonym: {expected} of 400 persons" in run.err
    assert "'country'" not in run.err
    assert cli(*words, "--require", "k=5", "--strict", "--set", "accept=key@patient", "--set", "accept=key@token").code == 0
    assert cli(*words, "--strict").code == 0, "nothing is required"


# The risk of records if persons are counted: one definition of the average, and the largest share of one person, in plain Python


PersonRow = tuple[str, str]
"""A class and a person."""


def average(rows: Sequence[PersonRow]) -> Fraction:
    """The mean over the rows of 1 / (persons in the row's class)."""
    persons = defaultdict(set)
    for label, person in rows:
        persons[label].add(person)
    return sum((Fraction(1, len(persons[label])) for label, _ in rows), Fraction(0)) / len(rows)


def average_of_persons(rows: Sequence[PersonRow]) -> Fraction:
    """The mean over persons, each once in each class."""
    return average(sorted(set(rows)))


def largest_share(rows: Sequence[PersonRow]) -> Fraction:
    classes = Counter(label for label, _ in rows)
    return max(Fraction(count, classes[label]) for (label, _), count in Counter(rows).items())


def write(path: Path, rows: Sequence[PersonRow]) -> Path:
    write_parquet(path, [{"q": label, "pid": person} for label, person in rows])
    return path


def random_rows(seed: int) -> list[PersonRow]:
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


# Persons whom pseudonyms link, with classes that too few share, are left out instead of the whole file refused


K = 5


@pytest.fixture
def isolated_visits(tmp_path: Path) -> Path:
    """1,200 visits of 400 patients: each has three in one of four wards, but four patients have moved."""
    random = Random(7)
    rows = []
    for patient in range(400):
        wards = ["north"] * 3 if patient % 4 else ["south"] * 3
        if patient % 100 == 0:
            wards = random.choice([["north", "south", "south"], ["north", "north", "south"]])
        rows += [{"patient": f"patient {patient}", "ward": ward, "cost": random.randrange(90)} for ward in wards]
    return write_parquet(tmp_path / "visits.parquet", rows)


def small_trails(path: Path) -> int:
    """The pseudonyms of the written file whose set of wards fewer than k pseudonyms have."""
    seen = defaultdict(set)
    for row in read_rows(path):
        seen[row["patient"]].add(row["ward"])
    sizes = Counter(map(frozenset, seen.values()))
    return sum(size for size in sizes.values() if size < K)


def released(isolated_visits: Path, output: str, **options: Any) -> dict[str, Any]:
    key = isolated_visits.with_name("key")
    if not key.exists():
        key.write_text("0123456789abcdef" * 4)
        key.chmod(0o600)
    chosen: dict[str, Any] = {
        "qi": ["ward"],
        "levels": {"ward": 0},
        "hierarchies": {"ward": {"kind": "flat"}},
        "keep": ["cost"],
        "pseudonym": ["patient"],
        "k": K,
        "release": "january",
        "key_file": key,
        "overwrite": True,
    }
    return dict(
        duckanon.anonymize(isolated_visits, isolated_visits.with_name(output), **keywords_of(**chosen | options)).manifest
    )


@pytest.mark.parametrize("options", [{}, {"entity": "patient"}, {"entity": "none"}, {"algorithm": "local", "levels": {}}])
def test_linked_persons_are_suppressed_within_the_limit(isolated_visits: Path, options: dict[str, Any]) -> None:
    with pytest.raises((VerificationFailed, Infeasible)) as refusal:
        released(isolated_visits, "refused.parquet", **options)
    assert "--set suppression.isolated=true" in str(refusal.value)
    manifest = released(isolated_visits, "out.parquet", suppress_isolated=True, **options)
    assert small_trails(isolated_visits.with_name("out.parquet")) == 0
    assert manifest["rows"]["suppressed"] == 12
    with pytest.raises(Infeasible, match="12 of them because the release would isolate them"):
        released(isolated_visits, "refused.parquet", suppress_isolated=True, max_suppression="11", **options)


def test_a_feed_with_pseudonyms_suppresses_linked_persons(isolated_visits: Path, tmp_path: Path) -> None:
    """The first release has no linked person; the next month has some, and `apply` leaves them out, with a register and without."""
    rows = [row for row in read_rows(isolated_visits) if int(row["patient"].split()[1]) % 100]
    first, register = write_parquet(tmp_path / "first.parquet", rows), tmp_path / "releases.duckdb"
    released(first, "january.parquet", entity="patient", register=register)
    for output, register_of in (("february.parquet", register), ("march.parquet", None)):
        made = duckanon.apply(
            tmp_path / "january.parquet.manifest.json",
            isolated_visits,
            tmp_path / output,
            register=register_of,
            release=output,
            key_file=tmp_path / "key",
        )
        assert made.manifest["rows"]["suppressed"] == 12
        assert small_trails(tmp_path / output) == 0


def test_the_release_can_be_explained_and_reported(isolated_visits: Path, cli: Cli) -> None:
    """The saved recoding names the persons who are left out, so its input can be counted again."""
    released(isolated_visits, "out.parquet", suppress_isolated=True)
    assert cli("explain", "out.parquet.manifest.json", "--row", "1").out.count("would isolate it") == 1
    assert cli("report", "out.parquet.manifest.json", "--output", "out.html").code == 0
    assert cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json").code == 0


# Risks that a job accepts: `accept`: CASE[@COLUMN]


@pytest.fixture
def accepted_visits(tmp_path: Path) -> list[str]:
    rows = "\n".join(f"{person % 7},{person % 2}" for person in range(70))
    (tmp_path / "visits.csv").write_text(f"age,sex\n{rows}\n")
    return ["anonymize", str(tmp_path / "visits.csv"), "--qi", "age,sex", "--overwrite"]


def test_an_accepted_case_is_stated(accepted_visits: list[str], cli: Cli) -> None:
    cases = [f"--set=accept={case}@age" for case in CASES] + [f"--set=accept={case}" for case in CASES]
    summary = cli(*accepted_visits, *cases).err
    assert all(f"age: {meaning}" in summary and f"; {meaning}" in summary for meaning in CASES.values())
    manifest = cli(*accepted_visits, *cases, "--json").manifest
    assert manifest["accepted"] == [case.removeprefix("--set=accept=") for case in cases]


@pytest.mark.parametrize(
    ("text", "named"), [("linked", "linked-rows"), ("linked-rows@agee", "age"), ("linked-rows@", "CASE@COLUMN")]
)
def test_an_unknown_case_or_column_is_refused(accepted_visits: list[str], cli: Cli, text: str, named: str) -> None:
    assert named in cli(*accepted_visits, "--set", f"accept={text}", code=2).err

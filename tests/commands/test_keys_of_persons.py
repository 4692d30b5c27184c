"""Retained columns that link the rows of a person, judged like pseudonyms; and pseudonyms, judged by the number of rows in each class."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.errors import JobError
from duckanon.job.options import Options, Run
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply

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
    common = [
        "anonymize",
        write_parquet(tmp_path / "in.parquet", rows),
        "--qi",
        "ward,month",
        "--k",
        "20",
        "--entity",
        "patient",
    ]
    common += ["--keep", "country", "-o", tmp_path / "out.parquet", "--overwrite"]
    run = cli(*common, code=0)
    assert "4 persons have values of 'country' that fewer than 20 persons have and that link" in run.err
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

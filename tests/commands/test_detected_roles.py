"""Runs without roles: the role of each kind of column, codes of missing values, the choice of the algorithm, and warnings."""

import csv
import json
import random
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
import yaml

from duckanon.choices import Algorithm
from duckanon.dataset.hipaa import IDENTIFIERS
from duckanon.job.options import Options
from duckanon.search import combinations, count
from duckanon.workflows.compare import compare
from duckanon.workflows.explain import explain
from duckanon.workflows.profile import profile
from tests.support.associations import association
from tests.support.command_line import Cli, refused
from tests.support.resembling import NOTICED
from tests.support.rows import multiset, read_rows, write_parquet
from tests.support.runs import anonymize, apply
from tests.support.settings import options_of

Row = dict[str, Any]
Make = Callable[[random.Random, int], Any]

ROWS = 400
OTHER = "an adversary may know it"
BUNDLED = "matches bundled hierarchy adult/five-year/age"
KNOWN = "name matches a known quasi-identifier"
SENSITIVE = "name matches a known sensitive attribute"
DIRECT = "name matches a known direct identifier"


def words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(("red", "old", "house", "river", "stone", "north", "small")) for _ in range(count))


COLUMNS: dict[str, tuple[str, Make, str, str]] = {
    "age in years": ("age", lambda rng, _: rng.randrange(90), "quasi-identifier", BUNDLED),
    "age in months": ("age", lambda rng, _: rng.randrange(777, 1208), "quasi-identifier", KNOWN),
    "age in decades": ("age", lambda rng, _: rng.randrange(2, 9), "quasi-identifier", KNOWN),
    "age as a logarithm": ("age", lambda rng, _: round(rng.uniform(2.9, 4.4), 2), "quasi-identifier", KNOWN),
    "capacity": ("cap", lambda rng, _: rng.randrange(20, 400, 5), "quasi-identifier", OTHER),
    "female": ("female", lambda rng, _: rng.randrange(2), "quasi-identifier", KNOWN),
    "black": ("black", lambda rng, _: rng.choice(("yes", "no")), "quasi-identifier", KNOWN),
    "educ": ("educ", lambda rng, _: rng.randrange(6, 18), "quasi-identifier", KNOWN),
    "ethn": ("ethn", lambda rng, _: rng.choice("abc"), "quasi-identifier", KNOWN),
    "death": ("death", lambda rng, _: rng.randrange(2), "sensitive", SENSITIVE),
    "status": ("status", lambda rng, _: rng.choice("xyz"), "sensitive", SENSITIVE),
    "treat": ("treat", lambda rng, _: rng.randrange(2), "sensitive", SENSITIVE),
    "case": ("case", lambda rng, _: rng.randrange(2), "sensitive", SENSITIVE),
    "date of a diagnosis": (
        "diagnosis",
        lambda rng, _: date(2020, 1, 1) + timedelta(days=rng.randrange(60)),
        "quasi-identifier",
        OTHER,
    ),
    "subject": ("subject", lambda _, number: number // 4 + 100, "identifying", DIRECT),
    "animal": ("animal", lambda _, number: number // 4 + 100, "identifying", DIRECT),
    "two subjects": ("subject", lambda _, number: number % 2, "quasi-identifier", OTHER),
    "code with a value in each row": ("code", lambda _, number: number * 7, "identifying", DIRECT),
    "code with few values": ("code", lambda rng, _: rng.randrange(5), "quasi-identifier", OTHER),
    "row numbers from 0": ("position", lambda _, number: number, "identifying", "row number"),
    "row numbers from 1": ("position", lambda _, number: number + 1, "identifying", "row number"),
    "unique numbers with a gap": ("position", lambda _, number: number + (number > 9), "quasi-identifier", OTHER),
    "income to the cent": (
        "income",
        lambda rng, _: round(rng.uniform(9_000, 90_000), 2),
        "quasi-identifier",
        "generalized because few records share a value",
    ),
    "free text": ("told", lambda _, number: words(random.Random(number % 50), 9), "dropped", "free text may name persons"),
    "unique free text": ("told", lambda _, number: words(random.Random(number), 12), "identifying", "near-unique text"),
    "near-unique text": ("tag", lambda _, number: f"x{number % 300}y", "identifying", "near-unique text"),
    "text that two rows share": ("tag", lambda _, number: f"x{number % 200}y", "quasi-identifier", OTHER),
    "e-mail addresses": ("reach", lambda _, number: f"p{number % 40}@example.org", "identifying", "e-mail addresses"),
    "nested": ("items", lambda rng, _: [rng.randrange(3)], "dropped", "values cannot be generalized"),
    "binary": ("bytes", lambda rng, _: bytes([rng.randrange(5)]), "dropped", "values cannot be generalized"),
}


def table(make: Callable[[random.Random, int], Row], rows: int = ROWS, seed: int = 1) -> list[Row]:
    rng = random.Random(seed)
    return [make(rng, number) for number in range(rows)]


@pytest.mark.parametrize("kind", COLUMNS)
def test_each_kind_of_column_gets_its_role_and_reason(tmp_path: Path, kind: str) -> None:
    name, make, role, reason = COLUMNS[kind]
    rows = table(lambda rng, number: {name: make(rng, number), "letter": rng.choice("abcd")})
    document = profile(write_parquet(tmp_path / "in.parquet", rows))
    entry = next(column for column in document["columns"] if column["column"] == name)
    assert entry["role"] == role, entry["reason"]
    assert reason in entry["reason"]


@pytest.mark.parametrize("text", [",group\n7,a\n9,b\n4,a\n8,b\n", '"",group\n1,a\n2,b\n3,a\n4,b\n'], ids=["bare", "quoted"])
def test_a_row_index_without_a_name_is_dropped(tmp_path: Path, cli: Cli, text: str) -> None:
    (tmp_path / "in.csv").write_text(text)
    run = cli("profile", "in.csv", "--json", code=0)
    roles = {column["column"]: (column["role"], column["reason"]) for column in run.manifest["columns"]}
    assert [role for column, role in roles.items() if column != "group"] == [("dropped", "row index without a name")]


def test_constant_columns_copies_and_columns_without_values_are_dropped(tmp_path: Path) -> None:
    rows = table(lambda rng, _: {"same": 1, "none": None, "letter": rng.choice("ab"), "other": rng.choice("ab")}, 60)
    rows = [{**row, "again": row["letter"]} for row in rows]
    document = profile(write_parquet(tmp_path / "in.parquet", rows))
    roles = {column["column"]: column["role"] for column in document["columns"]}
    assert roles == dict.fromkeys(("same", "none", "letter"), "dropped") | dict.fromkeys(("again", "other"), "quasi-identifier")
    reasons = {column["column"]: column["reason"] for column in document["columns"]}
    assert (reasons["same"], reasons["letter"]) == ("every row has the same value", "it has the values of 'again'")
    # nothing is lost without them
    metrics = anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", options=Options(k=2))["metrics"]
    assert metrics.get("loss_with_dropped") is None


# ------------------------------------------------------------------- codes of missing values


def write_csv(path: Path, heights: Sequence[Any]) -> Path:
    rng = random.Random(5)
    path.write_text("height,group\n" + "".join(f"{height},{rng.choice('abc')}\n" for height in heights))
    return path


def coded(*codes: str, numbers: int = 200) -> list[str]:
    """Heights, with each code in five rows."""
    rng = random.Random(6)
    heights = [str(rng.randrange(150, 200)) for _ in range(numbers)]
    for place, code in enumerate(codes * 5):
        heights[place * 7] = code
    return heights


def missing(path: Path, **options: Any) -> tuple[int, str]:
    """How many heights duckanon reads as NULL, and the type of the column."""
    document = profile(path, options=options_of(**options))
    entry = next(column for column in document["columns"] if column["column"] == "height")
    return entry["missing"], entry["type"]


@pytest.mark.parametrize(
    ("codes", "nulls"),
    [
        (["NA"], 5),
        (["?"], 5),
        (["N"], 5),
        (["."], 5),
        (["N/A"], 5),
        (["-9"], 5),
        (["-999"], 5),
        (["NA", "?"], 10),
        (["-9", "-8"], 0),
        (["-7"], 0),
        (["a", "b", "c", "d"], 0),
    ],
)
def test_codes_that_stand_out_from_the_type_are_read_as_missing(tmp_path: Path, codes: list[str], nulls: int) -> None:
    count, type = missing(write_csv(tmp_path / "in.csv", coded(*codes)))
    assert count == nulls
    assert (type == "BIGINT") == (nulls > 0 or codes[0].startswith("-"))


def test_a_word_in_one_row_is_no_code(tmp_path: Path) -> None:
    heights = coded()
    heights[3] = "tall"
    assert missing(write_csv(tmp_path / "in.csv", heights))[0] == 0


def test_a_mark_in_a_column_of_text_stays_a_value(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("job,group\n" + "".join(f"{'?' if number % 9 == 0 else 'cook'},a\n" for number in range(60)))
    assert [column["missing"] for column in profile(path)["columns"]] == [0, 0]


def test_none_turns_the_detection_off(tmp_path: Path) -> None:
    assert missing(write_csv(tmp_path / "in.csv", coded("NA")), missing=["none"]) == (0, "VARCHAR")


def test_named_quasi_identifiers_turn_the_detection_off(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "in.csv", coded("-9"))
    options = Options(qi=["height", "group"], levels={"height": 0, "group": 0}, k=2, max_suppression="100%")
    (tmp_path / "height.yaml").write_text("kind: intervals\nwidths: [10]\n")
    job = {"columns": {"height": {"hierarchy": str(tmp_path / "height.yaml"), "role": "quasi-identifier"}}}
    assert anonymize(path, tmp_path / "out.parquet", job=job, options=options)["roles"] == "declared"
    [(released,)] = duckdb.execute(f"select count(*) from '{tmp_path / 'out.parquet'}' where height::varchar = '-9'").fetchall()
    assert released == 5
    assert anonymize(path, tmp_path / "detected.parquet")["roles"] == "detected"
    assert "height: ['-9']" in (tmp_path / "detected.parquet.job.yaml").read_text()


@pytest.mark.parametrize("codes", [["NA"], ["-9"], ["NA", "?"]], ids=" ".join)
def test_the_job_file_gives_the_same_rows_with_codes_of_missing_values(tmp_path: Path, codes: list[str]) -> None:
    anonymize(write_csv(tmp_path / "in.csv", coded(*codes)), tmp_path / "out.parquet")
    anonymize(job=tmp_path / "out.parquet.job.yaml", output=tmp_path / "again.parquet")
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")


# ------------------------------------------------------------------- the algorithm


def people(rng: random.Random, number: int) -> Row:
    return {
        "person": number // 2,
        "age": int(rng.triangular(18, 90, 30)),
        "town": rng.choices("abcdef", [40, 25, 15, 10, 7, 3])[0],
        "size": rng.randrange(150, 200),
        "disease": rng.choices(["flu", "cold", "burn"], [4, 3, 2])[0],
    }


REQUIREMENTS: dict[str, Row] = {
    "k": {},
    "k of 20": {"k": 20},
    "l": {"require": ["distinct-l=2@disease"], "sensitive": ["disease"]},
    "star": {"suppress": "star", "entity": "none"},
    "persons": {"entity": "person"},
}


def smallest(path: Path, names: Sequence[str], counted: str = "*") -> int:
    """The fewest rows of an equivalence class, counted by plain DuckDB."""
    keys = ", ".join(f'"{name}"' for name in names)
    statement = f"select min(n) from (select count({counted}) as n from read_parquet($1) group by {keys})"
    [(least,)] = duckdb.execute(statement, [str(path)]).fetchall()
    return int(least)


def quasi_identifiers(manifest: Row) -> list[str]:
    return [name for name, role in manifest["columns"].items() if role == "quasi-identifier"]


def lost(manifest: Row) -> list[str]:
    """The columns that every record shows as `*`."""
    return [name for name, loss in manifest["metrics"]["loss_by_attribute"].items() if loss == 1]


def rule(compared: Row, optimal: Row) -> str:
    """The least information loss wins; full-domain recoding may lose twice as much, but no whole column."""
    best = min(compared, key=compared.__getitem__)
    return "optimal" if compared.get("optimal", float("inf")) <= 2 * compared[best] and not lost(optimal) else best


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_auto_compares_what_each_algorithm_loses_and_takes_the_best(tmp_path: Path, requirement: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", table(people))
    options, output = REQUIREMENTS[requirement], tmp_path / "out.parquet"
    identifying: Row = {} if requirement == "persons" else {"identifying": ["person"]}
    manifest = anonymize(source, output, options=options_of(**options, **identifying, time_limit=60))
    recoding = manifest["recoding"]
    if requirement == "star":
        assert "compared" not in recoding
        assert recoding["algorithm"] == "optimal"
    else:
        dropped: Row = {
            "identifying": [name for name, role in manifest["columns"].items() if role in ("dropped", "identifying")]
        }
        if requirement == "persons":
            dropped["identifying"].remove("person")
        settings = options_of(**options | dropped, algorithm="optimal")
        optimal = anonymize(source, tmp_path / "optimal.parquet", options=settings)
        if "optimal" in recoding["compared"]:
            assert recoding["compared"]["optimal"] == pytest.approx(optimal["recoding"]["objective"]["value"])
        else:  # the lattice is not searched where labels that are the same for all records hide a column
            assert lost(optimal)
        assert recoding["algorithm"] == rule(recoding["compared"], optimal)
        # columns whose values are hidden unequally may weigh more in the release, but not where algorithms are compared
        columns = yaml.safe_load((tmp_path / "optimal.parquet.job.yaml").read_text())["columns"]
        losses = manifest["metrics"]["loss_by_attribute"]
        weights = {name: columns[name].get("weight", 1) for name in losses}
        weighed = sum(weights[name] * loss for name, loss in losses.items()) / sum(weights.values())
        assert recoding["compared"][recoding["algorithm"]] == pytest.approx(weighed)
    if requirement not in ("star", "persons"):
        assert smallest(output, quasi_identifiers(manifest)) >= options.get("k", 5)
    if requirement == "l":
        assert smallest(output, quasi_identifiers(manifest), "distinct disease") >= 2
    if requirement == next(iter(REQUIREMENTS)):
        again = anonymize(source, tmp_path / "again.parquet", options=options_of(**options, **identifying, time_limit=60))
        assert again["recoding"]["algorithm"] == recoding["algorithm"]
        assert multiset(tmp_path / "again.parquet") == multiset(output)


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
def test_a_compared_loss_is_that_of_a_run_with_the_algorithm(tmp_path: Path, algorithm: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", table(people))
    common: Row = {"identifying": ["person"]}
    compared = anonymize(source, tmp_path / "out.parquet", options=options_of(**common))["recoding"]["compared"]
    alone = anonymize(source, tmp_path / "one.parquet", options=options_of(**common, algorithm=algorithm))
    assert set(compared) == {"optimal", "local", "mondrian"}
    assert alone["recoding"]["objective"]["value"] == pytest.approx(compared[algorithm])
    assert "compared" not in alone["recoding"]


def test_chosen_levels_are_not_searched(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", table(people))
    options = Options(identifying=["person", "size"], levels={"age": 2}, max_suppression="100%")
    manifest = anonymize(source, tmp_path / "out.parquet", options=options)
    assert manifest["recoding"]["levels"]["age"] == 2
    assert "compared" not in manifest["recoding"]


def test_a_column_that_every_record_would_show_as_a_star_is_dropped_and_named(tmp_path: Path) -> None:
    """The values of `spread` are all different, so no class of five shares a label below `*` if there are few records."""
    rows = table(lambda _, number: {"town": "ab"[number % 2], "spread": ["x", "y", "z", "u"][number % 4]}, 12)
    source, output = write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet"
    manifest = anonymize(source, output, overwrite=True)
    assert manifest["columns"] == {"town": "quasi-identifier", "spread": "dropped"}
    assert manifest["reasons"]["spread"] == "every released record would show *"
    assert pq.read_schema(output).names == ["town"]
    assert smallest(output, ["town"]) == 6
    assert "# spread: {role: quasi-identifier}" in (tmp_path / "out.parquet.job.yaml").read_text()


# ------------------------------------------------------------------- unique records


def test_the_warning_counts_the_records_that_are_unique_over_all_columns(tmp_path: Path) -> None:
    rows = table(lambda rng, _: {"town": rng.choice("ab"), "disease": rng.choice("uvwxyz"), "outcome": rng.randrange(6)}, 200)
    output = tmp_path / "out.parquet"
    manifest = anonymize(write_parquet(tmp_path / "in.parquet", rows), output)
    assert [manifest["columns"][name] for name in ("disease", "outcome")] == ["sensitive", "sensitive"]
    statement = "select count(*) from (select count(*) as n from read_parquet($1) group by all having n = 1)"
    [(unique,)] = duckdb.execute(statement.replace("select count(*) as n", "select *, count(*) as n"), [str(output)]).fetchall()
    warnings = [warning for warning in manifest["warnings"] if "unique over all released columns" in warning]
    assert unique > 0
    assert len(warnings) == 1
    assert warnings[0].startswith(f"{unique} row")
    assert "disease" in warnings[0]
    assert "outcome" in warnings[0]
    assert smallest(output, quasi_identifiers(manifest)) >= 5


def test_columns_of_very_many_combinations_start_at_higher_levels(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the bounds of a small table; the written job gives the same release."""
    rng = random.Random(20)
    rows = [
        {"site": "a", "age": rng.randrange(18, 90), "height": rng.randrange(140, 210), "region": rng.choice("nesw")}
        for _ in range(3000)
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    monkeypatch.setattr(count, "_MANY_ROWS", 1000)
    monkeypatch.setattr(combinations, "MOST_COMBINATIONS", 200)
    assert "very many combinations of values: " in cli("anonymize", source, "-o", "out.parquet", code=0).err
    columns = yaml.safe_load((tmp_path / "out.parquet.job.yaml").read_text())["columns"]
    raised = {name: plan["min-level"] for name, plan in columns.items() if "min-level" in plan}
    assert raised.keys() == {"age", "height"}
    with duckdb.connect() as connection:
        names = ", ".join(raised)
        [(labels,)] = connection.execute(
            f"select count(*) from (select distinct {names} from '{tmp_path / 'out.parquet'}')"
        ).fetchall()
        [(smallest,)] = connection.execute(
            f"select min(n) from (select count(*) as n from '{tmp_path / 'out.parquet'}' group by all)"
        ).fetchall()
    assert labels <= 200
    assert smallest >= 5
    first = multiset(tmp_path / "out.parquet")
    cli("anonymize", "--job", "out.parquet.job.yaml", "-o", "again.parquet", code=0)
    assert multiset(tmp_path / "again.parquet") == first
    plain = cli("anonymize", source, "--algorithm", "mondrian", "-o", "plain.parquet")
    assert "very many combinations" not in plain.err


# Columns that look like direct identifiers, in whole commands


def identified_people(**more: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {"age": 30 + number % 3, **{name: values[number % len(values)] for name, values in more.items()}}
        for number in range(60)
    ]


def test_a_column_that_nobody_named_is_refused_until_somebody_does(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", identified_people(reach=NOTICED["e-mail addresses"]))
    (tmp_path / "age.yaml").write_text("kind: flat")
    arguments = ("anonymize", "in.parquet", "--qi", "age", "--hierarchies", "age=age.yaml", "--others", "keep")
    refused = cli(*arguments, code=2)
    assert "column 'reach' has no role, and its values look like e-mail addresses (100% of those looked at)" in refused.err
    assert len(refused.err.splitlines()) == 1
    assert "@" not in refused.err
    assert not (tmp_path / "in.anonymized.parquet").exists()
    masked = ("--identifying", "reach", "--set", "columns.reach.mask=true")
    for options in (("--identifying", "reach"), masked, ("--keep", "reach")):
        assert cli(*arguments, *options, "--overwrite").code == 0
    assert cli(*arguments[:-2], "--overwrite").code == 0


def test_without_configuration_it_is_dropped_with_the_reason(cli: Cli, tmp_path: Path) -> None:
    rows = identified_people(reach=NOTICED["telephone numbers"], sex=["f", "m"])
    write_parquet(tmp_path / "in.parquet", rows)
    document = json.loads(cli("profile", "in.parquet", "--json").out)
    by_column = {column["column"]: column for column in document["columns"]}
    assert (by_column["reach"]["role"], by_column["reach"]["looks_like"]) == ("identifying", "telephone numbers")
    assert by_column["age"]["looks_like"] is None
    run = cli("anonymize", "in.parquet", "-o", "out.parquet", code=0)
    assert "reach" not in pq.read_schema(tmp_path / "out.parquet").names
    assert not any(value in run.err for value in NOTICED["telephone numbers"])


def test_the_list_of_hipaa_has_eighteen_and_names_columns(cli: Cli, tmp_path: Path) -> None:
    """45 CFR 164.514(b)(2)(i), (A) to (R)."""
    assert [identifier.letter for identifier in IDENTIFIERS] == list("ABCDEFGHIJKLMNOPQR")
    rows = identified_people(
        reach=NOTICED["IBANs"], patient_name=["a", "b"], fax_no=["1", "2"], zip=["02139"], address=NOTICED["IP addresses"]
    )
    write_parquet(tmp_path / "in.parquet", [row | {"row": number} for number, row in enumerate(rows)])
    document = json.loads(cli("profile", "in.parquet", "--json").out)
    listed = {entry["identifier"]: entry["columns"] for entry in document["hipaa"]}
    assert listed["A"] == ["patient_name"]
    assert listed["B"] == ["zip", "address"]
    assert listed["C"] == ["age"]
    assert listed["E"] == ["fax_no"]
    assert listed["J"] == ["reach"]
    assert listed["O"] == ["address"]
    assert listed["R"] == ["row"]
    printed = cli("profile", "in.parquet", "--hipaa", code=0)
    assert len([line for line in printed.out.splitlines() if line[:1].isupper()]) == 18
    assert "fax numbers" in printed.out


def test_profile_says_which_columns_are_text_for_how_they_are_written(cli: Cli, tmp_path: Path) -> None:
    lines = [
        f"{number % 12 + 1:02d}/{number // 12 % 12 + 1:02d}/19{number % 60 + 30};{number % 800 + 1},{number % 800 + 100};{'fm'[number % 2]}"
        for number in range(400)
    ]
    (tmp_path / "in.csv").write_text("\n".join(["geboren;kosten;sex", *lines]), encoding="utf-8")
    run = cli("profile", "in.csv", code=0)
    assert "geboren: identifying; is text that looks like dates in an order that is not certain" in run.out
    assert "kosten: identifying; is text that looks like numbers with separators" in run.out


# Columns of few values that many records share: categories, whatever their names; never ranges of codes


CHANCE = random.Random(17)
CODES = (8507, 8515, 8522, 8527, 8552, 8557, 8657, 0)
CODED_COLUMNS: dict[str, Any] = {
    "race_concept_id": CODES,
    "department_id": range(1, 13),
    "station_name": [f"Station {letter}" for letter in "ABCDEFGH"],
    "clinic_name": ["St. Anna", "Charité", "Mayo", "North", "Florence", "Lorenz"],
    "doctor_id": [1001, 1002, 1003, 1010, 1020, 1040],
    "plan_label": [f"{word} river stone house north old long words apart" for word in ("red", "old", "small", "west")],
    "dx_id": [f"{chr(65 + number % 26)}{10 + number}.{number % 10}" for number in range(66)],
    "zip4": [f"0{number % 9}134-{1000 + number}" for number in range(20)],
}


@pytest.fixture
def coded_table(tmp_path: Path) -> Path:
    with (tmp_path / "in.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["patient_id", "visit_no", "badge_id", "age", *CODED_COLUMNS])
        for number in range(800):
            cells = [CHANCE.choice(list(values)) for values in CODED_COLUMNS.values()]
            lines.writerow([f"P{number // 20}", number * 7, f"B{number // 4}", CHANCE.randrange(20, 60), *cells])
    return tmp_path / "in.csv"


def test_many_records_of_each_value_are_no_direct_identifier(cli: Cli, coded_table: Path) -> None:
    run = cli("profile", coded_table.name, code=0)
    role = dict(
        re.findall(r"^(\S+) +(?:BIGINT|VARCHAR) .* (quasi-identifier|identifying|sensitive|dropped)\b", run.out, re.MULTILINE)
    )
    assert {name: role[name] for name in CODED_COLUMNS} == dict.fromkeys(CODED_COLUMNS, "quasi-identifier")
    # forty patients of twenty visits are still persons, by the name; 200 badges of four rows by their number
    assert role["patient_id"] == role["badge_id"] == "identifying"
    assert "telephone" not in run.out + run.err


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_codes_are_released_as_they_are_or_in_sets_and_never_as_ranges(cli: Cli, coded_table: Path, algorithm: str) -> None:
    columns = ("race_concept_id", "doctor_id", "age")
    cli(
        "anonymize --identifying patient_id --entity none -o out.csv",
        coded_table.name,
        "--qi",
        ",".join(columns),
        "--algorithm",
        algorithm,
        code=0,
    )
    with (coded_table.parent / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    known = {str(code) for code in (*CODES, *CODED_COLUMNS["doctor_id"])} | {
        "*",
        *(f"group {level} of {name}" for level in range(1, 9) for name in columns),
    }
    assert {row[name] for row in rows for name in columns[:2]} <= known


def test_a_name_that_may_be_of_persons_is_named_in_a_warning(cli: Cli, coded_table: Path) -> None:
    run = cli("anonymize", coded_table.name, "-o", "out.csv", "-v", code=0)
    named = re.findall(r"warning: '(\w+)' is named like an identifier, but many records", run.err)
    assert sorted(named) == ["doctor_id", "dx_id"]


# The information loss counts dropped columns, except direct identifiers and columns with one value


LOST = ["job", "note", "wage"]


def lost_table(folder: Path) -> Path:
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
    source, options = lost_table(tmp_path), ["--qi", "age,sex", "--sensitive", "illness", "--max-suppression", "20%"]
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
    assert explain(tmp_path / "out.parquet.manifest.json")["loss_with_dropped"] == metrics["loss_with_dropped"]
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
    source = lost_table(tmp_path)
    roles = ["--qi", "age,sex,job,note", "--keep", "wage", "--set", "accept=key", "--sensitive", "illness"]
    run = cli("anonymize", source, *roles, "-o", tmp_path / "out.parquet", code=0)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert manifest["lost_columns"] == []
    assert "loss_with_dropped" not in manifest["metrics"]
    assert "dropped column" not in run.err


def test_null_counts_have_every_sensitive_column(tmp_path: Path) -> None:
    columns = {"age": {"role": "quasi-identifier"}, "illness": {"role": "sensitive"}, "note": {"role": "sensitive"}}
    source = lost_table(tmp_path)
    manifest = anonymize(source, tmp_path / "out.parquet", job={"columns": columns})
    rows = read_rows(source)
    assert manifest["nulls"] == {name: sum(row[name] is None for row in rows) for name in ("illness", "note")}


# The weights of columns in the information loss: detected, or given


WEIGHTED_ROWS = 600


def tenths(values: Sequence[float]) -> list[int]:
    """For each value the number of its tenth of the rows, from 0 to 9; equal values have the same number."""
    return [10 * sum(other < value for other in values) // len(values) for value in values]


def weighted_table() -> dict[str, list[Any]]:
    rng = random.Random(30)
    region = [rng.choice("nesw") for _ in range(WEIGHTED_ROWS)]
    return {
        "region": region,
        "dialect": [place if rng.random() < 0.9 else rng.choice("nesw") for place in region],
        "height": [150 + 10 * "nesw".index(place) + rng.randrange(15) for place in region],
        "shoe": [rng.choice(["s", "m", "l"]) for _ in range(WEIGHTED_ROWS)],
        "street": [f"street {rng.randrange(60)}" for _ in range(WEIGHTED_ROWS)],
        "same": ["x"] * WEIGHTED_ROWS,
    }


def columns_of(folder: Path) -> dict[str, Any]:
    """The columns of the job file beside the release."""
    columns: dict[str, Any] = yaml.safe_load((folder / "out.parquet.job.yaml").read_text())["columns"]
    return columns


def test_columns_with_few_values_that_are_associated_with_others_count_more(tmp_path: Path) -> None:
    values = weighted_table()
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet")
    groups = {
        name: tenths(column) if name == "height" else column
        for name, column in values.items()
        if name not in ("street", "same")
    }
    expected = {}
    for name in ("region", "dialect", "shoe"):
        largest = sorted(association(groups[name], groups[other]) for other in groups if other != name)[-3:]
        expected[name] = float(round(1 + sum(largest) / 3, 1))
    actual = columns_of(tmp_path)
    assert expected["region"] > expected["shoe"]
    assert {name: actual[name].get("weight", 1) for name in expected} == expected
    assert "weight" not in actual["height"]
    # every record would show * for the street, so it is dropped
    assert "street" not in actual


def test_a_given_weight_replaces_a_detected_one_and_that_of_the_job(tmp_path: Path) -> None:
    values = weighted_table()
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    first = anonymize(source, tmp_path / "out.parquet", set={"recoding.weights.shoe": "3.5"})
    assert columns_of(tmp_path)["shoe"]["weight"] == 3.5
    losses, weights = first["metrics"]["loss_by_attribute"], {n: p.get("weight", 1) for n, p in columns_of(tmp_path).items()}
    mean = sum(weights[name] * loss for name, loss in losses.items()) / sum(weights[name] for name in losses)
    assert first["recoding"]["objective"]["value"] == pytest.approx(mean)
    job = {"columns": {name: {"role": "quasi-identifier", "weight": 2} for name in ("region", "shoe")}}
    light, heavy = (
        anonymize(source, tmp_path / f"{weight}.parquet", job=job, k=120, set={"recoding.weights.shoe": weight})
        for weight in ("0.01", "100")
    )
    assert light["metrics"]["loss_by_attribute"]["shoe"] > heavy["metrics"]["loss_by_attribute"]["shoe"]


@pytest.mark.parametrize(
    ("weight", "phrase"),
    [
        ("shoes=2", "recoding.weights names 'shoes', which is not a quasi-identifier; did you mean 'shoe'?"),
        ("shoe=0", "recoding.weights.shoe: '0' is not more than 0"),
        ("shoe=much", "recoding.weights.shoe: needs a number; got 'much'"),
    ],
)
def test_a_wrong_weight_is_refused(tmp_path: Path, cli: Cli, weight: str, phrase: str) -> None:
    values = weighted_table()
    write_parquet(tmp_path / "in.parquet", [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)])
    refused(cli("anonymize", "in.parquet", "--set", f"recoding.weights.{weight}"), 2, phrase, narrates=True)

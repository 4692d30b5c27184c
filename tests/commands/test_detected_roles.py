"""Runs without roles: the role of each kind of column, codes of missing values, the choice of the algorithm, and warnings."""

import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
import yaml

from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.search import combinations, count
from duckanon.workflows.profile import profile
from tests.support.command_line import Cli
from tests.support.rows import multiset, write_parquet
from tests.support.runs import anonymize
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
    "near-unique text": ("label", lambda _, number: f"x{number % 300}y", "identifying", "near-unique text"),
    "text that two rows share": ("label", lambda _, number: f"x{number % 200}y", "quasi-identifier", OTHER),
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


def test_a_constant_column_is_a_quasi_identifier_and_a_column_without_values_is_dropped(tmp_path: Path) -> None:
    rows = table(lambda rng, _: {"same": 1, "none": None, "letter": rng.choice("ab")}, 60)
    document = profile(write_parquet(tmp_path / "in.parquet", rows))
    roles = {column["column"]: column["role"] for column in document["columns"]}
    assert roles == {"same": "quasi-identifier", "none": "dropped", "letter": "quasi-identifier"}


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
    path = write_csv(tmp_path / "in.csv", coded("NA"))
    assert missing(path, missing=["none"]) == (0, "VARCHAR")


def test_named_quasi_identifiers_turn_the_detection_off(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "in.csv", coded("-9"))
    options = Options(qi=["height", "group"], levels={"height": 0, "group": 0}, k=2, max_suppression="100%")
    (tmp_path / "height.yaml").write_text("kind: intervals\nwidths: [10]\n")
    job = {"columns": {"height": {"hierarchy": str(tmp_path / "height.yaml"), "role": "quasi-identifier"}}}
    manifest = anonymize(path, tmp_path / "out.parquet", job=job, options=options)
    assert manifest["roles"] == "declared"
    [(released,)] = duckdb.execute(f"select count(*) from '{tmp_path / 'out.parquet'}' where height::varchar = '-9'").fetchall()
    assert released == 5
    detected = anonymize(path, tmp_path / "detected.parquet")
    assert detected["roles"] == "detected"
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
        assert recoding["compared"]["optimal"] == pytest.approx(optimal["recoding"]["objective"]["value"])
        assert recoding["algorithm"] == rule(recoding["compared"], optimal)
        assert recoding["objective"]["value"] == recoding["compared"][recoding["algorithm"]]
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
    manifest = anonymize(source, output, run=Run(overwrite=True))
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
    run = cli("anonymize", source, "-o", "out.parquet", code=0)
    assert "very many combinations of values: " in run.err
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

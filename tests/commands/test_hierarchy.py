"""`duckanon hierarchy` through the real command line, and every kind through a whole run and a saved recoding."""

import csv
import io
import json
import random
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from duckanon.hierarchy import inspection
from duckanon.hierarchy.conversion import convert
from tests.support import levels
from tests.support.command_line import Cli, Finished, refused
from tests.support.rows import multiset, read_rows, write_parquet
from tests.support.runs import anonymize, apply

TOWNS = """\
kind: levels
loss: [0, 0.4, 1]
levels:
  - west: Bonn, Kiel
    east: Jena
  - "*"
"""
LINES = [["Bonn", "west", "*"], ["Jena", "east", "*"], ["Kiel", "west", "*"]]


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    """Six rows of three towns, one of them NULL, and the hierarchy `town.yaml` beside them."""
    (tmp_path / "town.yaml").write_text(TOWNS)
    rows = [{"town": town, "n": number} for number, town in enumerate(["Bonn", "Bonn", "Kiel", "Jena", "Jena", None])]
    return write_parquet(tmp_path / "in.parquet", rows)


# --- list

BUNDLED = {
    "adult/decades": {"age": 4, "education": 4, "marital-status": 3, "race": 4},
    "adult/five-year": {"age": 4, "marital-status": 2, "race": 1, "sex": 1},
    "adult/life-stages": {"age": 4, "education": 4, "marital-status": 3, "race": 3},
    "adult/race-blind": {"age": 4, "education": 4, "marital-status": 3, "race": 2},
}


def test_list_names_every_bundled_hierarchy(cli: Cli) -> None:
    listed = json.loads(cli("hierarchy", "list", "--format", "json").out)
    levels = {entry["hierarchy"]: entry["levels"] for entry in listed}
    assert (
        levels.items() >= {f"{name}/{column}": n for name, columns in BUNDLED.items() for column, n in columns.items()}.items()
    )
    assert [entry["hierarchy"] for entry in listed if not entry["nested"]] == ["adult/race-blind/age"]
    assert all(entry["kind"] and entry["what"] and entry["set"] and entry["source"] for entry in listed)
    rows = list(csv.DictReader(io.StringIO(cli("hierarchy", "list", "--format", "csv").out)))
    assert [row["hierarchy"] for row in rows] == [entry["hierarchy"] for entry in listed]
    table = cli("hierarchy", "list").out
    assert table.startswith("hierarchy ")
    assert all(entry["hierarchy"] in table for entry in listed)
    assert "not nested" in table


# --- show

SHOWN = """\
value  level 1  level 2
Jena   east     *
Bonn   west     *
Kiel   west     *

level  groups  loss
    0       3     0
    1       2   0.4
    2       1     1

level  group  values
    1  east        1
    1  west        2
"""
SHOWN_ON_DATA = """\
value  level 1  level 2  rows
Bonn   west     *           2
Jena   east     *           2
Kiel   west     *           1
NULL   NULL     *           1

level  groups  in the data  smallest group  largest group  loss
    0       4            4           1 row         2 rows     0
    1       3            3           1 row         3 rows   0.4
    2       1            1          6 rows         6 rows     1

level  group  values  rows
    1  west        2     3
    1  east        1     2
    1  NULL        1     1
"""


def test_show_prints_a_table(towns: Path, cli: Cli) -> None:
    assert cli("hierarchy", "show", "town.yaml") == Finished(0, SHOWN, "")
    assert cli("hierarchy", "show", "town.yaml", "--data", towns) == Finished(0, SHOWN_ON_DATA, "")


def test_show_prints_csv(towns: Path, cli: Cli) -> None:
    run = cli("hierarchy", "show", "town.yaml", "--format", "csv")
    assert run == Finished(0, "value,level_1,level_2\nJena,east,*\nBonn,west,*\nKiel,west,*\n", "")
    run = cli("hierarchy", "show", "town.yaml", "--data", towns, "--format", "csv")
    assert run.out == "value,level_1,level_2,rows\nBonn,west,*,2\nJena,east,*,2\nKiel,west,*,1\n,,*,1\n"


def test_show_prints_json(towns: Path, cli: Cli) -> None:
    run = cli("hierarchy", "show", "town.yaml", "--data", towns, "--format", "json")
    assert (run.code, run.err) == (0, "")
    assert run.manifest == {
        "hierarchy": "town.yaml",
        "kind": "levels",
        "column": "town",
        "rows": 6,
        "values": [
            {"value": "Bonn", "levels": ["Bonn", "west", "*"], "rows": 2},
            {"value": "Jena", "levels": ["Jena", "east", "*"], "rows": 2},
            {"value": "Kiel", "levels": ["Kiel", "west", "*"], "rows": 1},
            {"value": None, "levels": [None, None, "*"], "rows": 1},
        ],
        "levels": [
            {"level": 0, "groups": 4, "groups_in_data": 4, "smallest_group": 1, "largest_group": 2, "loss": 0.0},
            {"level": 1, "groups": 3, "groups_in_data": 3, "smallest_group": 1, "largest_group": 3, "loss": 0.4},
            {"level": 2, "groups": 1, "groups_in_data": 1, "smallest_group": 6, "largest_group": 6, "loss": 1.0},
        ],
        "groups": [
            {"level": 1, "label": "west", "leaves": 2, "rows": 3},
            {"level": 1, "label": "east", "leaves": 1, "rows": 2},
            {"level": 1, "label": None, "leaves": 1, "rows": 1},
        ],
    }


def test_rows_limits_what_is_shown_and_says_so(towns: Path, cli: Cli) -> None:
    table = cli("hierarchy", "show", "town.yaml", "--data", towns, "--rows", 2).out
    assert "Jena" in table
    assert "Kiel" not in table
    assert "... 2 more values; --rows N shows more, --format csv all" in table
    assert "... 1 more groups" in table
    assert cli("hierarchy", "show", "town.yaml", "--data", towns, "--rows", 2, "--format", "csv").out.count("\n") == 3
    refused(cli("hierarchy", "show", "town.yaml", "--rows", 0), 2, "--rows")


def test_missing_values_are_shown_where_they_go(towns: Path, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "town.yaml").write_text(f"missing: top\n{TOWNS}")
    lines = cli("hierarchy", "show", "town.yaml", "--data", towns, "--missing", "Kiel", "--format", "csv").out.splitlines()
    assert "*,*,*,1" in lines
    assert lines.count("*,*,*,1") == 2
    assert not any(line.startswith("Kiel") for line in lines)
    (tmp_path / "town.yaml").write_text(TOWNS)
    lines = cli("hierarchy", "show", "town.yaml", "--data", towns, "--missing", "Kiel", "--format", "csv").out.splitlines()
    assert "Kiel,west,*,1" in lines


@pytest.mark.parametrize("name", ["town.yaml", "my_town.yaml", "Town.yaml"])
def test_the_column_is_guessed_from_the_files_name(towns: Path, cli: Cli, tmp_path: Path, name: str) -> None:
    (tmp_path / "town.yaml").rename(tmp_path / name)
    assert cli("hierarchy", "show", name, "--data", towns, "--format", "json").manifest["column"] == "town"


def test_a_column_that_cannot_be_detected_must_be_named(towns: Path, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "town.yaml").rename(tmp_path / "other.yaml")
    refused(cli("hierarchy", "show", "other.yaml", "--data", towns), 2, "'other.yaml'", "--column", "town, n")
    refused(cli("hierarchy", "show", "other.yaml", "--data", towns, "--column", "towne"), 2, "'towne'", "did you mean 'town'?")
    assert cli("hierarchy", "show", "other.yaml", "--data", towns, "--column", "town").code == 0


@pytest.mark.usefixtures("towns")
def test_options_of_data_without_data_are_refused(cli: Cli) -> None:
    for option, value in (("--column", "town"), ("--missing", "?"), ("--columns", "a,b")):
        refused(cli("hierarchy", "show", "town.yaml", option, value), 2, "--data FILE")


@pytest.mark.usefixtures("towns")
def test_a_csv_without_header_is_named_by_columns(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("Bonn,1\nKiel,2\n")
    run = cli("hierarchy", "show", "town.yaml", "--data", "in.csv", "--columns", "town,n", "--format", "csv")
    assert run.out.splitlines()[1:] == ["Bonn,west,*,1", "Kiel,west,*,1", "Jena,east,*,0"]


def test_a_rule_needs_data_to_be_shown(cli: Cli) -> None:
    refused(cli("hierarchy", "show", "adult/five-year/age"), 2, "intervals", "--data FILE")
    refused(cli("hierarchy", "show", "adult/five-year"), 2, "is a set of hierarchies", "age")


# --- check


def test_check_prints_a_line_a_fault(towns: Path, cli: Cli, tmp_path: Path) -> None:
    assert cli("hierarchy", "check", "town.yaml") == Finished(0, "town.yaml: no faults\n", "")
    run = cli("hierarchy", "check", "town.yaml", "--data", towns, "--column", "town", "--json", code=0)
    [entry] = run.manifest["hierarchies"]
    assert (run.manifest["passed"], entry["hierarchy"], entry["column"], entry["passed"]) == (True, "town.yaml", "town", True)
    [note] = entry["faults"]
    assert {**note, "message": ""} == {
        "severity": "note",
        "message": "",
        "level": None,
        "value": None,
        "rows": 1,
        "nearest": None,
        "line": None,
        "is_of_data": True,
    }
    (tmp_path / "town.yaml").write_text(TOWNS.replace("Jena", "Gera"))
    run = cli("hierarchy", "check", "town.yaml", "--data", towns)
    assert (run.code, run.err) == (2, "")
    assert "  error: it does not cover 'Jena' (2 rows" in run.out
    assert "  note: line 5: it lists a value that the data does not contain: 'Gera'" in run.out


def test_check_takes_several_and_whole_folders(towns: Path, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "town.yaml").write_text(TOWNS.replace("Jena", "Gera"))
    (tmp_path / "set" / "n.yaml").write_text("kind: flat\n")
    run = cli("hierarchy", "check", "town.yaml", "set", "adult/five-year/sex", "--json", code=0)
    assert len(run.manifest["hierarchies"]) == 4
    run = cli("hierarchy", "check", "set", "--data", towns, "--json", code=2)
    assert {hierarchy["column"]: hierarchy["passed"] for hierarchy in run.manifest["hierarchies"]} == {"town": False, "n": True}
    (tmp_path / "empty").mkdir()
    refused(cli("hierarchy", "check", "empty"), 2, "'empty'", "contains no hierarchy file")
    refused(cli("hierarchy", "check"), 2, "SPEC")


def test_every_bundled_hierarchy_passes_its_check(adult: Path, cli: Cli) -> None:
    run = cli("hierarchy", "check", *BUNDLED, "--data", adult, "--json", code=0)
    assert run.manifest["passed"]
    assert len(run.manifest["hierarchies"]) == 16


# --- build and convert


def test_build_writes_a_table_that_loads_again(towns: Path, cli: Cli, tmp_path: Path) -> None:
    for name in ("t.csv", "t.parquet"):
        run = cli("hierarchy", "build", "town.yaml", "-o", name, code=0)
        assert run.out == ""
        assert f"{name}: 3 values" in run.err
        assert "loss of the hierarchy is not written" in run.err
    assert sorted(line.split(";") for line in (tmp_path / "t.csv").read_text().splitlines()) == LINES
    assert sorted(list(row.values()) for row in read_rows(tmp_path / "t.parquet")) == LINES
    releases = []
    for name in ("town.yaml", "t.csv", "t.parquet"):
        arguments = ("--qi", "town", "--hierarchies", f"town={name}", "--levels", "town=1", "--k", 1, "-o", "out.parquet")
        run = cli("anonymize", towns, *arguments, "--overwrite", "-q", code=0)
        releases.append(sorted(str(row["town"]) for row in read_rows(tmp_path / "out.parquet")))
    assert releases == [["None", "east", "east", "west", "west", "west"]] * 3


def test_build_writes_a_rule_as_a_table_for_its_data(adult: Path, cli: Cli, tmp_path: Path) -> None:
    cli("hierarchy", "build", "adult/five-year/age", "--data", adult, "-o", "age.csv", code=0)
    lines = [line.split(";") for line in (tmp_path / "age.csv").read_text().splitlines()]
    assert len(lines) == 73
    assert lines[0] == ["17", "[15, 20)", "[10, 20)", "[0, 20)", "*"]
    arguments = ("--qi", "age,sex", "--hierarchies", "adult/five-year", "--dry-run", "--json", "-q")
    rule = cli("anonymize", adult, *arguments).manifest
    table = cli("anonymize", adult, *arguments, "--hierarchies", "age=age.csv").manifest
    assert table["metrics"] == rule["metrics"]
    assert table["recoding"] == rule["recoding"]
    refused(cli("hierarchy", "build", "adult/five-year/age", "-o", "other.csv"), 2, "--data FILE")


@pytest.mark.parametrize("command", ["build", "convert"])
def test_an_output_that_exists_is_kept_without_overwrite_and_by_a_run_that_fails(
    towns: Path, cli: Cli, tmp_path: Path, command: str
) -> None:
    def run(source: str, *more: str) -> Finished:
        return cli("hierarchy", command, source, *(["-o", "t.csv"] if command == "build" else ["t.csv"]), *more)

    assert towns.exists()
    (tmp_path / "t.csv").write_text("old")
    refused(run("town.yaml"), 3, "t.csv", "--overwrite")
    assert (tmp_path / "t.csv").read_text() == "old"
    (tmp_path / "bad.yaml").write_text("kind: table\nrows: [[a, A], [a, A], [b, B]]\n")
    if command == "build":
        assert run("bad.yaml", "--overwrite").code == 2
    (tmp_path / "worse.yaml").write_text("kind: tabbel\n")
    refused(run("worse.yaml", "--overwrite"), 2, "did you mean 'table'?")
    assert (tmp_path / "t.csv").read_text() == "old"
    assert run("town.yaml", "--overwrite").code == 0
    assert (tmp_path / "t.csv").read_text() != "old"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("target", ["t.xlsx", "t.json", "t", "base.duckdb::t"])
def test_another_form_of_output_is_refused(towns: Path, cli: Cli, tmp_path: Path, target: str) -> None:
    for arguments in (("build", "town.yaml", "-o", target), ("convert", "town.yaml", target)):
        run = cli("hierarchy", *arguments)
        assert run.code in (2, 3)
        assert "Traceback" not in run.err
        assert len(run.err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [towns.name, "town.yaml"]


def test_convert_there_and_back_gives_the_same_bytes(cli: Cli, tmp_path: Path) -> None:
    text = "Bonn;west;*\nJena;east;*\nKiel;west;*\n"
    (tmp_path / "a.csv").write_text(text)
    assert cli("hierarchy", "convert", "a.csv", "b.yaml").code == 0
    content = yaml.safe_load((tmp_path / "b.yaml").read_text())
    assert content["kind"] in ("levels", "table")
    assert cli("hierarchy", "convert", "b.yaml", "c.parquet").code == 0
    assert cli("hierarchy", "convert", "c.parquet", "d.csv").code == 0
    assert (tmp_path / "d.csv").read_text() == text


def test_convert_keeps_the_rest_of_a_hierarchy_in_yaml_and_tells_what_a_table_loses(
    towns: Path, cli: Cli, tmp_path: Path
) -> None:
    assert towns.exists()
    assert "stays behind" not in cli("hierarchy", "convert", "town.yaml", "again.yaml").err
    assert yaml.safe_load((tmp_path / "again.yaml").read_text())["loss"] == [0, 0.4, 1]
    assert (
        cli("hierarchy", "show", "again.yaml", "--format", "csv").out
        == cli("hierarchy", "show", "town.yaml", "--format", "csv").out
    )
    assert "loss of the hierarchy is not written" in cli("hierarchy", "convert", "town.yaml", "t.csv").err
    refused(cli("hierarchy", "convert", "adult/five-year/age", "t.yaml"), 2, "intervals")


@pytest.mark.slow
@pytest.mark.parametrize(
    "value", ["value", "child", "town", "a;b", 'a "quoted" one', "two\nlines", " blank ", "007", "NULL", "null"]
)
def test_awkward_values_survive_conversion(tmp_path: Path, value: str) -> None:
    rows = [[value, "A", "*"], ["other", "B", "*"]]
    (tmp_path / "town.yaml").write_text(json.dumps({"kind": "table", "rows": rows}))
    names = ("town.yaml", "town.csv", "t.parquet", "back.yaml")
    for source, target in pairwise(names):
        assert convert(str(tmp_path / source), tmp_path / target) == 2
    for name in names:
        shown = inspection.show(str(tmp_path / name))
        assert sorted(value["levels"] for value in shown["values"]) == sorted(rows)


# --- every kind through a run and a saved recoding

CODES = ["53111", "53112", "53221", "10115", "10117", "80331"]


def rows_of(count: int = 400, seed: int = 1) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    return [
        {
            "age": chance.randint(20, 59),
            "code": chance.choice(CODES),
            "born": date(1990, 1, 1) + timedelta(days=chance.randint(0, 700)),
            "grade": chance.choice("abcdef"),
            "sex": chance.choice("mf"),
        }
        for _ in range(count)
    ]


KINDS: dict[str, tuple[str, dict[str, Any], Any]] = {
    # column, hierarchy, a value that no row holds
    "table": ("grade", {"kind": "table", "rows": [[g, "ab" if g in "ab" else "c-f", "*"] for g in "abcdef"]}, "x"),
    "tree": ("grade", {"kind": "tree", "tree": {"*": {"low": ["a", "b", "c"], "high": ["d", "e", "f"]}}}, "x"),
    "pairs": ("sex", {"kind": "tree", "pairs": [["m", "*"], ["f", "*"]]}, "x"),
    "levels": ("grade", {"kind": "levels", "levels": [{"low": "a, b, c", "high": "d, e, f"}, "*"]}, "x"),
    "not nested": ("sex", {"kind": "table", "nested": False, "rows": [["m", "p", "r", "*"], ["f", "p", "s", "*"]]}, "x"),
    "order": ("grade", {"kind": "order", "groups": [[2], [2]]}, "bb"),
    "order with values": ("grade", {"kind": "order", "values": list("abcdef"), "groups": [[3]]}, "x"),
    "order of numbers": ("age", {"kind": "order", "groups": [[10]], "function": "interval"}, 99),
    "priority": ("grade", {"kind": "priority", "levels": 3}, "x"),
    "priorities": ("grade", {"kind": "priority", "priorities": {g: n for n, g in enumerate("abcdef")}}, "x"),
    "widths": ("age", {"kind": "intervals", "widths": [5, 10, 20]}, 61),
    "intervals": (
        "age",
        {
            "kind": "intervals",
            "intervals": [{"min": 20, "max": 30}, {"min": 30, "max": 45}],
            "groups": [[2]],
            "range": {"snap": [15, 65], "repeat": [20, 60]},
        },
        64,
    ),
    "dates": ("born", {"kind": "dates", "units": ["month", "quarter", "year"]}, date(1993, 5, 6)),
    "redaction": ("code", {"kind": "redaction"}, "53119"),
    "redaction with length": ("code", {"kind": "redaction", "length": 5, "steps": [2, 5]}, "53119"),
    "flat": ("sex", {"kind": "flat"}, "x"),
}
RULES = {"widths", "intervals", "dates", "redaction", "redaction with length", "flat"}


def job_of(column: str, hierarchy: dict[str, Any], level: int) -> dict[str, Any]:
    return {
        "columns": {column: {"role": "quasi-identifier", "hierarchy": hierarchy}},
        "privacy": [{"model": "k-anonymity", "k": 1}],
        "recoding": {"levels": {column: level}},
    }


SAVED = ["table", "not nested", "order of numbers", "priorities", "intervals", "dates", "redaction with length"]
"""One of each way in which a recoding is saved."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", levels.sampled([*KINDS], SAVED))
def test_the_saved_recoding_of_every_kind(tmp_path: Path, kind: str) -> None:
    """The same data give the same release; of new values rules keep what they place, and lists leave it out as drift."""
    column, hierarchy, new = KINDS[kind]
    source = write_parquet(tmp_path / "in.parquet", rows_of())
    manifest = anonymize(source, tmp_path / "out.parquet", job=job_of(column, hierarchy, 1))
    assert manifest["rows"]["released"] == 400
    saved = tmp_path / "out.parquet.manifest.json"
    again = apply(saved, source, tmp_path / "again.parquet")
    first = multiset(tmp_path / "out.parquet")
    assert multiset(tmp_path / "again.parquet") == first
    assert again["metrics"] == manifest["metrics"]
    assert again["drift"]["rows_outside"] == 0
    strangers = [{**row, column: new} for row in rows_of(7, seed=2)]
    other = write_parquet(tmp_path / "new.parquet", rows_of() + strangers)
    manifest = apply(saved, other, tmp_path / "new.out.parquet", max_suppression="50%")
    kept = kind in RULES
    assert manifest["drift"]["new_values"] == ({} if kept else {column: {"values": 1, "rows": 7}})
    assert manifest["drift"]["rows_outside"] == (0 if kept else 7)
    assert manifest["rows"]["released"] == (407 if kept else 400)
    assert multiset(tmp_path / "new.out.parquet") & first == first


@pytest.mark.parametrize("message", [{}, {"length": 5}])
def test_a_code_longer_than_the_saved_length_lies_outside_the_rule(tmp_path: Path, message: dict[str, int]) -> None:
    source = write_parquet(tmp_path / "in.parquet", rows_of())
    anonymize(source, tmp_path / "out.parquet", job=job_of("code", {"kind": "redaction", **message}, 1))
    other = write_parquet(tmp_path / "new.parquet", [*rows_of(), {**rows_of(1)[0], "code": "531111"}])
    manifest = apply(tmp_path / "out.parquet.manifest.json", other, tmp_path / "new.out.parquet")
    assert manifest["drift"]["new_values"] == {"code": {"values": 1, "rows": 1}}
    assert manifest["rows"]["released"] == 400


def test_a_value_beyond_the_range_of_intervals_lies_outside_the_rule(tmp_path: Path) -> None:
    hierarchy = {"kind": "intervals", "widths": [5], "range": {"label": [0, 65]}}
    source = write_parquet(tmp_path / "in.parquet", rows_of())
    anonymize(source, tmp_path / "out.parquet", job=job_of("age", hierarchy, 1))
    other = write_parquet(tmp_path / "new.parquet", [*rows_of(), *({**row, "age": 65} for row in rows_of(3))])
    manifest = apply(tmp_path / "out.parquet.manifest.json", other, tmp_path / "new.out.parquet")
    assert manifest["drift"]["new_values"] == {"age": {"values": 1, "rows": 3}}


@pytest.mark.parametrize("suppress", ["drop", "star"])
def test_a_job_file_with_every_kind_in_place_runs(tmp_path: Path, cli: Cli, suppress: str) -> None:
    chosen = {"age": "intervals", "code": "redaction with length", "born": "dates", "grade": "levels", "sex": "not nested"}
    job = {
        "version": 1,
        "source": "in.parquet",
        "columns": {column: {"role": "quasi-identifier", "hierarchy": KINDS[kind][1]} for column, kind in chosen.items()},
        "privacy": [{"model": "k-anonymity", "k": 10}],
        "suppression": {"limit": "10%", "style": suppress},
        "output": {"path": "out.parquet"},
    }
    write_parquet(tmp_path / "in.parquet", rows_of())
    (tmp_path / "job.yaml").write_text(yaml.safe_dump(job, sort_keys=False))
    run = cli("anonymize", "--job", "job.yaml", "--json", "-q", code=0)
    assert run.manifest["status"] == "released"
    assert run.manifest["privacy"][0]["achieved"] >= 10
    sizes = Counter(tuple(row[column] for column in chosen) for row in read_rows(tmp_path / "out.parquet"))
    assert min(sizes.values()) >= 10
    cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "again.parquet", "--json", "-q", code=0)
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")


def test_a_job_file_may_hold_each_kind_in_place(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", rows_of())
    for column, hierarchy, _ in KINDS.values():
        job = {"columns": {column: {"role": "quasi-identifier", "hierarchy": hierarchy}}}
        (tmp_path / "job.yaml").write_text(yaml.safe_dump(job, sort_keys=False))
        assert anonymize(source, job=tmp_path / "job.yaml", dry_run=True)["status"] == "dry-run"


def test_a_fault_of_a_hierarchy_in_place_names_its_column(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", rows_of())
    job = {"columns": {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widhts": [5]}}}}
    (tmp_path / "job.yaml").write_text(yaml.safe_dump(job))
    refused(cli("anonymize", "in.parquet", "--job", "job.yaml"), 2, "age", "did you mean 'widths'?")


# --- missing: top


@pytest.mark.parametrize("style", ["drop", "star"])
def test_missing_top_of_one_hierarchy_through_a_whole_run(tmp_path: Path, cli: Cli, style: str) -> None:
    """NULL and `?` of its column read the top at a loss of 1; the other column keeps them."""
    marks = ["a", "a", "b", "b", "b", "?", None, None, "a", "b"]
    write_parquet(tmp_path / "in.parquet", [{"x": mark, "y": mark} for mark in marks * 4])
    table = {"kind": "table", "rows": [["a", "A", "*"], ["b", "B", "*"], ["?", "?", "*"]]}
    job = {
        "missing": {"tokens": ["?", None]},
        "columns": {
            "x": {"role": "quasi-identifier", "hierarchy": {**table, "missing": "top"}},
            "y": {"role": "quasi-identifier", "hierarchy": table},
        },
        "suppression": {"style": style},
    }
    (tmp_path / "job.yaml").write_text(json.dumps(job))
    arguments = ("--levels", "x=0,y=0", "--k", 2, "-o", "out.parquet", "--json", "-q")
    run = cli("anonymize", "in.parquet", "--job", "job.yaml", *arguments, code=0)
    released = read_rows(tmp_path / "out.parquet")
    assert Counter(row["x"] for row in released) == {"a": 12, "b": 16, "*": 12}
    assert Counter(row["y"] for row in released) == {"a": 12, "b": 16, "?": 4, None: 8}
    assert run.manifest["metrics"]["loss_by_attribute"] == {"x": pytest.approx(12 / 40), "y": 0}
    again = cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "again.parquet", "--json", "-q", code=0)
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")
    assert again.manifest["metrics"] == run.manifest["metrics"]


@pytest.mark.parametrize(
    ("values", "hierarchy", "top"),
    [
        ([1, 2, 3, None], {"kind": "intervals", "widths": [2], "top": "any"}, "any"),
        (["53111", "53112", None], {"kind": "redaction"}, "*****"),
        (["53111", "53112", None], {"kind": "redaction", "steps": [2], "top": "all"}, "all"),
        (["a", "b", None], {"kind": "flat", "top": "all"}, "all"),
        (["a", "b", None], {"kind": "order", "groups": [[2]], "top": "all"}, "all"),
        (["a", "b", None], {"kind": "priority", "top": "all"}, "all"),
        (["a", "b", None], {"kind": "levels", "levels": [{"A": "a, b"}], "top": "all"}, "all"),
        ([date(2020, 1, 2), date(2021, 1, 2), None], {"kind": "dates", "units": ["year"], "top": "ever"}, "ever"),
        ([None, None, None], {"kind": "intervals", "widths": [2], "top": "any"}, "any"),
    ],
)
def test_missing_top_of_every_kind(tmp_path: Path, values: list[Any], hierarchy: dict[str, Any], top: str) -> None:
    if values == [None] * 3:
        duckdb.execute(f"copy (select cast(null as integer) as x from range(6)) to '{tmp_path / 'in.parquet'}'")
        values = [None]
    else:
        write_parquet(tmp_path / "in.parquet", [{"x": value} for value in values * 2])
    job = job_of("x", {**hierarchy, "missing": "top"}, 0)
    manifest = anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", job=job, overwrite=True)
    released = [row["x"] for row in read_rows(tmp_path / "out.parquet")]
    assert released.count(top) == 2 or values == [None]
    assert None not in released
    if len(values) > 1:
        assert manifest["metrics"]["loss"] == pytest.approx(1 / len(values))
    apply(tmp_path / "out.parquet.manifest.json", tmp_path / "in.parquet", tmp_path / "again.parquet")
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")

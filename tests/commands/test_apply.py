"""The saved recoding: the same release from the same data, and a drift report on other data."""

import random
import shutil
import stat
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.errors import Infeasible, JobError
from duckanon.job.options import Options
from tests.support.command_line import Cli
from tests.support.rows import multiset, read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply

TOWNS = {"Bonn": "west", "Köln": "west", "Jena": "east", "Gera": "east"}


def people(count: int = 600, seed: int = 1) -> list[dict[str, Any]]:
    """Rows whose quasi-identifiers need every kind of hierarchy; some values are missing."""
    chance = random.Random(seed)
    return [
        {
            "age": chance.choice([None, *range(20, 60)]) if number % 50 == 0 else chance.randint(20, 59),
            "town": chance.choice([*TOWNS, None] if number % 40 == 0 else [*TOWNS]),
            "born": date(1990, 1, 1) + timedelta(days=chance.randint(0, 900)),
            "sex": chance.choice("mf"),
            "ill": f"ill{chance.randint(0, 4)}",
        }
        for number in range(count)
    ]


def job(folder: Path, **more: Any) -> dict[str, Any]:
    """A hierarchy by a rule, the calendar, a tree of pairs, and value and star."""
    write_table(folder / "town.csv", [*TOWNS.items(), ("west", "*"), ("east", "*")])
    return {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10, 20]}, "weight": 2},
            "town": {"role": "quasi-identifier", "hierarchy": {"kind": "tree", "file": str(folder / "town.csv")}},
            "born": {"role": "quasi-identifier", "hierarchy": {"kind": "dates", "units": ["month", "year"]}, "min-level": 1},
            "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
            "ill": {"role": "sensitive"},
        },
        "suppression": {"limit": "10%"},
        **more,
    }


def released(folder: Path, rows: list[dict[str, Any]], **more: Any) -> tuple[Path, dict[str, Any]]:
    source = write_parquet(folder / "in.parquet", rows)
    manifest = anonymize(source, folder / "out.parquet", job=job(folder, **more), overwrite=True)
    return folder / "out.parquet.manifest.json", manifest


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"suppression": {"limit": "10%", "style": "star"}},
        {"missing": {"policy": "drop"}},
        {"missing": {"policy": "top"}},
        {"missing": {"tokens": ["Bonn"], "policy": "top"}},
        {"recoding": {"algorithm": "samarati"}},
        {"privacy": [{"model": "k-anonymity", "k": 20}], "others": "keep"},
    ],
    ids=str,
)
def test_the_same_data_gives_the_same_release(tmp_path: Path, more: dict[str, Any]) -> None:
    result, manifest = released(tmp_path, people(), **more)
    again = apply(result, tmp_path / "in.parquet", tmp_path / "again.parquet")
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")
    assert again["recoding"]["levels"] == manifest["recoding"]["levels"]
    assert again["rows"] == manifest["rows"]
    assert again["metrics"] == manifest["metrics"]
    assert again["drift"]["rows_outside"] == 0
    assert again["drift"]["new_values"] == {}


@pytest.mark.slow
def test_adult_is_reproduced(tmp_path: Path, adult: Path, cli: Cli) -> None:
    duckdb.execute(f"copy (from '{adult}' limit 3000) to '{tmp_path / 'adult.parquet'}'")
    assert cli("anonymize", "adult.parquet", "-q").code == 0
    run = cli("apply", "adult.anonymized.parquet.manifest.json", "adult.parquet", "-o", "again.parquet", "--json", "-q", code=0)
    assert run.manifest["status"] == "released"
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "adult.anonymized.parquet")


def test_the_recoding_is_for_its_owner_alone_and_holds_no_way_to_the_input(tmp_path: Path) -> None:
    _, manifest = released(tmp_path, people())
    folder = tmp_path / manifest["saved_recoding"]["path"]
    assert folder.name == "out.parquet.recoding"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.iterdir()) == [
        *("asked.yaml", "hierarchy_2.parquet", "job.yaml", "lattice.json")
    ]
    for path in folder.glob("*.yaml"):
        assert str(tmp_path) not in path.read_text()
    assert "source" not in (folder / "job.yaml").read_text()


def test_release_manifest_and_recoding_may_move_together(tmp_path: Path) -> None:
    released(tmp_path, people())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("out.parquet", "out.parquet.manifest.json", "out.parquet.recoding"):
        (tmp_path / name).rename(elsewhere / name)
    apply(elsewhere / "out.parquet.manifest.json", tmp_path / "in.parquet", tmp_path / "again.parquet")
    assert multiset(tmp_path / "again.parquet") == multiset(elsewhere / "out.parquet")


def test_values_inside_a_rule_are_covered_though_the_first_data_lacked_them(tmp_path: Path) -> None:
    result, _ = released(tmp_path, [row for row in people() if row["age"] != 33])
    assert any(row["age"] == 33 for row in people())
    manifest = apply(result, write_parquet(tmp_path / "new.parquet", people()), tmp_path / "new.out.parquet")
    assert manifest["drift"]["new_values"] == {}


def test_new_values_are_left_out_and_reported_as_drift(tmp_path: Path) -> None:
    result, _ = released(tmp_path, people())
    new = people() + [{**row, "town": town} for row, town in zip(people(20, seed=2), ["Rom", "Oslo"] * 10, strict=True)]
    manifest = apply(result, write_parquet(tmp_path / "new.parquet", new), tmp_path / "new.out.parquet")
    rows = read_rows(tmp_path / "new.out.parquet")
    assert manifest["drift"]["rows_outside"] == 20
    assert manifest["drift"]["new_values"] == {"town": {"values": 2, "rows": 20}}
    assert manifest["rows"]["suppressed"] == 20 + manifest["drift"]["rows_below"]
    assert manifest["rows"]["read"] == 620
    assert manifest["rows"]["released"] == len(rows) == 620 - manifest["rows"]["suppressed"]
    assert not {"Rom", "Oslo"} & {row["town"] for row in rows}
    assert min(Counter((row["age"], row["town"], row["born"], row["sex"]) for row in rows).values()) >= 5


def test_a_row_that_is_new_in_two_columns_is_counted_once(tmp_path: Path) -> None:
    result, _ = released(tmp_path, people(), missing={"policy": "drop"})
    strangers = [{**people(1)[0], "age": 30, "town": "Rom", "sex": "m"}] * 3
    manifest = apply(result, write_parquet(tmp_path / "new.parquet", people() + strangers), tmp_path / "new.out.parquet")
    assert manifest["drift"]["rows_outside"] == 3


def test_thinner_classes_are_suppressed_within_the_limit_and_refused_beyond(tmp_path: Path, cli: Cli) -> None:
    released(tmp_path, people())
    write_parquet(tmp_path / "thin.parquet", people(200, seed=3))
    arguments = ["out.parquet.manifest.json", "thin.parquet", "-o", "thin.out.parquet", "-q", "--json"]
    beyond = cli("apply", *arguments, code=1)
    assert beyond.manifest["status"] == "infeasible"
    assert beyond.manifest["drift"]["classes_below"] > 0
    assert not (tmp_path / "thin.out.parquet").exists()
    within = cli("apply", *arguments, "--max-suppression", "100%", code=0)
    assert within.manifest["rows"]["suppressed"] == within.manifest["drift"]["rows_below"] > 20
    rows = read_rows(tmp_path / "thin.out.parquet")
    assert len(rows) == 200 - within.manifest["rows"]["suppressed"] > 0
    assert min(Counter((row["age"], row["town"], row["born"], row["sex"]) for row in rows).values()) >= 5


def test_rows_left_out_count_against_the_limit(tmp_path: Path) -> None:
    result, _ = released(tmp_path, people())
    new = people() + [{**row, "town": "Rom"} for row in people(300, seed=2)]
    with pytest.raises(Infeasible, match="300 of them for values that the recoding does not cover") as failure:
        apply(result, write_parquet(tmp_path / "new.parquet", new), tmp_path / "new.out.parquet")
    assert failure.value.manifest is not None
    assert failure.value.manifest["rows"]["released"] == 0


def test_other_formats_of_the_same_data_give_the_same_labels(tmp_path: Path) -> None:
    result, _ = released(tmp_path, people(), missing={"policy": "drop"})
    duckdb.execute(f"copy (from '{tmp_path / 'in.parquet'}') to '{tmp_path / 'in.csv'}'")
    apply(result, tmp_path / "in.csv", tmp_path / "again.parquet")
    assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")


def test_columns_that_are_new_are_dropped_and_one_that_is_gone_is_named(tmp_path: Path) -> None:
    result, _ = released(tmp_path, people(), others="keep")
    new = write_parquet(tmp_path / "new.parquet", [{**row, "name": "secret"} for row in people()])
    apply(result, new, tmp_path / "new.out.parquet")
    assert "name" not in read_rows(tmp_path / "new.out.parquet")[0]
    lacking = write_parquet(tmp_path / "less.parquet", [{k: v for k, v in row.items() if k != "town"} for row in people()])
    with pytest.raises(JobError, match="'town' is not a column of the input"):
        apply(result, lacking, tmp_path / "less.out.parquet")


TAMPERINGS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a changed level": (
        lambda folder: (folder / "job.yaml").write_text((folder / "job.yaml").read_text().replace("sex: 0", "sex: 1") + "\n"),
        "was changed after",
    ),
    "a lost hierarchy": (lambda folder: (folder / "hierarchy_2.parquet").unlink(), "was changed after"),
    "a file more": (lambda folder: (folder / "more.txt").write_text("x"), "was changed after"),
    "no recoding": (shutil.rmtree, "does not exist"),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_a_recoding_that_is_not_as_it_was_is_refused(tmp_path: Path, cli: Cli, tampering: str) -> None:
    change, phrase = TAMPERINGS[tampering]
    _, manifest = released(tmp_path, people(100))
    change(tmp_path / manifest["saved_recoding"]["path"])
    run = cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "again.parquet", code=2)
    assert phrase in run.err
    assert run.err.count("\n") == 1
    assert not (tmp_path / "again.parquet").exists()


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"output": {"path": "x"}}', "not json", '{"output": 1, "saved_recoding": 2}']
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, cli: Cli, content: str) -> None:
    write_parquet(tmp_path / "in.parquet", people(10))
    (tmp_path / "other.json").write_text(content)
    run = cli("apply", "other.json", "in.parquet", "-o", "out.parquet", code=2)
    assert "is not the manifest of a release" in run.err
    assert "Traceback" not in run.err


def test_a_missing_manifest_is_named(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", people(10))
    assert "no such manifest: 'nowhere.json'" in cli("apply", "nowhere.json", "in.parquet", code=2).err


def test_options_of_a_release_are_kept_and_its_limit_may_be_changed(tmp_path: Path) -> None:
    result, _ = released(tmp_path, people(), privacy=[{"model": "k-anonymity", "k": 12}])
    manifest = apply(result, tmp_path / "in.parquet", tmp_path / "again.parquet", max_suppression="50%")
    assert manifest["privacy"][0]["required"] == 12
    assert manifest["suppression"]["limit"] == "50%"


def test_a_line_for_null_is_saved_with_its_hierarchy(tmp_path: Path) -> None:
    rows = [{"town": (None, "x", "y", "z", "z")[number % 5]} for number in range(200)]
    write_parquet(tmp_path / "in.parquet", rows)
    write_table(tmp_path / "town.csv", [("", "unknown", "*"), ("x", "unknown", "*"), ("y", "known", "*"), ("z", "known", "*")])
    for policy in ("value", "top"):
        options = Options(
            qi=["town"], hierarchies=[f"town={tmp_path / 'town.csv'}"], levels={"town": 1}, set={"missing.policy": policy}
        )
        anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", options=options, overwrite=True)
        apply(tmp_path / "out.parquet.manifest.json", tmp_path / "in.parquet", tmp_path / "again.parquet", overwrite=True)
        assert multiset(tmp_path / "again.parquet") == multiset(tmp_path / "out.parquet")
        unknown = 80 if policy == "value" else 40
        assert Counter(row["town"] for row in read_rows(tmp_path / "out.parquet"))["unknown"] == unknown


def test_data_that_lies_wholly_outside_is_infeasible_and_reported(tmp_path: Path, cli: Cli) -> None:
    released(tmp_path, people())
    write_parquet(tmp_path / "new.parquet", [{**row, "town": "Rom"} for row in people()])
    run = cli("apply", "out.parquet.manifest.json", "new.parquet", "--json", "-q", code=1)
    assert run.manifest["status"] == "infeasible"
    assert run.manifest["drift"]["rows_outside"] == 600
    assert "town: 1 values in 600 rows" in run.err


def test_a_linked_column_that_was_dropped_is_not_requested_again(tmp_path: Path) -> None:
    rows = [{**row, "copy": row["town"]} for row in people()]
    result, _ = released(tmp_path, rows, linked=[["town", "copy"]])
    apply(result, write_parquet(tmp_path / "new.parquet", people()), tmp_path / "new.out.parquet")
    assert "copy" not in read_rows(tmp_path / "new.out.parquet")[0]


def test_new_data_on_which_a_kept_column_gives_another_away_does_not_keep_the_promise(tmp_path: Path, cli: Cli) -> None:
    chance = random.Random(4)
    rows = [{"town": chance.choice([*TOWNS]), "kept": chance.randint(0, 3)} for _ in range(400)]
    write_parquet(tmp_path / "in.parquet", rows)
    write_parquet(tmp_path / "new.parquet", [{**row, "kept": [*TOWNS].index(str(row["town"]))} for row in rows])
    options = Options(qi=["town"], keep=["kept"], levels={"town": 1})
    job = {"columns": {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}}
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", job=job, options=options)
    run = cli("apply", "out.parquet.manifest.json", "new.parquet", "--json", "-q", code=1)
    assert "'kept' discloses 'town'" in run.err
    assert run.manifest["status"] == "infeasible"


def test_a_job_beside_its_output_is_run_again_where_the_output_is_gone(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", people())
    assert cli("anonymize", "in.parquet", "-o", "out.parquet", "-q").code == 0
    first = multiset(tmp_path / "out.parquet")
    (tmp_path / "out.parquet").unlink()
    cli("anonymize", "--job", "out.parquet.job.yaml", "-q", code=0)
    assert multiset(tmp_path / "out.parquet") == first

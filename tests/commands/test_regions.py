"""Local recoding, without its searches: linked columns, names, drift, and what a job may not contain."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from duckanon.errors import JobError
from duckanon.job.prepare import Run
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply

AGAIN = Run(overwrite=True)


def released(path: Path, *names: str) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row[name] for name in names) for row in read_rows(path))


@pytest.mark.parametrize("algorithm", ["mondrian", "local"])
def test_a_linked_column_hides_where_a_coarser_label_is_spelled_like_the_value(tmp_path: Path, algorithm: str) -> None:
    rows = [{"x": "A", "f": "fa"}] * 2 + [{"x": "B", "f": "fb"}] * 8
    tree = write_table(tmp_path / "x.csv", [("A", "A", "*"), ("B", "A", "*")])
    columns = {"x": {"role": "quasi-identifier", "hierarchy": str(tree)}, "f": {"role": "insensitive"}}
    job = {"columns": columns, "linked": [["x", "f"]], "recoding": {"algorithm": algorithm}}
    source = write_parquet(tmp_path / "in.parquet", rows)
    anonymize(source, tmp_path / "out.parquet", job=job, k=5, max_suppression=0)
    [(shown, count)] = released(tmp_path / "out.parquet", "x", "f").items()
    assert (shown[1], count) == ("*", 10)


def test_a_linked_column_shows_itself_where_its_region_shows_the_value(tmp_path: Path) -> None:
    rows = [{"x": 1, "f": "one"}] * 6 + [{"x": 2, "f": "two"}] * 3 + [{"x": 3, "f": "three"}] * 3
    columns = {"x": {"role": "quasi-identifier"}, "f": {"role": "insensitive"}}
    job = {"columns": columns, "linked": [["x", "f"]], "recoding": {"algorithm": "mondrian", "show-extremes": True}}
    source = write_parquet(tmp_path / "in.parquet", rows)
    anonymize(source, tmp_path / "out.parquet", job=job, k=5, max_suppression=0)
    assert released(tmp_path / "out.parquet", "x", "f") == {("1", "one"): 6, ("[2, 3]", "*"): 6}


def test_new_values_beyond_an_open_end_are_covered_and_others_are_drift(tmp_path: Path) -> None:
    ages = (1, 2, 11, 12, 21, 22, 31, 32)
    first = write_parquet(tmp_path / "first.parquet", [{"age": age} for age in ages for _ in range(5)])
    anonymize(first, tmp_path / "out.parquet", qi=["age"], k=10, algorithm="mondrian")
    assert released(tmp_path / "out.parquet", "age") == {("<= 2",): 10, ("[11, 12]",): 10, ("[21, 22]",): 10, (">= 31",): 10}
    new = [{"age": age} for age in (-5, 11, 22, 99) for _ in range(10)] + [{"age": 15}] * 3
    source = write_parquet(tmp_path / "new.parquet", new)
    manifest = apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet", max_suppression=3)
    assert released(tmp_path / "again.parquet", "age") == released(tmp_path / "out.parquet", "age")
    assert manifest["drift"]["rows_outside"] == manifest["rows"]["suppressed"] == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "algorithm"),
    levels.spread(["place", "position", "value", "code", "label", "level", "_x", "a b", 'a"b', "order"], ["mondrian", "local"]),
)
def test_a_column_may_be_called_like_one_of_ours(tmp_path: Path, name: str, algorithm: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{name: number % 7, "other": number % 3} for number in range(90)])
    columns = {
        column: {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [2, 4]}} for column in (name, "other")
    }
    job = {"columns": columns, "recoding": {"algorithm": algorithm}}
    anonymize(source, tmp_path / "out.parquet", job=job, k=7)
    apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet")
    first, again = (released(tmp_path / file, name, "other") for file in ("out.parquet", "again.parquet"))
    assert first == again
    assert min(first.values()) >= 7


def test_booleans_are_cut_in_a_declared_order(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"is": number % 3 == 0} for number in range(30)])
    job = {"columns": {"is": {"role": "quasi-identifier", "order": [True, False]}}, "recoding": {"algorithm": "mondrian"}}
    anonymize(source, tmp_path / "out.parquet", job=job, k=5)
    assert released(tmp_path / "out.parquet", "is") == {("true",): 10, ("false",): 20}


@pytest.mark.parametrize("algorithm", ["mondrian", "local"])
def test_missing_values_at_the_top_are_one_set_of_values(tmp_path: Path, algorithm: str) -> None:
    rows = [{"x": value} for value in ("a", "b", "?", None) for _ in range(20)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    columns = {"x": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}
    job = {"columns": columns, "missing": {"tokens": ["?", None], "policy": "top"}, "recoding": {"algorithm": algorithm}}
    manifest = anonymize(source, tmp_path / "out.parquet", job=job, k=20)
    assert released(tmp_path / "out.parquet", "x") == {("a",): 20, ("b",): 20, ("*",): 40}
    assert manifest["metrics"]["loss"] == 0.5
    source = write_parquet(tmp_path / "in.parquet", [*rows, {"x": "*"}])
    with pytest.raises(JobError, match="equals the label of its missing values"):
        anonymize(source, tmp_path / "out.parquet", job=job, k=20, run=AGAIN)


@pytest.mark.parametrize(
    ("recoding", "message"),
    [
        ({"algorithm": "mondrian", "partitions": "none.parquet"}, "is not a tree of cuts"),
        ({"algorithm": "mondrian", "partitions": "in.parquet"}, "is not a tree of cuts"),
        ({"algorithm": "mondrian", "levels": {"age": 1}}, "leave one of the two out"),
        ({"algorithm": "mondrian", "time-limit": 1}, "mondrian has none"),
        ({"algorithm": "local", "passes": [{"age": 9}]}, "level 9"),
        ({"algorithm": "local", "passes": [{"age": 1, "aeg": 0}]}, "names 'aeg'"),
        ({"algorithm": "local", "passes": [{}]}, "gives no level for 'age'"),
    ],
    ids=["no file", "another file", "levels", "time limit", "level", "column", "no level"],
)
def test_what_a_job_may_not_give(tmp_path: Path, recoding: dict[str, Any], message: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"age": number % 9} for number in range(90)])
    if "partitions" in recoding:
        recoding = {**recoding, "partitions": str(tmp_path / recoding["partitions"])}
    columns = {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [2, 4]}}}
    with pytest.raises(JobError, match=message) as refused:
        anonymize(source, tmp_path / "out.parquet", job={"columns": columns, "recoding": recoding})
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("algorithm", ["mondrian", "local"])
def test_an_objective_that_a_local_recoding_does_not_have_is_named(tmp_path: Path, cli: Cli, algorithm: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"a": number % 7, "b": number % 5} for number in range(70)])
    words = ["anonymize", source, "--qi", "a,b", "--algorithm", algorithm, "-o", tmp_path / "out.parquet"]
    run = cli(*words, "--set", "recoding.objective=precision", code=0)
    assert f"warning: {algorithm} minimizes the information loss, not precision" in run.err
    assert "minimizes" not in cli(*words, "--overwrite").err


# --- a retained column that local labels would disclose

OFFICES = {"north": "harbour", "south": "station", "east": "harbour", "west": "castle"}


def _visits(path: Path, rare: list[str]) -> Path:
    """500 records; the office is a function of the region, and records in the given regions have an age of their own."""
    rows: list[dict[str, Any]] = [
        {"region": list(OFFICES)[number // 8 % 4], "sex": "fm"[number // 4 % 2], "age": 20 + number % 4 * 10}
        for number in range(500 - len(rare))
    ]
    rows += [{"region": region, "sex": "f", "age": 97} for region in rare]
    return write_parquet(path, [{**row, "office": OFFICES[row["region"]]} for row in rows])


@pytest.mark.parametrize(("rare", "limit"), [(["north", "south"], "5%"), (["north", "north", "south", "east", "west"], "0")])
@pytest.mark.parametrize("algorithm", ["optimal", "local", "auto"])
def test_local_recoding_releases_what_one_node_can(tmp_path: Path, algorithm: str, rare: list[str], limit: str) -> None:
    source = _visits(tmp_path / "visits.parquet", rare)
    flat = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
    job = {"columns": {"region": flat, "sex": flat, "age": flat, "office": {"role": "insensitive"}}}
    output = tmp_path / "out.parquet"
    manifest = anonymize(source, output, job=job, algorithm=algorithm, max_suppression=limit)
    assert algorithm in (manifest["recoding"]["algorithm"], "auto")
    rows = read_rows(output)
    assert len(rows) == (498 if limit == "5%" else 500)
    assert all(OFFICES[row["region"]] == row["office"] for row in rows)
    assert min(Counter((row["age"], row["sex"], row["region"]) for row in rows).values()) >= 5


@pytest.mark.parametrize("algorithm", ["auto", "local"])
def test_a_looser_limit_loses_no_more(tmp_path: Path, algorithm: str) -> None:
    draw = random.Random(11)
    rows = []
    for patient in range(120):
        about = {
            "patient": patient,
            "age": 18 + int(draw.expovariate(0.15)),
            "sex": draw.choice("mf"),
            "ward": draw.randrange(4),
        }
        rows += [{**about, "condition": f"c{draw.randrange(80)}"} for _ in range(6)]
    source = write_parquet(tmp_path / "visits.parquet", rows)
    how: dict[str, Any] = {"qi": ["age", "sex", "ward"], "entity": ["patient"], "sensitive": ["condition"]}
    losses = [
        anonymize(source, **how, require=("distinct-l=10",), algorithm=algorithm, max_suppression=limit, dry_run=True)[
            "metrics"
        ]["loss"]
        for limit in ("0", "5%", "60%")
    ]
    assert losses == sorted(losses, reverse=True)

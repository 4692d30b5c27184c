"""`check --manifest` on a file from elsewhere: whether it is the released file, and satisfies its requirements."""

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

import duckanon
from duckanon.checks.file import check
from duckanon.release.manifest import dumps, with_checksum
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import write_parquet
from tests.support.settings import keywords_of

ROWS = [
    {
        "age": 20 + number % 12,
        "sex": "FM"[number % 2],
        "job": "abcd"[number * 7 % 11 % 4],
        "person": number % 90,
        "k": 2 + number % 2,
    }
    for number in range(240)
]
HIERARCHIES = {"age": {"kind": "intervals", "widths": [3, 6]}, "sex": {"kind": "flat"}}
QI = ["age", "sex"]


def released(tmp_path: Path, output: str = "out.parquet", **options: Any) -> tuple[Path, Path]:
    """A release with its manifest, in a folder where nothing else of it lies."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    chosen: dict[str, Any] = {
        "qi": QI,
        "hierarchies": HIERARCHIES,
        "sensitive": ["job"],
        "k": 4,
        "max_suppression": "60%",
        "entity": "none",
    } | options
    made = duckanon.anonymize(source, tmp_path / output, **keywords_of(**chosen))
    assert made.path is not None
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    files = made.path, made.manifest_path
    for path in files:
        shutil.move(path, elsewhere / path.name)
    return elsewhere / files[0].name, elsewhere / files[1].name


def required(document: dict[str, Any]) -> dict[str, tuple[float, bool]]:
    """What was asked of the file, and whether it holds."""
    models = [entry for entry in document["privacy"] if "required" in entry]
    return {
        " ".join([model.get("variant", ""), model["model"]]).strip(): (model["required"], model["passed"]) for model in models
    }


@pytest.mark.parametrize(
    ("output", "options"),
    [
        ("out.parquet", {}),
        ("out.csv", {}),
        ("parts", {"partition_by": ["sex"]}),
        ("out.parquet", {"suppress": "star", "max_suppression": "20%"}),
        ("out.parquet", {"algorithm": "mondrian"}),
    ],
)
def test_the_file_of_a_manifest_is_known_and_held_to_it(tmp_path: Path, output: str, options: dict[str, Any]) -> None:
    file, manifest = released(tmp_path, output, require=["distinct-l=2", "recursive-cl=9,2", "highest-risk=0.25"], **options)
    document = check(file, manifest=manifest)
    assert document["status"] == "holds"
    assert required(document) == {
        "k-anonymity": (4, True),
        "distinct l-diversity": (2, True),
        "recursive l-diversity": (9, True),
        "highest-risk": (0.25, True),
    }
    assert document["manifest"]["is_same_file"]
    assert document["manifest"]["rows"]["required"] == document["rows"]["read"]
    assert document["quasi_identifiers"] == QI


def test_a_table_is_known_by_its_file(tmp_path: Path) -> None:
    file, manifest = released(tmp_path, "out.duckdb::people")
    assert check(f"{file}::people", manifest=manifest)["manifest"]["is_same_file"]


def test_the_same_rows_in_another_file_are_another_file(tmp_path: Path, cli: Cli) -> None:
    file, manifest = released(tmp_path)
    copy = tmp_path / "copy.parquet"
    duckdb.execute(f"copy (from '{file}') to '{copy}' (format parquet, compression zstd)")
    run = cli("check", copy, "--manifest", manifest, code=1)
    assert "the SHA-256 of the file differs from the manifest of 'out.parquet'" in run.out
    assert "its SHA-256 differs" in run.err
    assert len(run.err.splitlines()) == 1
    assert check(copy, manifest=manifest)["status"] == "differs"


def test_a_manifest_that_promises_more_than_its_file_keeps_is_found(tmp_path: Path, cli: Cli) -> None:
    """Write a manifest with a valid checksum, which anybody can compute."""
    file, manifest = released(tmp_path)
    document = json.loads(manifest.read_text())
    smallest = document["classes"]["smallest"]
    document["privacy"][0]["required"] = smallest + 1
    manifest.write_text(dumps(with_checksum(document)))
    done = cli("check", file, "--manifest", manifest, code=1)
    assert "does not satisfy k-anonymity" in done.err
    document["privacy"][0]["required"] = smallest
    manifest.write_text(dumps(document))
    done = cli("check", file, "--manifest", manifest)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "was changed after it was written" in done.err


def test_what_a_file_cannot_tell_is_named(tmp_path: Path, cli: Cli) -> None:
    file, manifest = released(tmp_path, require=["t=0.9", "beta=9", "delta=9", "entropy-l=1.1"], k=2)
    document = check(file, manifest=manifest)
    assert document["manifest"]["unjudged"] == ["equal t-closeness", "basic beta-likeness", "delta-disclosure"]
    assert set(required(document)) == {"k-anonymity", "entropy l-diversity"}
    assert "cannot be checked with the file alone: equal t-closeness" in cli("check", file, "--manifest", manifest).out


@pytest.mark.parametrize(
    ("options", "unjudged"),
    [({"entity": "person"}, ["k-anonymity counted by person"]), ({"k_column": "k", "k": None}, ["k-anonymity"])],
)
def test_persons_are_at_least_as_many_rows_and_own_ks_are_gone(
    tmp_path: Path, options: dict[str, Any], unjudged: list[str]
) -> None:
    file, manifest = released(tmp_path, **options)
    document = check(file, manifest=manifest)
    assert document["manifest"]["unjudged"] == unjudged
    by_rows = "entity" in options
    assert document["status"] == ("holds" if by_rows else "measured")
    assert min(pq.read_table(file).group_by(QI).aggregate([([], "count_all")])["count_all"].to_pylist()) >= (
        4 if by_rows else 2
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--qi", "age"], "leave out the other options"),
        (["--require", "k=2"], "leave out the other options"),
    ],
)
def test_a_manifest_says_it_all(tmp_path: Path, cli: Cli, more: list[str], message: str) -> None:
    file, manifest = released(tmp_path)
    done = cli("check", file, "--manifest", manifest, *more)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert message in done.err


def test_what_is_no_manifest_is_named(tmp_path: Path, cli: Cli) -> None:
    file, _ = released(tmp_path)
    for path, message in (("absent.json", "no such manifest"), (file, "is not the manifest")):
        done = cli("check", file, "--manifest", path)
        assert (done.code, len(done.err.splitlines())) == (2, 1)
        assert message in done.err


SKEWED = [
    {
        "age": 20 + number % 12 if number % 20 else 60 + number,
        "sex": "FM"[number % 2],
        "job": ("d" if number % 20 == 0 else "abc"[number * 7 % 11 % 3]) if number % 13 else None,
    }
    for number in range(400)
]
"""The rows that are suppressed have a job of their own, so that the source's distribution is not the file's."""

KINDS: dict[str, dict[str, Any]] = {
    "equal": {"require": ["t=0.6"]},
    "ordered": {"require": ["t-ordered=0.6"]},
    "likeness": {"require": ["beta=9", "enhanced-beta=9"]},
    "disclosure": {"require": ["delta-present=9"]},
    "hierarchical": {"require": ["t-hierarchical=0.9"]},
    "with l": {"require": ["t=0.6", "distinct-l=2", "alpha-k=0.95,2"]},
}
FORMS: dict[str, dict[str, Any]] = {
    "optimal": {},
    "csv": {"output": "out.csv"},
    "mondrian": {"algorithm": "mondrian"},
    "local": {"algorithm": "local"},
    "masked": {"suppress": "star"},
}


def furthest(file: Path, reference: Path) -> float:
    """The greatest distance of a class of a file from the jobs in a table, all jobs being equally far apart, by raw SQL.

    Rows without a job count as a job of their own, or are left out: the greater of both.
    """
    query = """
        with named as (
            select coalesce(age::varchar, 'none') || '/' || sex as class, coalesce(job, 'none') as job
            from read_parquet($file)
            where job is not null or $with_missing
        ),
        totals as (select class, count(*) as total from named group by class),
        shares as (
            select coalesce(job, 'none') as job, count(*) / sum(count(*)) over () as share
            from read_parquet($reference)
            where job is not null or $with_missing
            group by all
        ),
        cells as (select class, job, count(*) as rows from named group by all)
        select max(distance) from (
            select totals.class, sum(abs(coalesce(cells.rows, 0) / totals.total - shares.share)) / 2 as distance
            from totals
            cross join shares
            left join cells on cells.class = totals.class and cells.job = shares.job
            group by totals.class
        )
        """
    files = {"file": str(file), "reference": str(reference)}
    return max(float(duckdb.execute(query, {**files, "with_missing": reading}).fetchall()[0][0]) for reading in (True, False))


@pytest.mark.parametrize(("kind", "form"), levels.spread([*KINDS], [*FORMS]))
def test_check_by_the_manifest_says_what_anonymize_reports(tmp_path: Path, kind: str, form: str) -> None:
    """Also of what compares classes with the source's distribution, which the file alone does not show."""
    source = write_parquet(tmp_path / "in.parquet", SKEWED)
    options: dict[str, Any] = {"max_suppression": "30%", "k": 4} | FORMS[form] | KINDS[kind]
    output = tmp_path / options.pop("output", "out.parquet")
    tree = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]]
    made = duckanon.anonymize(
        source,
        output,
        qi=QI,
        hierarchies={**HIERARCHIES, "job": {"kind": "table", "rows": [*tree, ["", "none", "*"]]}}
        if kind == "hierarchical"
        else HIERARCHIES,
        sensitive=["job"],
        entity="none",
        **keywords_of(**options),
    )
    manifest = check(output, manifest=made.manifest_path)
    assert manifest["status"] == "holds"
    assert manifest["manifest"]["unjudged"] == []
    by_model = {
        tuple(entry.get(key) for key in ("model", "distance", "variant", "values")): entry for entry in manifest["privacy"]
    }
    for promised in made.manifest["privacy"]:
        measured = by_model[tuple(promised.get(key) for key in ("model", "distance", "variant", "values"))]
        for key in ("required", "achieved", "passed", "reference", "achieved_in_file"):
            same = pytest.approx(promised[key]) if isinstance(promised.get(key), float) else promised.get(key)
            assert measured.get(key) == same, (promised, measured)
    if kind == "equal" and form not in ("csv", "masked"):
        [promised] = [entry for entry in made.manifest["privacy"] if entry["model"] == "t-closeness"]
        assert promised["achieved"] == pytest.approx(furthest(output, source))
        assert promised["achieved_in_file"] == pytest.approx(furthest(output, output))
        assert (promised["achieved"] != pytest.approx(promised["achieved_in_file"])) == (
            made.manifest["rows"]["suppressed"] > 0
        )


def test_both_distributions_are_named(tmp_path: Path, cli: Cli) -> None:
    """The bound lies between both figures, so that one command holds and the other fails: each says by which distribution."""
    source = write_parquet(tmp_path / "in.parquet", SKEWED)
    options = ["--qi", "age,sex", "--sensitive", "job", "--levels", "age=1,sex=1", "--max-suppression", "30%", "--k", "4"]
    hierarchy = tmp_path / "age.yaml"
    hierarchy.write_text("{kind: intervals, widths: [3, 6]}")
    made = cli(
        "anonymize -o out.parquet --require t=0.9 --json -q", source, *options, "--hierarchies", f"age={hierarchy}", code=0
    )
    [stated] = [entry for entry in made.manifest["privacy"] if entry["model"] == "t-closeness"]
    low, high = sorted([stated["achieved"], stated["achieved_in_file"]])
    assert low < high
    bound = f"t={(low + high) / 2:.9f}"
    plain = cli("check", "out.parquet", "--qi", "age,sex", "--sensitive", "job", "--require", bound)
    assert "compared with the distribution in this file" in plain.out
    assert plain.code == (1 if stated["achieved_in_file"] == high else 0)
    assert plain.code == 0 or "by the distribution in this file" in plain.err
    by_manifest = cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json", code=0)
    line = f"equal t-closeness of job: {stated['achieved']:.3g}, compared with the distribution in the source; "
    assert line + f"{stated['achieved_in_file']:.3g} compared with the distribution in the file" in by_manifest.out
    again = cli("anonymize", source, "-o", "again.parquet", *options, "--hierarchies", f"age={hierarchy}", "--require", "t=0.9")
    assert "compared with the distribution in the source" in again.err


def test_a_file_with_a_value_that_its_source_had_not_is_not_judged_by_it(tmp_path: Path) -> None:
    file, manifest = released(tmp_path, require=["t=0.9"], k=2)
    shutil.move(tmp_path / "out.parquet.recoding", manifest.with_name("out.parquet.recoding"))
    assert check(file, manifest=manifest)["manifest"]["unjudged"] == []
    strange = file.with_name("strange.parquet")
    duckdb.execute(f"copy (select * replace ('z' as job) from '{file}') to '{strange}' (format parquet)")
    document = check(strange, manifest=manifest)
    assert document["status"] == "differs"
    assert document["manifest"]["unjudged"] == ["equal t-closeness"]
    assert {entry["reference"] for entry in document["privacy"] if "reference" in entry} == {"file"}


def test_adversaries_of_a_k_column_require_no_k_that_nobody_gave(tmp_path: Path) -> None:
    """Classes of two: k of each record is in the source, and the file lacks it; 5 would be the k of a job without one."""
    rows = [{"age": number // 3, "sex": "FM"[number // 3 % 2], "town": "abc"[number // 3 % 3], "k": 2} for number in range(60)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    known = {"first": ["age", "sex"], "second": ["sex", "town"]}
    made = duckanon.anonymize(
        source,
        tmp_path / "out.parquet",
        qi=["age", "sex", "town"],
        set={"privacy": [{"model": "k-anonymity", "k-column": "k"}]},
        adversary=known,
    )
    document = check(made.path, manifest=made.manifest_path)
    assert document["status"] == "holds"
    assert {entry["required"] for entry in document["privacy"] if "required" in entry} == {1}
    assert document["manifest"]["unjudged"] == ["k-anonymity", "k-anonymity"]

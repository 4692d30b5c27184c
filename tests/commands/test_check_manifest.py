"""`check --manifest` on a file from elsewhere: whether it is the released file, and satisfies its requirements."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import duckdb
import pyarrow.parquet as pq
import pytest

import duckanon
from duckanon.checks.file import check
from duckanon.release.manifest import dumps, with_checksum
from tests.support import levels
from tests.support.command_line import Cli, Finished, refused
from tests.support.rows import read_rows, write_parquet
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
    [(["--qi", "age"], "leave out the other options"), (["--require", "k=2"], "leave out the other options")],
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


# `check` with a job or a policy refuses columns that these do not release, and names direct identifiers among the values


ROLES = {"age": {"role": "quasi-identifier"}, "sex": {"role": "quasi-identifier"}}


def job(folder: Path, columns: dict[str, Any] | None = None, **keys: Any) -> Path:
    """A job file; JSON is YAML."""
    path = folder / "job.yaml"
    content = {"columns": ROLES | (columns or {}), "privacy": [{"model": "k-anonymity", "k": 5}], **keys}
    path.write_text(str(content).replace("True", "true"), encoding="utf-8")
    return path


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A file with classes of ten that no job made: names and addresses are in it."""
    rows = [
        {"name": f"N{n}", "email": f"n{n}@mail.example", "age": 20 + n % 3, "sex": "mf"[n // 3 % 2], "note": n % 7}
        for n in range(60)
    ]
    return write_parquet(tmp_path / "people.parquet", rows)


def fails(cli: Cli, file: Path, *arguments: str | Path) -> list[str]:
    """The columns that `check` refuses; the exit code and the verdict agree with them."""
    done = cli("check", file, *arguments, "--json")
    document = done.manifest
    columns: list[str] = document["columns"]["columns"]
    assert (done.code, document["status"]) == ((1, "violated") if columns else (0, "holds")), done.err
    assert all(f"'{name}'" in done.err for name in columns)
    return columns


def test_a_job_refuses_what_it_drops(people: Path, cli: Cli, tmp_path: Path) -> None:
    job(tmp_path, {"name": {"role": "identifying"}})
    assert fails(cli, people, "--job", "job.yaml") == ["name", "email", "note"]
    for way in (
        ["--set", "accept=unreleased-columns"],
        ["--set", "accept=unreleased-columns@name", "--set", "accept=unreleased-columns@email"],
    ):
        assert fails(cli, people, "--job", "job.yaml", *way) == ([] if len(way) == 2 else ["note"])
    refused(
        cli("check", people, "--job", "job.yaml", "--set", "accept=unreleased-columns@nam"),
        2,
        "accepted column 'nam'",
        "'name'",
    )
    assert duckanon.check(people, job=tmp_path / "job.yaml")["status"] == "violated"
    assert duckanon.check(people, job={"columns": ROLES}, set={"accept": "unreleased-columns"})["columns"]["passed"]
    for form in ("table", "github", "sarif", "junit"):
        assert "unreleased-columns" in cli("check", people, "--job", "job.yaml", "--format", form).out


def test_a_job_that_keeps_others_refuses_only_what_it_drops(people: Path, cli: Cli, tmp_path: Path) -> None:
    job(tmp_path, {"name": {"role": "identifying"}, "email": {"role": "identifying", "mask": True}}, others="keep")
    assert fails(cli, people, "--job", "job.yaml") == ["name"]
    job(tmp_path, {"note": {"role": "insensitive"}, "name": {"role": "sensitive"}})
    assert fails(cli, people, "--job", "job.yaml") == ["email"]


def test_a_policy_refuses_columns_without_a_role(people: Path, cli: Cli) -> None:
    assert fails(cli, people, "--qi", "age,sex", "--sensitive", "note", "--policy", "internal") == ["name", "email"]
    assert fails(cli, people, "--adversary", "all=age,sex", "--policy", "internal") == ["name", "email", "note"]
    assert fails(cli, people, "--qi", "age,sex", "--entity", "name", "--policy", "internal") == ["email", "note"]
    plain = cli("check", people, "--qi", "age,sex", "--require", "k=5", "--strict", "--json")
    assert (plain.code, "columns" in plain.manifest) == (0, False)


def test_direct_identifiers_are_named_and_no_value_is(people: Path, cli: Cli, tmp_path: Path) -> None:
    job(tmp_path, {name: {"role": "insensitive"} for name in ("name", "email", "note")})
    named = cli("check", people, "--job", "job.yaml", code=0)
    assert "column 'email': its values look like e-mail addresses" in named.err
    assert "@mail" not in named.err
    assert cli("check", people, "--job", "job.yaml", "--strict").code == 1
    assert cli("check", people, "--job", "job.yaml", "--strict", "--set", "accept=direct-identifiers@email").code == 0


@pytest.mark.parametrize(
    ("more", "columns"),
    [
        (
            {"output": {"ranges": "bounds"}},
            {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5]}, "min-level": 1}},
        ),
        ({"output": {"partition-by": ["sex"]}}, {}),
        ({"release": "first"}, {"name": {"role": "identifying", "pseudonym": True}}),
        ({}, {"email": {"role": "identifying", "mask": {"last": 2}}}),
        ({"linked": [["age", "years"]]}, {"years": {"role": "insensitive"}}),
        ({}, {"note": {"role": "insensitive", "microaggregate": "median"}}),
        (
            {"others": "keep", "accept": ["direct-identifiers"]},
            {"name": {"role": "identifying"}, "email": {"role": "identifying"}},
        ),
    ],
)
def test_what_a_job_releases_passes_its_own_gate(
    more: dict[str, Any], columns: dict[str, Any], people: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUCKANON_KEY", "a key for tests only, of more than 32 bytes")
    source = write_parquet(tmp_path / "in.parquet", [row | {"years": row["age"]} for row in read_rows(people)])
    job(tmp_path, columns, linkable=True, **more)
    out = "out" if "partition-by" in str(more) else "out.parquet"
    cli("anonymize", source, "--job", "job.yaml", "-o", out, code=0)
    qi: Sequence[str] = ["--qi", "age_min,age_max,sex"] if "bounds" in str(more) else []
    assert fails(cli, tmp_path / out, "--job", "job.yaml", *qi) == []
    assert cli("check", out, "--manifest", f"{out}.manifest.json").code == 0


# `duckanon check` for CI: its verdict, GitHub workflow commands, SARIF and JUnit XML, read back with other parsers


SECRET = "secret value"
AWKWARD = "a,b::error::100%\n::<&\"'>\x1b"
PEOPLE = [("30", "x"), ("30", "x"), ("30", "x"), ("40", "x"), ("40", "y"), (SECRET, "y")]
K, L = 2, 2
FORMATS = ("github", "sarif", "junit")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [{"age": age, AWKWARD: illness, "other": SECRET} for age, illness in PEOPLE]
    return write_parquet(tmp_path / "50%,a.parquet", rows)


def counted() -> tuple[int, int]:
    """Rows in classes with fewer than k rows, and in classes with fewer than l values."""
    sizes = Counter(age for age, _ in PEOPLE)
    values = {age: {illness for other, illness in PEOPLE if other == age} for age in sizes}
    few = sum(size for size in sizes.values() if size < K)
    return few, sum(size for age, size in sizes.items() if len(values[age]) < L)


def checked(cli: Cli, table: Path, *more: str, require: bool = True) -> Finished:
    name = '"' + AWKWARD.replace('"', '""') + '"'
    required = ("--require", f"k={K}", "--require", f"distinct-l={L}", "--require", "alpha-k=1,1") if require else ()
    return cli("check", table.name, "--qi", "age", "--sensitive", name, *required, *more)


def decoded(text: str) -> str:
    """As a GitHub runner reads a property of a workflow command."""
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_the_table_ends_with_a_verdict(cli: Cli, table: Path) -> None:
    failing, passing = checked(cli, table), cli("check", table.name, "--qi", "age", "--require", "k=1")
    assert (failing.code, failing.out.splitlines()[-1]) == (1, "FAIL (2 of 3)")
    assert (passing.code, passing.out.splitlines()[-1]) == (0, "PASS")
    without = checked(cli, table, require=False)
    assert without.code == 0
    assert not re.search("PASS|FAIL", without.out)


def test_models_that_nothing_requires_are_listed_on_request(cli: Cli, table: Path) -> None:
    def models(finished: Finished) -> int:
        return finished.out.split("\n\n")[0].count("\n")

    assert models(checked(cli, table)) == 3
    everything = models(checked(cli, table, "--all"))
    assert everything > 3
    assert everything == models(checked(cli, table, require=False))
    assert len(json.loads(checked(cli, table, "--json").out)["privacy"]) == everything


@pytest.mark.parametrize("format", FORMATS)
def test_no_value_of_a_record_is_printed(cli: Cli, table: Path, format: str) -> None:
    for require in (True, False):
        finished = checked(cli, table, "--format", format, require=require)
        assert finished.code == (1 if require else 0)
        assert "secret" not in finished.out + finished.err
        assert "\x1b" not in finished.out


def test_github_commands_are_one_line_each(cli: Cli, table: Path) -> None:
    lines = checked(cli, table, "--format", "github").out.splitlines()
    few, uniform = counted()
    assert len(lines) == 2
    for line, rows in zip(lines, (few, uniform), strict=True):
        command = re.fullmatch(r"::error file=([^,:]*),title=([^,:]*)::(.*)", line)
        assert command is not None, line
        assert decoded(command[1]) == table.name
        assert decoded(command[3]).endswith(f"with {rows} rows fail")
        assert re.search(r"%(?!25|0A|0D)", command[3]) is None
    assert decoded(lines[1]).count("a,b::error::100%\\n::<&\"'>\\x1b") == 1
    [notice] = cli("check", table.name, "--qi", "age", "--require", "k=1", "--format", "github").out.splitlines()
    assert notice.startswith("::notice ")
    assert notice.endswith("::1 of 1 privacy requirements pass")
    assert checked(cli, table, "--format", "github", require=False).out.startswith("::notice ")


def test_sarif_has_a_rule_for_each_model_and_a_result_for_each_failure(cli: Cli, table: Path) -> None:
    """The members that the schema of SARIF 2.1.0 requires, by hand."""
    document = json.loads(checked(cli, table, "--format", "sarif").out)
    assert (document["version"], type(document["$schema"])) == ("2.1.0", str)
    [run] = document["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], type(driver["version"])) == ("duckanon", str)
    assert [rule["id"] for rule in driver["rules"]] == ["k-anonymity", "distinct-l-diversity", "alpha-k-anonymity"]
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    assert [result["ruleId"] for result in run["results"]] == ["k-anonymity", "distinct-l-diversity"]
    for result, rows in zip(run["results"], counted(), strict=True):
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] == "error"
        assert f"{rows} rows fail" in result["message"]["text"]
        [location] = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
        assert unquote(uri) == table.name
        assert location["physicalLocation"]["region"]["startLine"] >= 1


def test_junit_has_a_test_case_for_each_required_model(cli: Cli, table: Path) -> None:
    root = ElementTree.fromstring(checked(cli, table, "--format", "junit").out)
    [suite] = root.findall("testsuite")
    cases = suite.findall("testcase")
    failures = [case for case in cases if case.find("failure") is not None]
    for element in (root, suite):
        assert (element.get("tests"), element.get("failures")) == (str(len(cases)), str(len(failures))) == ("3", "2")
    assert all(case.get("name") and case.get("classname") for case in cases)
    for case, rows in zip(failures, counted(), strict=True):
        [failure] = case.findall("failure")
        assert f"{rows} rows fail" in str(failure.get("message"))
        assert failure.get("type")
    assert "a,b::error::100%\\n::<&\"'>\\x1b" in str(failures[1].get("name"))


def test_a_file_that_differs_from_its_manifest_fails(cli: Cli, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"age": value, "zip": value} for value in ("1", "2") for _ in range(5)]
    write_parquet(tmp_path / "in.parquet", rows)
    assert cli("anonymize", "in.parquet", "--qi", "age", "-o", "out.parquet", "-q").code == 0
    manifest = ("--manifest", "out.parquet.manifest.json")
    assert cli("check", "out.parquet", *manifest).out.splitlines()[-1] == "PASS"
    other = write_parquet(tmp_path / "other.parquet", [{"age": row["age"]} for row in rows])
    finished = cli("check", other.name, *manifest)
    assert (finished.code, finished.out.splitlines()[-1]) == (1, "FAIL (1 of 2)")
    root = ElementTree.fromstring(cli("check", other.name, *manifest, "--format", "junit").out)
    assert root.get("failures") == "1"

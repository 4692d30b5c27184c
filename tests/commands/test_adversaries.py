"""Adversaries on the command line: what a run prints, what it refuses, and a damaged file that the verification detects."""

import json
from collections import Counter
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import duckdb
import pytest

import duckanon
from duckanon.errors import VerificationFailed
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.damage import change_drafts
from tests.support.oracles import models
from tests.support.rows import read_rows, write_parquet

NEIGHBOUR, EMPLOYER = ("age", "sex"), ("age", "job")
KNOWN = ["--adversary", "neighbour=age,sex", "--adversary", "employer=age,job:k=6"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """300 records, with a few that are alone by age and job."""
    rows = [
        {
            "age": 20 + number * 7 % 60,
            "sex": "fm"[number // 7 % 2],
            "job": f"job {number * number % 11}",
            "town": f"town {number % 3}",
            "disease": f"disease {number * 5 % 7}",
            "name": f"person {number}",
        }
        for number in range(300)
    ]
    return write_parquet(tmp_path / "people.parquet", rows)


def _smallest(path: Path, columns: tuple[str, ...]) -> int:
    return min(Counter(tuple(row[name] for name in columns) for row in read_rows(path)).values())


def test_a_run_names_each_adversary_and_check_explain_and_report_tell_of_it(cli: Cli, people: Path, tmp_path: Path) -> None:
    done = cli("anonymize", people, *KNOWN, "--max-suppression", "5%", "-o", "out.parquet", code=0)
    assert "neighbour knows    age, sex" in done.err
    assert "k-anonymity 5 for neighbour  PASS" in done.err
    assert "k-anonymity 6 for employer   PASS" in done.err
    assert _smallest(tmp_path / "out.parquet", NEIGHBOUR) >= 5
    assert _smallest(tmp_path / "out.parquet", EMPLOYER) >= 6
    checked = cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json", "--json", code=0)
    required = {
        (check["adversary"], check["required"], check["passed"]) for check in checked.manifest["privacy"] if "required" in check
    }
    assert required == {("neighbour", 5, True), ("employer", 6, True)}
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert manifest["adversaries"] == {"neighbour": ["age", "sex"], "employer": ["age", "job"]}
    assert cli("report", "out.parquet.manifest.json", "-o", "report.html").code == 0
    page = (tmp_path / "report.html").read_text()
    assert "Every released record shares age, sex with at least 4 others (neighbour)." in page
    applied = cli("apply", "out.parquet.manifest.json", people, "-o", "again.parquet", "--json")
    assert [check["adversary"] for check in applied.manifest["privacy"]] == ["neighbour", "employer"]


def test_explain_names_the_adversary_for_whom_a_record_left(cli: Cli, people: Path) -> None:
    levels = "age=0,sex=0,job=0"
    assert cli("anonymize", people, *KNOWN, "--max-suppression", "100%", "--levels", levels, "-o", "out.parquet").code in (0, 1)
    cli(
        "anonymize --adversary neighbour=age,sex:k=2 --adversary employer=age,job:k=2 --max-suppression 99% -o out.csv",
        people,
        "--levels",
        levels,
        code=0,
    )
    outputs = (cli("explain", "out.csv.manifest.json", "--row", str(row)).out for row in range(1, 30))
    assert any("fewer than 2 rows for employer" in text for text in outputs)


def test_check_finds_what_a_plain_count_finds(cli: Cli, people: Path) -> None:
    done = cli("check", people, *KNOWN, "--json", code=1)
    rows = read_rows(people)
    for name, columns, k in (("neighbour", NEIGHBOUR, 5), ("employer", EMPLOYER, 6)):
        sizes = Counter(tuple(row[column] for column in columns) for row in rows)
        [check] = [check for check in done.manifest["privacy"] if check.get("adversary") == name]
        small = [size for size in sizes.values() if size < k]
        assert (check["achieved"], check["failing_classes"], check["failing_rows"]) == (
            min(sizes.values()),
            len(small),
            sum(small),
        )
        assert done.manifest["adversaries"][name]["count"] == len(sizes)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_check_and_risk_find_the_smallest_sets_that_single_out_records(cli: Cli, people: Path, size: int) -> None:
    names = ("age", "sex", "job", "town")
    done = cli("check", people, "--qi", ",".join(names), "--any", str(size), "--require", "k=3", "--json")
    rows = read_rows(people)
    counts = {
        known: Counter(tuple(row[name] for name in known) for row in rows)
        for up_to in (1, 2, 3)
        for known in combinations(names, up_to)
    }
    judged = {known: sizes for known, sizes in counts.items() if len(known) == size}
    failing = [row for row in rows if any(sizes[tuple(row[name] for name in known)] < 3 for known, sizes in judged.items())]
    [check] = [check for check in done.manifest["privacy"] if "required" in check]
    assert (check["achieved"], check["failing_rows"]) == (min(min(sizes.values()) for sizes in judged.values()), len(failing))
    assert check["passed"] == (not failing)
    singled = cli("risk", people, "--qi", ",".join(names), "--json").manifest["singled_out"]
    smallest: Counter[str] = Counter()
    needed: Counter[str] = Counter()
    for row in rows:
        alone = [known for known, sizes in counts.items() if sizes[tuple(row[name] for name in known)] == 1]
        if alone:
            least = min(map(len, alone))
            smallest[str(least)] += 1
            needed.update({name for known in alone if len(known) == least for name in known})
    assert singled["records"] == dict(smallest)
    assert {name: count for name, count in singled["columns"].items() if count} == dict(needed)


@pytest.mark.parametrize("adversary", ["neighbour", "employer"])
def test_the_verification_finds_a_file_that_an_adversary_could_use(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adversary: str
) -> None:
    """A written record gets a label of its own that only one adversary knows: as if the writer were wrong."""
    column = {"neighbour": "sex", "employer": "job"}[adversary]

    def damaged(draft: Path) -> None:
        with duckdb.connect() as connection:
            connection.execute(f"create table rows as select *, row_number() over () as n from read_parquet('{draft}')")
            connection.execute(
                f"copy (select * exclude (n) replace (case when n = 1 then 'odd' else {column} end as {column}) from rows order by n) to '{draft}' (format parquet)"
            )

    change_drafts(monkeypatch, damaged)
    with pytest.raises(VerificationFailed, match=adversary):
        duckanon.anonymize(people, adversary={"neighbour": "age,sex", "employer": "age,job:k=6"}, max_suppression="5%").write(
            tmp_path / "out.parquet"
        )
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--adversary", "a=age", "--identifying", "age"], "'a' knows 'age', which is identifying"),
        (["--adversary", "a=age,disease", "--sensitive", "disease"], "'a' knows 'disease', which is sensitive"),
        (["--adversary", "a="], "names no columns; write neighbour=age,sex,zip"),
        (["--adversary", "age,sex"], "names no columns"),
        (["--adversary", "a=age,aeg"], "did you mean 'age'?"),
        (["--adversary", "a=age,age"], "names 'age' twice"),
        (["--adversary", "a=age,sex", "--adversary", "b=sex,age"], "'a' and 'b' know the same columns"),
        (["--adversary", "a=age", "--adversary", "a=sex"], "two adversaries are named 'a'"),
        (["--adversary", "a=age:k=2:k=3"], "both k=2 and k=3"),
        (["--adversary", "a=age:k=0"], "k"),
        (["--adversary", "a=age:kk=3"], "unknown model 'kk'"),
        (["--adversary", "a=age", "--qi", "age,sex"], "no adversary knows the quasi-identifier 'sex'"),
        (["--adversary", "a=age:k=3", "--policy", "internal"], "k = 3 of adversary 'a' is weaker"),
        (["--adversary", "a=age", "--require", "average-risk=0.1"], "average-risk"),
        (
            ["--adversary", "a=age", "--entity", "name", "--sensitive", "disease", "--require", "distinct-l=2"],
            "--entity and --adversary",
        ),
        (
            ["--adversary", "a=age", "--set", "suppression.style=star", "--sensitive", "disease", "--require", "distinct-l=2"],
            "suppression.style=star and --adversary",
        ),
        (["--adversary", "a=age", "--microaggregate", "age=mean"], "--microaggregate age"),
        (["--qi", "age,sex", "--any", "3"], "--any 3 needs 3 quasi-identifiers, but there are 2"),
        (["--qi", "age,sex", "--any", "0"], "any"),
        (["--qi", "age,sex", "--any", "1", "--adversary", "a=age,sex"], "cannot be combined with --adversary"),
        (["--qi", "age,sex", "--any", "1", "--entity", "name"], "--entity none counts records"),
        (
            ["--qi", "age,sex", "--any", "1", "--sensitive", "disease", "--require", "distinct-l=2"],
            "cannot be combined with --require distinct-l=2",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(cli: Cli, people: Path, arguments: list[str], message: str) -> None:
    done = cli("anonymize", people, *arguments, code=2)
    assert message in done.err
    assert "Traceback" not in done.err


def test_job_validate_finds_an_adversary_who_knows_a_sensitive_column(cli: Cli, tmp_path: Path) -> None:
    columns = "columns: {age: {role: quasi-identifier}, disease: {role: sensitive}}"
    (tmp_path / "job.yaml").write_text(f"version: 1\n{columns}\nadversaries: {{a: {{columns: [age, disease]}}}}\n")
    done = cli("job", "validate", "job.yaml", code=2)
    assert "'a' knows 'disease', which is sensitive" in done.err + done.out


def test_too_many_sets_of_columns_are_refused_with_their_number(cli: Cli, tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(33)]
    source = write_parquet(tmp_path / "wide.parquet", [dict.fromkeys(names, number % 2) for number in range(20)])
    done = cli("anonymize", source, "--qi", ",".join(names), "--any", "3", code=2)
    assert "5,456 sets of columns" in done.err
    assert "--any 2 has 528" in done.err


def test_an_adversary_knows_what_its_columns_determine(cli: Cli, tmp_path: Path) -> None:
    """Who knows the town knows the county; by chance, nothing is determined."""
    rows = [
        {"age": number * 7 % 10, "town": f"town {number * 5 % 12}", "county": f"county {number * 5 % 12 % 3}"}
        for number in range(240)
    ]
    source = write_parquet(tmp_path / "towns.parquet", rows)
    done = cli("anonymize", source, "--adversary", "a=age,town", "--adversary", "b=age,county", "-o", "out.parquet", code=0)
    assert "county from town" in done.err
    assert "a knows            age, town, county" in done.err
    assert _smallest(tmp_path / "out.parquet", ("age", "town", "county")) >= 5


def test_local_recoding_refuses_a_lattice_that_it_cannot_pass_through(cli: Cli, tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(22)]
    source = write_parquet(tmp_path / "wide.parquet", [dict.fromkeys(names, number % 2) for number in range(20)])
    done = cli("anonymize", source, "--qi", ",".join(names), "--algorithm", "local", code=2)
    assert "4,194,304 nodes of the lattice" in done.err


def test_a_release_for_adversaries_is_not_exported_as_sql(cli: Cli, people: Path) -> None:
    assert cli("anonymize", people, *KNOWN, "-o", "out.parquet").code == 0
    assert "several adversaries" in cli("sql", "release", "out.parquet.manifest.json", code=2).err


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "missing"), levels.spread(["optimal", "local", "mondrian"], [0, 7]))
def test_the_ordered_distance_holds_for_an_adversary(cli: Cli, tmp_path: Path, algorithm: str, missing: int) -> None:
    rows = [
        {
            "age": 20 + number * 7 % 60,
            "zip": str(10000 + number * number % 40 * 100),
            "sex": "fm"[number // 7 % 2],
            "salary": None if missing and number % missing == 0 else number * 11 % 17 * 1000,
        }
        for number in range(300)
    ]
    write_parquet(tmp_path / "salaries.parquet", rows)
    known = ["--adversary", "a=age,zip,sex", "--require", "t-ordered=0.4", "--sensitive", "salary", "--entity", "none"]
    cli("anonymize", "salaries.parquet", "--qi", "age,zip,sex", *known, "--algorithm", algorithm, "-o", "out.parquet", code=0)
    released = read_rows(tmp_path / "out.parquet")
    whole = models.Whole(Counter(row["salary"] for row in rows))
    groups = models.groups(((row["age"], row["zip"], row["sex"]), row["salary"]) for row in released)
    assert all(models.holds("t-ordered", [Decimal("0.4")], group, whole) for group in groups.values())

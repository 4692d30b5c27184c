"""`duckanon check` for CI: its verdict, GitHub workflow commands, SARIF and JUnit XML, read back with other parsers."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.support.command_line import Cli, Finished
from tests.support.rows import write_parquet

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

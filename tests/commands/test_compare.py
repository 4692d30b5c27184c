"""`duckanon compare`: one count for all cases, the frontier, and a self-contained page."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from duckanon.errors import JobError
from duckanon.job.options import Options
from duckanon.reports.html.pages import comparison_page
from duckanon.workflows.compare import compare
from tests.support.command_line import Cli
from tests.support.published import KS, LIMITS
from tests.support.rows import write_parquet
from tests.support.runs import anonymize


@pytest.fixture(scope="module")
def compared(adult: Path) -> dict[str, Any]:
    options = Options(missing=["?"], set={"missing.policy": "drop"}, qi=["age", "sex", "race", "marital-status"])
    return compare(adult, algorithms=["samarati", "optimal", "greedy"], ks=KS, limits=LIMITS, options=options)


def test_a_case_is_what_a_run_of_its_own_gives(adult: Path, compared: dict[str, Any]) -> None:
    [run] = [run for run in compared["runs"] if (run["algorithm"], run["k"], run["limit"]) == ("greedy", 20, "100")]
    options = Options(
        missing=["?"],
        set={"missing.policy": "drop"},
        qi=["age", "sex", "race", "marital-status"],
        algorithm="greedy",
        k=20,
        max_suppression=100,
    )
    manifest = anonymize(adult, options=options, dry_run=True)
    assert run["levels"] == manifest["recoding"]["levels"]
    assert run["visited"] == manifest["recoding"]["visited"]
    assert {name: run[name] for name in manifest["metrics"]} == manifest["metrics"]


def test_names_with_blanks_leave_the_levels_whole(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"length of stay": row % 40, "born in": row % 7} for row in range(400)])
    run = cli("compare", "in.parquet", "--qi", "length of stay,born in", "--k", "5,20", "--format", "table", code=0)
    head, *lines = run.out.splitlines()
    place = re.split(r"\s{2,}", head).index("levels")
    levels = [re.split(r"\s{2,}", line)[place] for line in lines]
    assert len(levels) == 2
    assert all(re.fullmatch(r"\d+ \d+", level) for level in levels)


def test_the_front_holds_what_nothing_beats(compared: dict[str, Any]) -> None:
    points = {(run["loss"], run["risk"]) for run in compared["runs"]}
    front = {point for point in points if not any(o != point and o[0] <= point[0] and o[1] <= point[1] for o in points)}
    assert {(run["loss"], run["risk"]) for run in compared["runs"] if run["on_front"]} == front


class Outside(HTMLParser):
    """Whatever a page would ask the network for."""

    def __init__(self) -> None:
        super().__init__()
        self.loading: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag in ("link", "iframe", "img", "object"):
            self.loading.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and value and not value.startswith("#"):
                self.loading.append(f"{tag} {name}={value}")


def test_the_page_needs_no_network(compared: dict[str, Any]) -> None:
    html = comparison_page(compared)
    parser = Outside()
    parser.feed(html)
    assert parser.loading == []
    assert parser.tags.count("figure") == 2 * len(LIMITS) + 1
    shown = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
    assert not re.search(r"url\((?!#)", shown)
    assert shown.partition('id="results"')[2].count("<tr") == 2 * len(compared["runs"]) + 2
    assert comparison_page(compared) == html


def test_names_of_columns_are_text_on_the_page(compared: dict[str, Any]) -> None:
    hostile = "<script>alert(1)</script>"
    changed = json.loads(json.dumps(compared).replace("marital-status", hostile))
    html = comparison_page(changed)
    assert hostile not in html
    assert "&lt;script&gt;" in html


def test_the_command_prints_a_table_csv_or_json_and_writes_the_report(tmp_path: Path, cli: Cli) -> None:
    cli("demo", "--rows", "500", "-o", "demo.parquet")
    arguments = ["compare", "demo.parquet", "--qi age,sex --hierarchies adult/five-year --k 2,400 --max-suppression 0"]
    assert len(cli(*arguments, "--algorithms", "optimal,greedy", "--report", "out.html", code=0).out.splitlines()) == 5
    assert (tmp_path / "out.html").read_text().startswith("<!doctype html>")
    assert "exists" in cli(*arguments, "--report", "out.html", code=3).err
    [row, _] = csv.DictReader(io.StringIO(cli(*arguments, "--format", "csv").out))
    document = json.loads(cli(*arguments, "--json").out)
    assert float(row["loss"]) == document["runs"][0]["loss"]
    assert document["runs"][1]["k"] == 400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--algorithms", "optimall"], "did you mean 'optimal'?"),
        (["--k", "two"], "is not a whole number"),
        (["--k", "0"], "below 1"),
        (["--k", "2,2"], "twice"),
        (["--max-suppression", "200%"], "outside 0% to 100%"),
        (["--report", "nowhere/out.html"], "does not exist"),
    ],
)
def test_a_wrong_case_is_refused_before_anything_is_counted(cli: Cli, arguments: list[str], message: str) -> None:
    cli("demo", "--rows", "50", "-o", "demo.parquet")
    done = cli("compare", "demo.parquet", "--qi", "age,sex", "--hierarchies", "adult/five-year", *arguments)
    assert done.code in (2, 3)
    assert message in done.err
    assert done.out == ""


def test_a_column_that_auto_drops_is_lost(tmp_path: Path, cli: Cli) -> None:
    """With k = 10, `optimal` releases `town` as `*`, and `auto` drops it: both lose one of three columns."""
    write_parquet(tmp_path / "in.parquet", [{"a": "xy"[n % 2], "town": f"t{n // 3:02d}", "c": "pqr"[n % 3]} for n in range(90)])
    arguments = ("compare", "in.parquet", "--algorithms", "auto,optimal", "--k", "5,10")
    done = cli(*arguments, "--format", "csv", "--report", "x.html", code=0)
    of = {(row["algorithm"], row["k"]): row for row in csv.DictReader(io.StringIO(done.out))}
    assert set(of["auto", "10"]["levels"].split()) == {"a=0", "c=0"}
    for row in (of["auto", "10"], of["optimal", "10"]):
        figures = [float(row[key]) for key in ("loss", "precision", "loss of a", "loss of town", "loss of c")]
        assert figures == pytest.approx([1 / 3, 2 / 3, 0, 1, 0])
        assert None not in row
    assert (tmp_path / "x.html").exists()


def test_infeasible_cases_are_reported_beside_the_others(tmp_path: Path, cli: Cli) -> None:
    cli("demo", "--rows", "50", "-o", "demo.parquet")
    done = cli("compare", "demo.parquet", "--qi", "age,sex", "--hierarchies", "adult/five-year", "--k", "2,51", "--json")
    statuses = [run["status"] for run in json.loads(done.out)["runs"]]
    assert statuses == ["found", "infeasible"]
    assert done.code == 0
    cli("compare demo.parquet --qi age,sex --hierarchies adult/five-year --k 51 --report r.html", code=1)
    assert "so there is no chart" in (tmp_path / "r.html").read_text()


def test_no_input_is_no_comparison() -> None:
    with pytest.raises(JobError, match="no input"):
        compare()


def test_a_target_says_what_a_study_would_find_in_each_case(tmp_path: Path, cli: Cli) -> None:
    rows = [{"age": 20 + row % 40, "sex": "mf"[row % 3 == 0], "dead": int(row % 40 > 25 or row % 7 == 0)} for row in range(800)]
    write_parquet(tmp_path / "in.parquet", rows)
    common = ["in.parquet", "--qi", "age,sex", "--sensitive", "dead", "--target", "dead", "--max-suppression", "0"]
    more = ["--k", "2,900", "--algorithms", "optimal,mondrian,local", "--report", "out.html", "--json"]
    runs = json.loads(cli("compare", *common, *more).out)["runs"]
    figures_of = {
        (run["algorithm"], run["k"]): (run["coefficients"], run["signs_kept"], run["largest_difference"]) for run in runs
    }
    assert figures_of["optimal", 2] == (2, 2, 0)
    assert {figures for (_, k), figures in figures_of.items() if k == 900} == {(None, None, None)}
    assert "2 of 2" in (tmp_path / "out.html").read_text()

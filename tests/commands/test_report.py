"""Reports of real runs: opened in a browser, made again, refused if something changed, and safe to publish."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.engine.protocol import Settings
from duckanon.errors import InputError, JobError, OutputError
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.lattice import Lattice
from duckanon.metrics.objective import Discernibility
from duckanon.observers import Silent
from duckanon.reports import pictures
from duckanon.reports.publication import published
from duckanon.search.trace import Visit
from duckanon.workflows.replay import reopen
from duckanon.workflows.report import accounted, report
from tests.support.associations import association
from tests.support.command_line import Cli
from tests.support.reported import hostile_release, run_small, without_searches
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize


class Text(HTMLParser):
    """What a reader sees of a page, without its scripts and styles; and the data of its charts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.data: list[Any] = []
        self._inside: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self._inside.append((tag, dict(attrs).get("type")))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.seen.append(data)
        elif self._inside[-1] == ("script", "application/json"):
            self.data.append(json.loads(data))

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.seen).split())


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports without further searches, except beside those that are made once for several tests, with all of them."""
    if "made" not in request.fixturenames:
        without_searches(monkeypatch)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release of hostile columns and values, and both of its reports."""
    return hostile_release(tmp_path_factory.mktemp("reported"))


@pytest.mark.slow
def test_a_report_drawn_again_is_the_same(made: Path) -> None:
    actual = report(made / "out.parquet.manifest.json", made / "again.html", public=made / "again-public.html")
    assert actual == [made / "again.html", made / "again-public.html"]
    for first, other in (("internal", "again"), ("public", "again-public")):
        assert (made / f"{first}.html").read_text(encoding="utf-8") == (made / f"{other}.html").read_text(encoding="utf-8")


def leaves(document: Any) -> Iterator[Any]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield from leaves(value)
            yield key
    elif isinstance(document, list | tuple):
        for value in document:
            yield from leaves(value)
    else:
        yield document


@pytest.mark.slow
def test_the_public_report_holds_no_value_of_the_input(tmp_path: Path) -> None:
    """Every value is planted: nothing but the input says it. The suppressed rows have the extremes."""
    planted = [f"zzvalue{number}q" for number in range(5)]
    ages = [700_001 + number % 3 for number in range(80)]
    rows = [{"age": age, "town": planted[number % 3], "s": f"zzsecret{number % 4}q"} for number, age in enumerate(ages)]
    rows += [{"age": 111_113, "town": planted[3], "s": "zzsecret8q"}, {"age": 999_983, "town": planted[4], "s": "zzsecret9q"}]
    source = write_parquet(tmp_path / "rows.parquet", rows)
    values = {str(value) for row in rows for value in row.values()}
    for number, recoding in enumerate([{}, {"algorithm": "local"}, {"algorithm": "mondrian"}]):
        job = {
            "columns": {
                "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10, 100]}},
                "town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
                "s": {"role": "sensitive"},
            },
            "privacy": [{"model": "k-anonymity", "k": 6}],
            "suppression": {"limit": "10%"},
            "recoding": recoding,
        }
        run = Run(public_report=tmp_path / f"public_{number}.html", report=tmp_path / f"internal_{number}.html")
        result = anonymize(source, tmp_path / f"out_{number}.parquet", job=job, run=run)
        seen = Text((tmp_path / f"public_{number}.html").read_text(encoding="utf-8"))
        for value in values:
            assert value not in seen.text
            assert value not in json.dumps(seen.data)
            assert f"{int(value):,}" not in seen.text if value.isdecimal() else True
        assert planted[0] in Text((tmp_path / f"internal_{number}.html").read_text(encoding="utf-8")).text
        check_counts(tmp_path / f"out_{number}.parquet.manifest.json", result, seen)


def check_counts(manifest: Path, document: dict[str, Any], seen: Text) -> None:
    """No count below k, and nothing that shows how many rows were suppressed."""
    account = published(accounted(reopen(manifest, None, Run()), Run(), Silent()))
    assert account["manifest"]["rows"] == {"released": document["rows"]["released"]}
    counts = [size[key] for size in account["risk"]["after"]["sizes"] for key in ("classes", "rows")]
    assert all(count is None or count >= 6 for count in [*counts, account["verification"]["rows"]])
    for part in ("lattice", "partitions", "hierarchies", "comparison", "job", "command"):
        assert account[part] is None
    assert account["risk"]["before"] is None
    assert "fewer than 6" in seen.text or None not in counts
    assert str(document["input"]["fingerprint"]) not in seen.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "way",
    [
        {"recoding": {"levels": {"a": 0, "b": 0}}},
        {"recoding": {"algorithm": "local"}},
        {"recoding": {"levels": {"a": 0, "b": 0}}, "missing": {"policy": "drop"}},
    ],
)
def test_the_public_report_is_the_same_whatever_was_suppressed(tmp_path: Path, way: dict[str, Any]) -> None:
    """Inputs that differ in rows which are not released: a reader of the report must not see how many, or which."""
    accounts = []
    for number, lost in enumerate([[("9", "y")], [("6", "x")] * 3 + [("9", "y")] * 4]):
        kept = [(str(number % 5), "xy"[number % 2]) for number in range(100)]
        rows: list[dict[str, Any]] = [
            {"a": a, "b": b, "s": f"s{(place + len(lost)) % 3}" if place >= 100 else f"s{place % 3}"}
            for place, (a, b) in enumerate(kept + lost)
        ]
        if "missing" in way:
            rows += [{"a": None, "b": "x", "s": "s0"}] * number
        source = write_parquet(tmp_path / "rows.parquet", rows)
        tree = write_table(tmp_path / "a.csv", [(str(value), "even" if value % 2 == 0 else "odd", "*") for value in range(10)])
        job = {
            "columns": {
                "a": {"role": "quasi-identifier", "hierarchy": str(tree)},
                "b": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
                "s": {"role": "sensitive"},
            },
            "privacy": [
                {"model": "k-anonymity", "k": 8},
                {"model": "t-closeness", "distance": "equal", "t": 0.9, "column": "s"},
            ],
            "suppression": {"limit": "10%"},
            **way,
        }
        result = anonymize(source, tmp_path / "out.parquet", job=job, overwrite=True)
        assert (result["rows"]["released"], result["rows"]["suppressed"]) == (100, len(lost))
        account = published(accounted(reopen(tmp_path / "out.parquet.manifest.json", None, Run()), Run(), Silent()))
        account["manifest"].pop("output")
        accounts.append(json.dumps(account, sort_keys=True, default=str))
    assert len(set(accounts)) == 1


@pytest.mark.slow
def test_the_public_report_says_what_it_leaves_out(tmp_path: Path) -> None:
    """A run that warned, and associations of the input, are not told: the page says that they are left out, and not that there were none."""
    rows = [{"a": str(number % 4), "b": str(number % 2), "s": f"s{number % 3}"} for number in range(60)]
    columns = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in "ab"}
    run = Run(public_report=tmp_path / "public.html", report=tmp_path / "internal.html")
    source = write_parquet(tmp_path / "rows.parquet", rows)
    result = anonymize(source, tmp_path / "out.parquet", job={"columns": {**columns, "s": {"role": "sensitive"}}}, run=run)
    assert result["warnings"]
    public = (tmp_path / "public.html").read_text(encoding="utf-8")
    internal = (tmp_path / "internal.html").read_text(encoding="utf-8")
    assert ">Met, with warnings<" in public
    assert ">Met, with warnings<" in internal
    assert all(warning not in unescape(public) for warning in result["warnings"])
    warnings = public.partition("<h3>Warnings</h3>")[2].partition("</section>")[0].partition("<h3>")[0]
    assert "Left out of the variant for publication." in warnings
    assert "The run gave none." not in public
    associations = public.partition("<h3>Associations")[2].partition("<h3>")[0]
    assert "fewer than" not in associations
    assert "<th" in associations
    assert "before" not in associations
    assert "before" in internal.partition("<h3>Associations")[2].partition("<h3>")[0]


def test_every_node_of_a_small_lattice_is_drawn_and_the_heights_count_it() -> None:
    small = Lattice((0, 1), (2, 3))
    visits = [Visit((1, 2), 3, 2, 0, 0.5, 0.4, True, True)]
    picture = pictures.lattice_picture(["a", "b"], small, Discernibility(10), visits)
    assert (picture["drawn"], len(picture["nodes"])) == ("all", 9)
    assert picture["heights"] == [
        {"height": height, "satisfies": int(height == 3), "fails": 0, "not_decided": nodes - (height == 3)}
        for height, nodes in zip(range(1, 6), (1, 2, 3, 2, 1), strict=True)
    ]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    write_parquet(tmp_path / "rows.parquet", [{"a": number % 3} for number in range(30)])
    return tmp_path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.parquet", "is a file of the release"),
        ("out.parquet.manifest.json", "is a file of the release"),
        ("out.parquet.recoding", "is a file of the release"),
        ("out.parquet.recoding/x.html", "is a file of the release"),
        ("sub/../out.parquet", "is a file of the release"),
        ("link/out.parquet.manifest.json", "is a file of the release"),
        ("work.duckdb", "is a file of the release"),
        ("pipe", "is not a regular file"),
        ("rows.parquet", "is the input itself"),
        ("none/x.html", "does not exist"),
        ("taken.html", "exists; give --overwrite"),
    ],
)
def test_a_report_takes_no_other_files_place(small: Path, name: str, message: str) -> None:
    (small / "taken.html").write_text("mine")
    (small / "sub").mkdir()
    (small / "link").symlink_to(small)
    os.mkfifo(small / "pipe")
    with pytest.raises(OutputError, match=message):
        run_small(small, report=small / name, settings=Settings(workspace=small / "work.duckdb"))
    assert not (small / "out.parquet").exists()
    assert (small / "taken.html").read_text() == "mine"


def test_two_reports_are_two_files_of_a_release(small: Path) -> None:
    with pytest.raises(OutputError, match="two documents"):
        run_small(small, report=small / "x.html", public_report=small / "x.html")
    with pytest.raises(OutputError, match="two documents"):
        run_small(small, report=small / "x.html", public_report=small / "sub/../x.html")
    with pytest.raises(JobError, match="a report cannot be written to standard output"):
        run_small(small, report=Path("-"))
    with pytest.raises(JobError, match="--dry-run"):
        run_small(small, report=small / "x.html", dry_run=True)
    assert sorted(path.name for path in small.iterdir()) == ["rows.parquet"]


def test_what_changed_since_is_not_reported(small: Path) -> None:
    run_small(small)
    manifest = small / "out.parquet.manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('"achieved": 10', '"achieved": 12'), encoding="utf-8")
    with pytest.raises(JobError, match="changed after it was written"):
        report(manifest)
    manifest.write_text(text, encoding="utf-8")
    release = small / "out.parquet"
    written = release.read_bytes()
    release.write_bytes(written[:-1] + b"x")
    with pytest.raises(InputError, match="SHA-256"):
        report(manifest)
    release.write_bytes(written)
    assert report(manifest) == [small / "out.parquet.report.html"]
    with pytest.raises(OutputError, match="exists"):
        report(manifest)


def test_an_infeasible_run_leaves_no_report(small: Path, cli: Cli) -> None:
    flat = small.parent / "flat.yaml"
    flat.write_text("kind: flat\n")
    arguments = ("--qi", "a", "--hierarchies", f"a={flat}", "--k", "31", "--report", "x.html")
    assert cli("anonymize", "rows.parquet", "-o", "out.parquet", *arguments, cwd=small).code == 1
    assert sorted(path.name for path in small.iterdir()) == ["rows.parquet"]


@pytest.mark.parametrize("fault", [InputError("a value cannot be read"), KeyError("a value of a record")])
def test_a_release_outlives_the_failure_of_its_report(
    small: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    arguments = ("--qi", "a", "--report", "x.html", "--public-report", "y.html")
    with monkeypatch.context() as patched:
        patched.setattr("duckanon.reports.html.pages.report_page", lambda _: (_ for _ in ()).throw(fault))
        run = cli("anonymize", "rows.parquet", "-o", "out.parquet", *arguments, cwd=small)
    reason = "KeyError" if isinstance(fault, KeyError) else "a value cannot be read"
    again = "duckanon report out.parquet.manifest.json --report x.html --public-report y.html"
    message = f"'out.parquet' is verified and written, but its report could not be made ({reason}); make it with: {again}"
    assert (run.code, message in run.err) == (3, True), run.err
    assert not (small / "x.html").exists()
    assert cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json", cwd=small).code == 0
    assert cli(*again.split()[1:], cwd=small).code == 0
    assert (small / "x.html").exists()
    assert (small / "y.html").exists()


def test_figures_of_the_input_name_the_levels_at_which_they_are_measured(tmp_path: Path, cli: Cli) -> None:
    """40 ages are unique, and their 8 groups of five are not."""
    write_parquet(tmp_path / "rows.parquet", [{"the age": age} for age in range(40)])
    (tmp_path / "job.yaml").write_text(
        "version: 1\ncolumns:\n  the age: {role: quasi-identifier, hierarchy: {kind: intervals, widths: [5, 10]}, min-level: 1}\n"
    )
    run = cli("anonymize", "rows.parquet", "--job", "job.yaml", "-o", "out.parquet", "--report", "x.html", code=0)
    assert re.search(r"before \(the age at level 1\) +after\n +highest re-identification risk +20% +20%\n", run.err)
    seen = Text((tmp_path / "x.html").read_text(encoding="utf-8")).text
    assert seen.count("Before (the age at level 1) After") == 2
    assert "an adversary who knows less (the age at level 1): it is measured" in seen
    document = accounted(reopen(tmp_path / "out.parquet.manifest.json", None, Run()), Run(), Silent())
    [age] = document["columns"]
    assert (age["distinct"], age["distinction"], age["separation"]) == (40, 1, 1)


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    """Each of the eight values of three columns in three rows, so that each value of two columns is in six."""
    triples = [dict(zip("abc", values, strict=True)) for values in product("xy", repeat=3) for _ in range(3)]
    return write_parquet(tmp_path / "rows.parquet", triples)


@pytest.mark.parametrize(
    ("known", "guarantee", "adversary", "uniques"),
    [
        (
            ("--any", "2"),
            "shares the values of any 2 quasi-identifiers with at least 4 others. ",
            "knows any 2 of the quasi-identifiers of a person exactly, and no other released column. The quasi-identifiers are a, b, c",
            "unique on any 2 quasi-identifiers",
        ),
        (
            ("--adversary", "near=a,b", "--adversary", "far=b,c"),
            "shares a, b with at least 4 others (near). Every released record shares b, c with at least 4 others (far). ",
            "near knows a, b ; far knows b, c",
            "sample uniques by far",
        ),
    ],
)
def test_a_report_names_what_the_adversaries_of_the_job_know(
    triples: Path, cli: Cli, known: tuple[str, ...], guarantee: str, adversary: str, uniques: str
) -> None:
    """The risk is 1/6 against these adversaries, and 1/3 against one who knows all three columns."""
    folder = triples.parent
    arguments = ("--qi", "a,b,c", "--k", "5", *known, "--report", "x.html", "--public-report", "y.html")
    assert cli("anonymize", triples, "-o", "out.parquet", *arguments, cwd=folder).code == 0
    internal, public = (Text((folder / name).read_text(encoding="utf-8")).text for name in ("x.html", "y.html"))
    assert f"{uniques} 0 0" in internal
    assert f"{uniques} 0 unique" in public
    for seen, risk in ((internal, "16.7% after, 16.7% before, for"), (public, "16.7% after, for")):
        assert f"Highest re-identification risk {risk}" in seen
        assert f"Every released record {guarantee}" in seen
        assert adversary in seen
        assert "An adversary who knows all quasi-identifiers. The job does not protect against this adversary." in seen
        assert "Singling out Prevented for the adversaries of the job." in seen
        assert "a link is correct with a probability of at most 1 / k" in seen


def test_a_report_names_the_releases_with_which_it_was_compared(small: Path, cli: Cli) -> None:
    for name in ("first", "second"):
        output = ("-o", f"{name}.parquet", "--report", f"{name}.html")
        cli("anonymize rows.parquet --qi a --entity none --register releases.duckdb", *output, cwd=small, code=0)
    first, second = (Text((small / f"{name}.html").read_text(encoding="utf-8")).text for name in ("first", "second"))
    assert "This release was compared with" not in first
    assert "This release was compared with 1 registered release: " in second


def test_with_a_population_the_risk_is_the_journalists(tmp_path: Path, cli: Cli) -> None:
    """Classes of two in the sample, and of five in the population."""
    write_parquet(tmp_path / "rows.parquet", [{"a": "x"}, {"a": "y"}] * 2)
    write_parquet(tmp_path / "people.parquet", [{"a": "x"}, {"a": "y"}] * 5)
    arguments = ("--qi", "a", "--k", "2", "--population", "people.parquet", "--require", "k-map=5", "--report", "x.html")
    run = cli("anonymize", "rows.parquet", "-o", "out.parquet", *arguments, code=0)
    assert re.search(r"\n +highest re-identification risk \(journalist\) +20% +20%\n", run.err)
    seen = Text((tmp_path / "x.html").read_text(encoding="utf-8")).text
    assert "Highest re-identification risk (journalist) 20.0% after, 20.0% before" in seen


def test_null_is_a_value_of_a_number_too(tmp_path: Path) -> None:
    rows = [{"a": None if number % 2 else 1.5} for number in range(30)]
    write_parquet(tmp_path / "rows.parquet", rows)
    run_small(tmp_path, report=tmp_path / "x.html")
    assert "NULL" in Text((tmp_path / "x.html").read_text(encoding="utf-8")).text


def test_an_input_whose_rows_changed_places_is_another_one(tmp_path: Path) -> None:
    """Its classes are as many and as large, but not those of the release."""
    write_parquet(tmp_path / "rows.parquet", [{"a": number % 3} for number in range(29)])
    run_small(tmp_path)
    write_parquet(tmp_path / "rows.parquet", [{"a": (number + 1) % 3} for number in range(29)])
    with pytest.raises(InputError, match="its rows or their classes differ"):
        report(tmp_path / "out.parquet.manifest.json")


def test_options_reach_the_report(small: Path) -> None:
    result = anonymize(
        small / "rows.parquet",
        small / "out.parquet",
        job={"columns": {"a": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}},
        policy="research",
        set={"population-size": 3_000},
        report=small / "x.html",
    )
    seen = Text((small / "x.html").read_text(encoding="utf-8")).text
    assert "research: a convention, not HIPAA Safe Harbor" in seen
    assert result["risk"]["population"]["population"] == 3_000
    assert "zayatz" in seen


def test_the_policy_of_an_organization_is_named_without_a_remark_about_presets(small: Path) -> None:
    (small / "ours.yaml").write_text("name: ours\nk: 5\n", encoding="utf-8")
    job = {"columns": {"a": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}}
    options = Options(policy=str(small / "ours.yaml"))
    anonymize(small / "rows.parquet", small / "out.parquet", job=job, options=options, report=small / "x.html")
    seen = Text((small / "x.html").read_text(encoding="utf-8")).text
    assert "Policy ours" in seen
    assert "convention" not in seen


def test_the_report_of_what_came_in_on_standard_input_asks_for_the_file(small: Path, cli: Cli) -> None:
    (small / "rows.csv").write_text("age\n" + "31\n32\n" * 10, encoding="utf-8")
    rows = (small / "rows.csv").read_bytes()
    cli("anonymize", "-", "-o", "piped.parquet", "--qi", "age", "-q", cwd=small, stdin=rows, code=0)
    run = cli("report", "piped.parquet.manifest.json", cwd=small)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert "name its file with --input" in run.err
    assert cli("report", "piped.parquet.manifest.json", "--input", "rows.csv", cwd=small).code == 0


@pytest.mark.slow
def test_a_report_shows_what_is_hidden_as_hidden_and_corrects_associations(tmp_path: Path) -> None:
    """`zip` has another value in nearly each row and is hidden, so nothing of it is drawn as known; neither does it go with `town`."""
    rng = Random(7)
    rows = [
        {
            "zip": str(10_000 + number * 9 // 10),
            "town": f"t{rng.randrange(190)}",
            "sex": "fm"[number % 2],
            "disease": "abc"[number % 3],
        }
        for number in range(200)
    ]
    write_parquet(tmp_path / "rows.parquet", rows)
    flat = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
    job: dict[str, Any] = {
        "columns": {"zip": flat, "town": flat, "sex": flat, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 11}],
    }
    anonymize(tmp_path / "rows.parquet", tmp_path / "out.parquet", job=job, report=tmp_path / "x.html")
    useful = accounted(reopen(tmp_path / "out.parquet.manifest.json", None, Run()), Run(), Silent())["utility"]
    drawn = {each["column"]: each for each in useful["distributions"]}
    assert drawn["zip"]["bars"][-1] == {"label": "hidden (*)", "before": 0, "after": 200.0}
    assert all(bar["after"] == 0 for bar in drawn["zip"]["bars"][:-1])
    assert drawn["zip"]["distance"] == 1
    assert {bar["label"]: (bar["before"], bar["after"]) for bar in drawn["disease"]["bars"]} == {
        value: (pytest.approx(count), pytest.approx(count)) for value, count in Counter(row["disease"] for row in rows).items()
    }
    pairs = {(each["first"], each["second"]): each["before"] for each in useful["associations"]}
    for first, second in (("zip", "town"), ("zip", "sex"), ("town", "sex")):
        assert pairs[first, second] == pytest.approx(
            association([row[first] for row in rows], [row[second] for row in rows]), abs=1e-9
        )
    assert pairs["zip", "town"] < 0.5
    seen = Text((tmp_path / "x.html").read_text(encoding="utf-8")).text
    assert "Singling out Prevented by the quasi-identifiers" in seen
    assert "the line is what the required k allows, 9.1%" in seen
    assert "records above 9.1%" in seen
    assert "given by the user" not in seen
    again = job | {
        "privacy": [{"model": "k-anonymity", "k": 40}],
        "columns": {**job["columns"], "sex": {"role": "identifying"}},
    }
    anonymize(tmp_path / "rows.parquet", tmp_path / "second.parquet", job=again, report=tmp_path / "y.html")
    second = Text((tmp_path / "y.html").read_text(encoding="utf-8")).text
    assert "an earlier release of the same input" in second
    assert "A warning on the first page names releases of the same input with another recoding." in second
    assert "This release was not compared with others" not in second

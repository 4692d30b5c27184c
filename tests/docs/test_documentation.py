"""The documentation: it builds, covers everything that the code declares, and has no dead link."""

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import duckdb
import pytest
from typer.testing import CliRunner

import duckanon
from docs import generate, job_page
from docs.markdown import anchor, prose
from duckanon import choices, errors
from duckanon.cli.app import app
from duckanon.errors import DuckanonError, ExitCode
from duckanon.hierarchy import sets
from duckanon.hierarchy.spec import MODELS as KINDS
from duckanon.job import file as job_file
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.delta_presence import DeltaPresence
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.k_map import KMap
from duckanon.privacy.models.risk import AverageRisk, HighestRisk
from duckanon.privacy.registry import MODELS, every_model_of, name_of
from duckanon.reports import utility
from duckanon.workflows.demo import demo
from tests.support.pages import DOCS, PAGES
from tests.support.paths import ROOT

MADE_ANEW = "run `make reference`, and read the diff before you commit it"

_BLOCK = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FETCHED = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=[\"']?((?:https?:)?//[^\"'\s>]+)")
_FETCHED_BY_STYLE = re.compile(r"(?:url\(|@import\s)[\"'\s]*((?:https?:)?//[^\"')\s]+)")


MODELS_OF_REQUIRE: tuple[PrivacyModel, ...] = (
    KAnonymity(k=1),
    *every_model_of("", has_hierarchy=True),
    KMap(k=1),
    DeltaPresence(low=Decimal(0), high=Decimal(1)),
    AverageRisk(risk=Decimal(1)),
    HighestRisk(risk=Decimal(1)),
)
"""A model for every name of `--require`."""


def read(page: str | Path) -> str:
    """A page of the documentation."""
    return (DOCS / page).read_text(encoding="utf-8")


def sections(text: str) -> dict[str, str]:
    """What stands under each heading, up to the next one of any depth."""
    parts = re.split(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> dict[str, list[str]]:
    """The rows of all tables of a text by their first cell."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]
    return {first.strip(): [cell.strip() for cell in cells] for first, *cells in lines}


def missing(names: Any, text: str) -> list[str]:
    """The names that a text does not hold as code."""
    return [name for name in names if f"`{name}`" not in text]


# the site


def test_the_site_builds_without_a_warning_and_fetches_nothing(tmp_path: Path) -> None:
    """A dead link or anchor and a page that no table of contents holds are warnings. One test, since a build takes seconds."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs", "-d", str(tmp_path / "doctrees")]
    built = subprocess.run(
        [*command, ".", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    site = tmp_path / "site"
    assert "docs/index.html" in (site / "index.html").read_text(encoding="utf-8")
    for page in PAGES:
        assert (site / page.relative_to(ROOT)).with_suffix(".html").is_file(), f"{page} is no page of the site"
    fetched = {
        url
        for pattern, ending in ((_FETCHED, "*.html"), (_FETCHED_BY_STYLE, "*.css"), (_FETCHED_BY_STYLE, "*.html"))
        for file in site.rglob(ending)
        for url in pattern.findall(file.read_text(encoding="utf-8"))
    }
    assert fetched == set()


def test_every_page_has_its_place_in_the_index() -> None:
    text = read("index.md")
    pages = [path for path in DOCS.rglob("*") if path.suffix in (".md", ".ipynb") and path.name != "index.md"]
    places = [path.relative_to(DOCS).as_posix() for path in pages]
    assert [place for place in places if f"({place})" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    """On a forge as well, where a link is a path from the page."""
    assert list(dead_links(page)) == []


def dead_links(page: Path) -> Iterator[str]:
    """Links of a page to a file or a heading that does not exist."""
    for link in _LINK.findall(_COMMENT.sub("", _BLOCK.sub("", page.read_text(encoding="utf-8")))):
        if re.match(r"https?://", link):
            continue
        place, _, heading = link.partition("#")
        target = page.parent / place if place else page
        if not target.exists():
            yield link
        elif heading:
            text = _BLOCK.sub("", target.read_text(encoding="utf-8"))
            if heading not in {anchor(title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}:
                yield link


def test_the_drawing_can_be_read_by_those_who_do_not_see_it() -> None:
    drawing = ElementTree.parse(DOCS / "explanation" / "flow.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert drawing.get("role") == "img"
    named = (drawing.get("aria-labelledby") or "").split()
    assert named == [drawing.find(f"{space}{part}").get("id") for part in ("title", "desc")]  # type: ignore[union-attr]
    assert all((drawing.findtext(f"{space}{part}") or "").strip() for part in ("title", "desc"))
    [described] = re.findall(r"!\[([^]]+)\]\(flow\.svg\)", read("explanation/how-it-works.md"))
    assert len(described.split()) > 10


# what is generated


@pytest.mark.parametrize("path", generate.FILES, ids=lambda path: path.name)
def test_the_generated_file_is_the_one_that_is_committed(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == generate.FILES[path](), MADE_ANEW


@pytest.mark.parametrize(("path", "command"), list(generate.every_command()))
def test_a_command_stands_there_with_all_that_its_help_prints(path: str, command: Any) -> None:
    """Compared with what is printed, in a terminal that is wide enough to cut nothing off."""
    has_full_help = any("--help-all" in parameter.opts for parameter in command.params)
    arguments = [*path.split()[1:], "--help-all" if has_full_help else "--help"]
    printed = CliRunner().invoke(app, arguments, env={"COLUMNS": "1000", "TERMINAL_WIDTH": "1000"})
    assert printed.exit_code == 0
    by_heading = sections(read("reference/commands.md"))
    below = re.findall(r"^│ ([a-z]+) ", printed.stdout, re.MULTILINE)
    assert [name for name in below if f"{path} {name}" not in by_heading] == []
    section = "".join(by_heading[heading] for heading in (path, *(f"{path} {name}" for name in below)))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", printed.stdout)) - {"--help"}
    names = {anchor(heading): text for heading, text in by_heading.items()}
    section += "".join(names[place] for place in re.findall(r"all of \[[^]]+\]\(#([^)]+)\)", section))
    assert [option for option in sorted(named) if option not in section] == []
    assert set(missing(re.findall(r"^\W*(--[a-z][a-z-]+)", printed.stdout, re.MULTILINE), section)) <= {"--help"}


@pytest.mark.parametrize(("path", "command"), list(generate.every_command()))
def test_each_option_of_a_command_is_described_in_its_section_or_in_the_one_it_links_to(path: str, command: Any) -> None:
    by_heading = sections(read("reference/commands.md"))
    [*_, own] = [text for heading, text in by_heading.items() if heading == path]
    names = {anchor(heading): text for heading, text in by_heading.items()}
    for parameter in command.params:
        if not parameter.hidden:
            name = generate._names(parameter)
            meaning = f": {prose(parameter.help or '')}"
            linked = set(re.findall(r"\]\(#(duckanon[^)]*)\)", own))
            in_own, in_linked = (
                [line for line in text.splitlines() if line.startswith(f"- {name}") and meaning in line]
                for text in (own, "".join(names[place] for place in linked))
            )
            assert len(in_own or in_linked) == 1, (path, name)


def test_every_command_is_also_described_in_a_page_that_somebody_wrote() -> None:
    written = "\n".join(page.read_text(encoding="utf-8") for page in PAGES if page.name not in generate.PAGES)
    leaves = [path for path, command in generate.every_command() if not hasattr(command, "commands")]
    assert [path for path in leaves if path not in written] == []


def test_every_key_of_a_job_stands_there_with_its_meaning() -> None:
    by_heading = sections(read("reference/job.md"))
    schema = job_file.schema()
    parts = {model.__name__: heading for heading, model in [*job_page.PARTS.items(), *job_page.OF_HIERARCHIES.items()]}
    of_privacy = {model.__name__ for model in job_page.OF_PRIVACY.values()}
    assert set(schema["$defs"]) - set(parts) == of_privacy
    for name, definition in {"Job": schema, **schema["$defs"]}.items():
        section = by_heading["`privacy`"] if name in of_privacy else by_heading[parts[name]]
        shared = by_heading["Hierarchies"] if "kind" in definition["properties"] else ""
        assert set(missing(definition["properties"], section + shared)) <= {"model", "kind"}, name
    for model in [*job_page.PARTS.values(), *job_page.OF_HIERARCHIES.values()]:
        silent = [name for name in model.model_fields if name != "kind" and not job_page.meaning(model, name)]
        assert silent == [], f"{model.__name__}: write a docstring behind the field"


def test_every_error_stands_there() -> None:
    classes = {name for name, error in vars(errors).items() if isinstance(error, type) and issubclass(error, DuckanonError)}
    page = read("reference/errors.md")
    described = dict(re.findall(r"^- `(\w+)` \((\d), ", page, re.MULTILINE))
    assert {name: described[name] for name in classes} == {name: str(int(getattr(errors, name).exit_code)) for name in classes}
    assert {str(int(code)) for code in ExitCode} <= set(rows(page))
    assert {str(int(code)) for code in ExitCode} <= set(rows((ROOT / "README.md").read_text(encoding="utf-8")))


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 700


def test_the_records_of_the_readme_are_those_of_its_run(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pairs = [
        (before.split(", "), re.split(r", (?![^\[]*\])", after))
        for before, after in re.findall(r"^\| (\d[^|]*) \| (\[[^|]*) \|$", readme, re.MULTILINE)
    ]
    assert len(pairs) == 2
    source, release = tmp_path / "adult.parquet", tmp_path / "release.parquet"
    demo(source)
    manifest = duckanon.anonymize(source, release)
    columns = '"age", "education", "race", "sex", "hours-per-week", "native-country", "income"'
    for side, path in enumerate((source, release)):
        rows = {tuple(map(str, row)) for row in duckdb.execute(f"select {columns} from '{path}'").fetchall()}
        assert {tuple(pair[side]) for pair in pairs} <= rows
    for before, after in pairs:
        assert all(covers(label, value) for value, label in zip(before, after, strict=True))

    quasi = [name for name, role in manifest.manifest["columns"].items() if role == "quasi-identifier"]
    grouped = ", ".join(f'"{name}"' for name in quasi)
    sizes = [
        [size for (size,) in duckdb.execute(f"select count(*) from '{path}' group by {grouped}").fetchall()]
        for path in (source, release)
    ]
    assert set(sizes[0]) == {1}
    assert f"each of {sum(sizes[0]):,} records is unique" in readme
    assert f"each equals at least {min(sizes[1]) - 1} others on {len(quasi)} quasi-identifiers" in readme


def covers(label: str, value: str) -> bool:
    """Whether a label stands for a value: the value, a range that includes it, or the rare ones."""
    if bounds := re.fullmatch(r"\[(\d+), (\d+)\]", label):
        return int(bounds[1]) <= int(value) <= int(bounds[2])
    return label in (value, "other")


# what somebody has to write


def test_every_privacy_model_has_its_formula_and_its_paper() -> None:
    assert {type(model) for model in MODELS_OF_REQUIRE} >= set(MODELS.values())
    page = read("reference/privacy-models.md")
    described = {cell.strip("`").partition("=")[0]: cells for cell, cells in rows(page).items() if cell.startswith("`")}
    for name in [*dict.fromkeys(map(name_of, MODELS_OF_REQUIRE)), "k-column", "--entity"]:
        assert name in described, f"{name} has no row"
        formula, sources, *_ = described[name]
        assert re.search(r"[<>]=?", formula), f"{name} has no formula"
        assert_published(sources.split("; "))


def test_every_other_source_is_published_too() -> None:
    sources = {cells[-1] for cells in rows(read("reference/metrics.md")).values() if re.search(r" \d{4}\b", cells[-1])}
    assert len(sources) > 5
    assert_published(sorted(sources))


def assert_published(sources: list[str]) -> None:
    """Each source has its authors, year and venue, as `Author, Author 2006, KDD`."""
    for source in sources:
        assert re.fullmatch(r"[^\d]+ \d{4}, [A-Za-z].+", source), f"{source!r} has no author, year or venue"


def test_every_objective_and_every_metric_has_its_formula(tmp_path: Path) -> None:
    page = read("reference/metrics.md")
    objectives = rows(sections(page)["Objectives"])
    assert missing(get_args(choices.ObjectiveName), " ".join(objectives)) == []
    assert missing(get_args(choices.Aggregate), objectives["`loss`"][0]) == []
    source = tmp_path / "people.parquet"
    demo(source, 300)
    requests = [duckanon.Options(qi=["age", "sex"], algorithm=algorithm) for algorithm in ("optimal", "mondrian")]
    results = [duckanon.anonymize(source, options=options, run=duckanon.Run(dry_run=True)) for options in requests]
    of_reports = re.findall(r'^        "(\w+)":', inspect.getsource(utility.utility), re.MULTILINE)
    names = [*results[0].manifest["metrics"], *results[1].manifest["metrics"], *of_reports]
    assert len(set(names)) > 15
    assert missing(set(names), page) == []


def schemas(name: str) -> dict[str, Any]:
    """The document of a JSON Schema and its parts, by their names."""
    schema = json.loads(read(f"reference/{name}"))
    return {"": schema, **schema["$defs"]}


def test_every_key_of_a_schema_has_its_meaning_and_those_at_the_top_stand_in_the_page() -> None:
    for name in ("manifest.schema.json", "public-manifest.schema.json"):
        for model, definition in schemas(name).items():
            silent = [key for key, part in definition["properties"].items() if not part["description"]]
            assert silent == [], f"{model}: write a docstring behind the field"
    assert missing(schemas("manifest.schema.json")[""]["properties"], read("reference/manifest.md")) == []


def test_the_figures_of_what_costs_what_are_those_of_the_benchmarks() -> None:
    lines = [line.split("|", maxsplit=3)[3] for line in read("how-to/large-files.md").splitlines() if line.startswith("|")]
    figures = {figure for line in lines for figure in re.findall(r"\d[\d,.]*", line)}
    assert len(figures) > 20
    measured = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert [figure for figure in figures if not re.search(rf"\| {re.escape(figure)} \|", measured)] == []


def test_every_kind_of_hierarchy_is_explained() -> None:
    guide = read("how-to/hierarchies.md")
    assert [kind for kind in KINDS if f"**{kind}**" not in guide] == []
    assert missing([bundle.name for bundle in sets.bundled()], guide) == []


def test_every_word_to_choose_from_stands_there() -> None:
    """Beside its option or its key, or in the page about what it chooses."""
    pages = ("reference/commands.md", "reference/job.md", "explanation/searches.md", "how-to/hierarchies.md")
    text = "\n".join(map(read, pages))
    words = [word for choice in vars(choices).values() for word in get_args(choice) if isinstance(word, str)]
    assert [word for word in words if not re.search(rf"[`|\[]{re.escape(word)}[`|\]]", text)] == []

"""Reports of real runs, opened in a browser."""

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from duckanon.job.options import Run
from duckanon.lattice import Lattice
from duckanon.metrics.objective import Discernibility
from duckanon.reports import pictures
from duckanon.reports.html.pages import report_page
from duckanon.search.trace import Visit
from tests.support.command_line import Cli
from tests.support.report_documents import adult as sample_document
from tests.support.reported import ODD_NAMES, hostile_release, odd_rows, run_small
from tests.support.rows import write_parquet
from tests.support.runs import anonymize

if TYPE_CHECKING:
    from tests.support.browser import Look


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release of hostile columns and values, and both of its reports."""
    return hostile_release(tmp_path_factory.mktemp("reported"))


def test_the_report_of_a_run_is_drawn_in_a_browser(made: Path, look: "Look") -> None:
    for name in ("internal.html", "public.html"):
        html = (made / name).read_text(encoding="utf-8")
        opened = look(html)
        assert opened.is_quiet(), (opened.console, opened.requests)
        assert opened.page.title() != "pwned"
        assert opened.page.evaluate("document.querySelectorAll('script[src], iframe, object').length") == 0
        assert len(html.encode()) < 5_000_000
        seen = opened.page.inner_text("body")
        assert "PASS" in seen
        assert "49" not in re.findall(r"Recipients\s+(\S+)", seen)
        headings = opened.page.locator("main > section > h2").all_inner_texts()
        assert [heading.removeprefix("Appendix ") for heading in headings] == [
            "Summary",
            "Guarantee",
            "Re-identification risk",
            "Sensitive attributes",
            "Information loss",
            "For a study",
            "Recoding",
            "Not covered",
            "Columns",
            "Search",
            "Tables",
            "Files",
        ]


def test_a_lattice_of_twenty_thousand_nodes_is_sampled_and_stays_quick(look: "Look") -> None:
    full = Lattice((0, 0, 0, 0), (11, 11, 11, 11))
    random = Random(1)
    visits = [
        Visit(node, 10, 5, random.randint(0, 99), sum(node) / 44, sum(node) / 44, sum(node) > 20, node == (5, 5, 5, 6))
        for node in full.nodes()
    ]
    assert len(visits) == 20_736
    picture = pictures.lattice_picture(list("abcd"), full, Discernibility(10), visits)
    assert len(picture["nodes"]) == pictures.MOST_NODES
    assert [node["levels"] for node in picture["nodes"] if node["chosen"]] == [[5, 5, 5, 6]]
    assert sum(height["satisfies"] + height["fails"] + height["not_decided"] for height in picture["heights"]) == 20_736
    opened = look(report_page(sample_document() | {"lattice": picture}))
    assert opened.is_quiet(), opened.console
    seen = opened.page.inner_text("body")
    assert "2,000 of 20,736" in seen
    assert opened.page.locator("#figure-lattice canvas").count() == 1
    explorer, reading = opened.page.locator("#figure-lattice [data-chart]"), opened.page.locator("#figure-lattice .reading")
    explorer.press("Home")
    home = reading.inner_text()
    explorer.press("ArrowUp")
    assert reading.inner_text() != home
    assert "satisfies" in reading.inner_text()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    write_parquet(tmp_path / "rows.parquet", [{"a": number % 3} for number in range(30)])
    return tmp_path


def test_a_comparison_is_shown_where_there_is_one(small: Path, look: "Look", cli: Cli) -> None:
    run_small(small)
    flat = small / "flat.yaml"
    flat.write_text("kind: flat\n")
    (small / "job.yaml").write_text("columns: {a: {role: quasi-identifier, hierarchy: flat.yaml}}\n", encoding="utf-8")
    compared = cli("compare", "rows.parquet", "--job", "job.yaml", "--k", "2,5,11", "--json", cwd=small)
    (small / "compared.json").write_text(compared.out, encoding="utf-8")
    cli("report", "out.parquet.manifest.json", "-o", "x.html", "--comparison", "compared.json", cwd=small, code=0)
    opened = look((small / "x.html").read_text(encoding="utf-8"))
    assert opened.is_quiet()
    assert "Each mark is one search on the same data" in opened.page.inner_text("body")
    assert opened.page.locator("#figure-comparison svg").count() == 1
    for name, message in (("job.yaml", "is not a comparison"), ("none.json", "no such comparison")):
        refused = cli("report", "out.parquet.manifest.json", "-o", "y.html", "--comparison", name, cwd=small)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert message in refused.err


@pytest.mark.parametrize("width", [1280, 390])
def test_no_name_or_value_breaks_a_chart_or_the_width_of_a_page(tmp_path: Path, look: "Look", width: int) -> None:
    columns = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in ODD_NAMES[1:7]}
    columns |= {
        ODD_NAMES[0]: {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10, 20]}},
        "disease": {"role": "sensitive"},
    }
    write_parquet(tmp_path / "odd.parquet", [dict(zip(ODD_NAMES, row, strict=True)) for row in odd_rows(120)])
    job = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}], "suppression": {"limit": "50%"}}
    anonymize(tmp_path / "odd.parquet", tmp_path / "out.parquet", job=job, run=Run(report=tmp_path / "odd.html"))
    opened = look((tmp_path / "odd.html").read_text(encoding="utf-8"), viewport={"width": width, "height": 900})
    assert opened.is_quiet(), opened.console
    seen = opened.page.inner_text("body")
    assert all(name in seen for name in ODD_NAMES[:4])
    assert f"\u2066{ODD_NAMES[4]}\u2069" in seen
    assert "\\u202egender" in seen
    assert "\u202e" not in seen
    assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

"""The report page in a browser: all parts are drawn, only scripts of duckanon run, and the page is accessible."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from duckanon.reports.html import drawings
from duckanon.reports.html.charts import SCHEMES
from duckanon.reports.html.pages import comparison_page, report_page
from duckanon.reports.html.wording import LABEL, Wording, cleaned, distinct, shown
from tests.support.report_documents import HOSTILE, adult, bare, hostile, mondrian, published, wide_lattice
from tests.support.report_documents import comparison as compared

if TYPE_CHECKING:
    from tests.support.browser import Look, Opened

DOCUMENTS = [adult, wide_lattice, mondrian, published, bare]
SECTIONS = 12

DRAWN = """() => [...document.querySelectorAll('[data-chart]')].map((place) => {
  const drawing = place.querySelector('svg.marks, canvas.marks');
  const box = drawing ? drawing.getBoundingClientRect() : {width: 0, height: 0};
  return {
    figure: place.closest('figure').id, tag: drawing && drawing.tagName.toLowerCase(), width: box.width, height: box.height,
    scheme: place.dataset.drawn,
  };
})"""

COLOURS = """() => {
  const pairs = new Set();
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/^rgba\\(.*, 0\\)$/.test(colour)) return colour;
    }
    return null;
  };
  for (const element of document.querySelectorAll('body *')) {
    const texts = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!texts || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    const colour = element instanceof SVGElement ? style.fill : style.color;
    pairs.add(`${element.tagName.toLowerCase()}|${colour}|${behind(element)}`);
  }
  return [...pairs].map((pair) => pair.split('|'));
}"""


def drawn(opened: Opened) -> list[dict[str, Any]]:
    """Every place for a chart, and what stands in it."""
    charts: list[dict[str, Any]] = opened.page.evaluate(DRAWN)
    return charts


def reading_of(opened: Opened, figure: str) -> str:
    """What the box beside a chart says."""
    return opened.page.inner_text(f"#{figure} .reading")


def points(opened: Opened, figure: str) -> list[dict[str, Any]]:
    """The marks that a chart was given."""
    given = json.loads(opened.page.locator(f"#{figure} script").text_content() or "")
    records: list[dict[str, Any]] = given["spec"]["datasets"]["points"]
    return records


def point_at(opened: Opened, figure: str, number: int) -> None:
    """Moves the mouse over a mark of a chart that is drawn as shapes."""
    mark = opened.page.locator(f"#{figure} svg.marks g.layer_2_marks > path").nth(number)
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box
    opened.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("made", DOCUMENTS)
def test_every_chart_is_drawn_and_nothing_is_requested(look: Look, made: Callable[[], dict[str, Any]]) -> None:
    opened = look(report_page(made()))
    assert opened.is_quiet(), (opened.console, opened.requests)
    charts = drawn(opened)
    assert all(chart["tag"] and chart["width"] > 100 and chart["height"] > 30 for chart in charts), charts
    assert bool(charts) == (made is not bare)
    assert opened.page.locator("main > section").count() == SECTIONS


def test_the_comparison_is_drawn_in_the_same_shell(look: Look) -> None:
    opened = look(comparison_page(compared()))
    assert opened.is_quiet(), (opened.console, opened.requests)
    assert [chart["figure"] for chart in drawn(opened)] == ["figure-front", "figure-curve-1", "figure-curve-2"]
    assert all(chart["tag"] == "svg" and chart["height"] > 100 for chart in drawn(opened))


@pytest.mark.parametrize("made", [*DOCUMENTS, hostile])
def test_a_page_is_the_same_every_time_and_small(made: Callable[[], dict[str, Any]]) -> None:
    html = report_page(made())
    assert html == report_page(made())
    assert len(html.encode()) < 2_500_000
    assert "unsafe-eval" not in html.partition("</head>")[0]


def test_only_our_scripts_may_run() -> None:
    html = report_page(adult())
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert re.fullmatch(r"('sha256-[A-Za-z0-9+/=]+' ?){2}", rules["script-src"])
    assert len(re.findall(r"<script>", html)) == 2


def test_a_node_tells_the_same_by_mouse_and_by_keyboard(look: Look) -> None:
    opened = look(report_page(adult()), viewport={"width": 1280, "height": 900})
    nodes = points(opened, "figure-lattice")
    home = next(node for node in nodes if node["chosen"])
    assert home["levels"] in reading_of(opened, "figure-lattice")

    lowest = nodes[0]
    point_at(opened, "figure-lattice", 0)
    opened.page.wait_for_selector(f"#figure-lattice .reading dd:has-text('{lowest['levels']}')")
    pointed = reading_of(opened, "figure-lattice")
    assert lowest["loss"] in pointed
    assert lowest["verdict"] in pointed
    tooltip = opened.page.wait_for_selector("#vg-tooltip-element.visible")
    assert tooltip
    assert all(str(lowest[name]) in tooltip.inner_text() for name in ("levels", "verdict", "loss", "suppressed", "classes"))

    place = opened.page.locator("#figure-lattice [data-chart]")
    place.press("Home")
    assert home["levels"] in reading_of(opened, "figure-lattice")
    for _ in range(home["row"]):
        place.press("ArrowDown")
    assert reading_of(opened, "figure-lattice") == pointed
    place.press("ArrowDown")
    assert reading_of(opened, "figure-lattice") == pointed
    assert opened.page.locator("#figure-lattice svg path[stroke-dasharray='3,2']").count() == 1
    assert opened.is_quiet()


def test_arrows_reach_every_node_of_a_height(look: Look) -> None:
    opened = look(report_page(adult()))
    nodes = points(opened, "figure-lattice")
    home = next(node for node in nodes if node["chosen"])
    place = opened.page.locator("#figure-lattice [data-chart]")
    place.press("Home")
    seen = {reading_of(opened, "figure-lattice")}
    for key in ("ArrowRight", "ArrowLeft"):
        for _ in nodes:
            place.press(key)
            seen.add(reading_of(opened, "figure-lattice"))
    assert len(seen) == sum(node["row"] == home["row"] for node in nodes)


def test_the_explorer_is_one_stop_of_the_tab_key(look: Look) -> None:
    opened = look(report_page(adult()))
    assert opened.page.locator("#figure-lattice .chart [tabindex]").count() == 0
    opened.page.locator("#figure-lattice [data-chart]").focus()
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.closest('.chart') === null")


def test_two_thousand_nodes_are_drawn_as_pixels_and_walked_through(look: Look) -> None:
    opened = look(report_page(wide_lattice()))
    [chart] = [chart for chart in drawn(opened) if chart["figure"] == "figure-lattice"]
    assert chart["tag"] == "canvas"
    assert len(points(opened, "figure-lattice")) == 2_000
    assert "2,000 of 3,000 are drawn" in opened.page.inner_text("#search")
    place = opened.page.locator("#figure-lattice [data-chart]")
    place.press("Home")
    readings = [reading_of(opened, "figure-lattice")]
    for key in (*["ArrowRight"] * 9, "ArrowUp", "ArrowUp", "ArrowDown", "ArrowLeft"):
        place.press(key)
        readings.append(reading_of(opened, "figure-lattice"))
        assert readings[-1] != readings[-2]
    assert opened.is_quiet()


def test_the_tree_of_partitions_is_walked_through(look: Look) -> None:
    opened = look(report_page(mondrian()))
    [chart] = [chart for chart in drawn(opened) if chart["figure"] == "figure-partitions"]
    assert chart["tag"] == "canvas"
    place = opened.page.locator("#figure-partitions [data-chart]")
    place.press("Home")
    assert "30,162" in reading_of(opened, "figure-partitions")
    place.press("ArrowDown")
    place.press("ArrowRight")
    assert "15,081" in reading_of(opened, "figure-partitions")
    place.press("ArrowUp")
    assert "30,162" in reading_of(opened, "figure-partitions")
    assert "The recoding has no lattice" in opened.page.inner_text("#search")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_legible_in_both_schemes(look: Look, scheme: str) -> None:
    opened = look(report_page(adult()), color_scheme=scheme)
    assert {chart["scheme"] for chart in drawn(opened)} == {scheme}
    pairs = opened.page.evaluate(COLOURS)
    assert {"p", "td", "a", "text"} <= {tag for tag, _, _ in pairs}
    faint = [pair for pair in pairs if contrast(pair[1], pair[2]) < 4.5]
    assert faint == []


def contrast(first: str, other: str) -> float:
    """The contrast ratio of WCAG 2 of two colours as a browser computes them."""
    bright, dark = sorted((_luminance(first), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    if colour.startswith("#"):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    else:
        parts = [float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_contrast_is_that_of_wcag() -> None:
    assert contrast("rgb(0, 0, 0)", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "rgb(255, 255, 255)") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_names_within_regions_are_legible(scheme: str) -> None:
    config = SCHEMES[scheme]
    colours = config["range"]["category"]
    assert all(contrast(config["style"]["inside"]["fill"], colour) >= 4.5 for colour in colours)


def wait_for_scheme(opened: Opened, scheme: str) -> None:
    """Waits until every chart is drawn in a scheme; by selectors, as the page lets nothing be evaluated from text."""
    opened.page.wait_for_selector(f"[data-chart]:not([data-drawn={scheme}])", state="detached")


def test_charts_follow_the_scheme_and_are_light_on_paper(look: Look) -> None:
    opened = look(report_page(adult()), color_scheme="dark")
    opened.page.emulate_media(media="print")
    wait_for_scheme(opened, "light")
    assert not opened.page.locator("#figure-lattice").is_visible()
    shown = [chart for chart in drawn(opened) if opened.page.locator(f"#{chart['figure']}").is_visible()]
    assert len(shown) >= 5
    assert all(chart["tag"] and chart["height"] > 30 for chart in shown)
    opened.page.emulate_media(media="screen", color_scheme="dark")
    wait_for_scheme(opened, "dark")
    assert opened.is_quiet()


def test_print_has_eight_pages_at_most_and_the_signature_on_the_first(look: Look) -> None:
    opened = look(report_page(adult()), viewport={"width": 688, "height": 1020})  # A4 within its margins, at 96 pixels an inch
    opened.page.emulate_media(media="print")
    wait_for_scheme(opened, "light")
    signature = opened.page.locator(".signatures").bounding_box()
    assert signature
    assert signature["y"] + signature["height"] < 1020
    assert len(re.findall(rb"/Type\s*/Page\b", opened.page.pdf(format="A4"))) <= 8


def test_the_first_page_compares_before_and_after(look: Look) -> None:
    text = look(report_page(adult())).page.inner_text("#summary")
    assert re.search(r"sample uniques\s+543\s+0", text)
    # the share that a marketer re-identifies, of all records: 5.6 % of 30,162, 0.4 % of 30,155
    assert re.search(r"expected re-identifications\s+1,689\s+121", text)
    assert re.search(r"unique on all released columns\s+17,488\s+11,641", text)
    assert re.search(r"worst class of occupation, most frequent value\s+100%\s+66.7%", text)
    assert "17 → 15-19" in text
    assert "NULL → *" in text
    assert re.search("Legal basis\\s+Consent", text)
    assert re.search("Retention of key and saved recoding\\s+not stated", text)


def test_a_tree_marks_the_released_level(look: Look) -> None:
    opened = look(report_page(adult()))
    marked = opened.page.locator("#figure-tree-1 text.released").all_text_contents()
    assert marked == ["15-19", "20-24", "25-29"]
    assert opened.page.locator("#figure-tree-2 text.released").all_text_contents() == ["Female", "Male"]


def test_the_risk_curve_gives_the_share_of_records_with_at_least_a_risk() -> None:
    sizes = [{"from": 1, "to": 1, "rows": 2}, {"from": 2, "to": 4, "rows": 3}, {"from": 5, "to": 10, "rows": 5}]
    chart = drawings.drawn({"risk": {"threshold": 0.2, "before": {"sizes": sizes}}}, Wording())["risk_curve"]
    assert [(row[1], row[2]) for row in chart.table] == [(1.0, 0.2), (1.0, 0.2), (0.25, 0.5), (0.1, 1.0)]


def test_hostile_texts_are_shown_and_never_run(look: Look) -> None:
    opened = look(report_page(hostile()))
    assert opened.is_quiet(), (opened.console, opened.requests)
    assert opened.page.title().startswith("Anonymization report: ")
    text = opened.page.inner_text("main")
    for attempt in HOSTILE[:6]:
        assert attempt in text
    assert "\\u2028\\u2029\\u202e" in text
    assert "49" not in opened.page.inner_text("#summary")
    assert opened.page.locator("main img, main [onmouseover]").count() == 0
    assert all(chart["tag"] for chart in drawn(opened))
    for figure in ("figure-lattice", "figure-partitions"):
        opened.page.locator(f"#{figure} [data-chart]").press("Home")
        opened.page.locator(f"#{figure} [data-chart]").press("ArrowUp")
    point_at(opened, "figure-lattice", 0)
    opened.page.wait_for_selector("#vg-tooltip-element.visible")
    assert opened.page.locator("#vg-tooltip-element script, #vg-tooltip-element img").count() == 0
    assert opened.page.title().startswith("Anonymization report: ")
    assert opened.is_quiet()


def test_what_users_wrote_is_only_data_in_a_chart(look: Look) -> None:
    opened = look(report_page(hostile()))
    for script in opened.page.locator("figure script").all():
        spec = json.loads(script.text_content() or "")["spec"]
        del spec["datasets"]
        assert "pwned" not in json.dumps(spec)
        assert "7*7" not in json.dumps(spec)


def test_without_scripts_the_figures_stand_as_tables(look: Look) -> None:
    opened = look(report_page(adult()), java_script_enabled=False)
    assert opened.page.locator("noscript").inner_text().startswith("JavaScript is disabled")
    figures = opened.page.locator("figure:not(.tree)")
    assert figures.count() > 10
    assert figures.count() == opened.page.locator("figure details table").count()
    opened.page.locator("#figure-losses summary").click()
    assert "0.069" in opened.page.locator("#figure-losses table").inner_text()


def test_a_page_stays_within_a_narrow_window(look: Look) -> None:
    for made in (adult, hostile):
        opened = look(report_page(made()), viewport={"width": 360, "height": 700})
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert all(chart["width"] <= 360 for chart in drawn(opened))


@pytest.mark.parametrize("made", [*DOCUMENTS, hostile])
def test_everything_has_a_name_and_a_place(look: Look, made: Callable[[], dict[str, Any]]) -> None:
    opened = look(report_page(made()))
    faults = opened.page.evaluate("""() => {
      const faults = [];
      const name = (one) => (one.getAttribute('aria-label') || '').trim()
        || (document.getElementById(one.getAttribute('aria-labelledby')) || {textContent: ''}).textContent.trim();
      if (document.documentElement.lang !== 'en') faults.push('no language');
      for (const landmark of ['header', 'nav', 'main', 'footer']) {
        if (document.querySelectorAll(landmark).length !== 1) faults.push(landmark);
      }
      const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((one) => Number(one.tagName[1]));
      if (levels[0] !== 1 || levels.filter((one) => one === 1).length !== 1) faults.push('first heading');
      levels.forEach((level, place) => { if (place && level > levels[place - 1] + 1) faults.push(`heading ${place}`); });
      for (const one of document.querySelectorAll('figure, section, [role], nav')) {
        if (!name(one) && !one.closest('[aria-hidden=true]')) faults.push(one.outerHTML.slice(0, 80));
      }
      for (const one of document.querySelectorAll('svg, canvas')) {
        const holder = one.parentElement.closest('[role=img], [role=application]');
        const mark = one.closest('.verdict');
        if (!(mark && mark.textContent.trim()) && !(holder && name(holder))) faults.push(one.outerHTML.slice(0, 80));
      }
      for (const one of document.querySelectorAll('thead th, tbody th')) if (!one.scope) faults.push(one.outerHTML);
      for (const one of document.querySelectorAll('a[href^="#"]')) {
        if (!document.getElementById(one.getAttribute('href').slice(1))) faults.push(one.outerHTML);
      }
      const ids = [...document.querySelectorAll('main [id], nav [id]')].map((one) => one.id);
      if (new Set(ids.filter((id) => !/^clip|gradient/.test(id))).size !== ids.filter((id) => !/^clip|gradient/.test(id)).length) {
        faults.push('an id twice');
      }
      return faults;
    }""")
    assert faults == []


def test_the_verdict_stands_in_words() -> None:
    assert ">PASS" in report_page(adult())
    failed = adult()
    failed["verification"]["passed"] = False
    html = report_page(failed)
    assert ">Not met<" in html
    assert "Do not share it." in html
    warned = adult()
    assert ">Met, with warnings<" in report_page(warned)
    warned["manifest"]["warnings"] = []
    assert ">Met<" in report_page(warned)
    assert ">Not verified<" in report_page(bare())


def test_the_variant_for_publication_withholds(look: Look) -> None:
    opened = look(report_page(published()))
    text = opened.page.inner_text("body")
    assert "counts below 5 are written as “fewer than 5”" in text
    assert "fewer than 5 suppressed" in text
    assert "Left out of the variant for publication" in text
    assert "adult.job.yaml" not in text
    assert "SHA-256" not in text
    assert "Fingerprint" not in text


def test_what_is_missing_is_shown(look: Look) -> None:
    opened = look(report_page(bare()))
    text = opened.page.inner_text("main")
    for message in ("not stated", "No release was verified", "The risk was not measured", "The recoding has no lattice"):
        assert message in text


@pytest.mark.parametrize("part", sorted(set(adult()) - {"public"}))
def test_any_part_may_be_missing(part: str) -> None:
    for document in (adult(), published()):
        without = {name: value for name, value in document.items() if name != part}
        assert report_page(without).startswith("<!doctype html>")
        assert report_page(without | {part: None}).startswith("<!doctype html>")


@pytest.mark.parametrize("part", ["risk", "utility", "manifest"])
def test_any_piece_of_a_part_may_be_missing(part: str) -> None:
    for piece in adult()[part]:
        document = adult()
        document[part][piece] = None
        assert report_page(document).startswith("<!doctype html>")
        del document[part][piece]
        assert report_page(document).startswith("<!doctype html>")


def test_an_unprotected_sensitive_column_is_named() -> None:
    html = report_page(adult())
    assert re.search(r"Inference of income</th>\s*<td class=\"prose\"><strong>Not protected", html)
    assert re.search(r"Inference of occupation</th>\s*<td class=\"prose\">Bounded by l-diversity", html)


def test_labels_are_cut_made_visible_and_distinguished() -> None:
    assert len(shown("x" * 10_000)) == LABEL
    assert shown("a\x00b\nc\u202ed") == "a\u2400b\u240ac\\u202ed"
    assert shown("👩🏽‍🔬") == "👩🏽‍🔬"
    assert distinct(["a", "a", "a (2)", "b"]) == ["a", "a (2)", "a (2) (2)", "b"]
    assert cleaned({"about": {"k": "x" * 500}, "name": "x" * 500, "share": float("nan")}) == {
        "about": {"k": "x" * 500},
        "name": "x" * 59 + "…",
        "share": None,
    }

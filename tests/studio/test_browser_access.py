"""Accessibility of every section: axe-core, light and dark, on a wide and on a narrow screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.environments import axe
from tests.support.shown import shown
from tests.support.studio import serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

SECTIONS = ["Table", "Hierarchies", "Requirements", "Lattice", "Before and after", "Run"]
VIOLATIONS = """async () => {
  const { violations } = await axe.run(document);
  const grave = violations.filter((each) => ["serious", "critical"].includes(each.impact));
  return grave.map((each) => [each.id, ...each.nodes.map((node) => node.html.slice(0, 200))]);
}"""


def opened(page: Page, section: str) -> None:
    """Wait for the content of a section, and open what it hides at first."""
    if section == "Table":
        page.get_by_role("button", name="Show values of age").click()
        page.wait_for_selector("#table .bars")
    elif section == "Hierarchies":
        page.wait_for_selector("#hierarchies table")
    elif section == "Requirements":
        page.wait_for_selector("#requirements .figures")
    elif section == "Lattice":
        page.wait_for_selector("#lattice-chart canvas")
        page.locator("#lattice-chart").press("ArrowUp")
        page.wait_for_selector("#lattice .reading table")
    elif section == "Before and after":
        page.locator("#rows button").click()
        page.wait_for_selector("#sample-rows tbody tr")
        page.locator("#rows summary").first.click()
    else:
        page.get_by_role("button", name="Show command and job file").click()
        page.wait_for_selector("#command-and-job pre")


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_violation_and_nothing_wider_than_the_screen(
    people: Path, browser: Browser, scheme: Any, width: int
) -> None:
    script = axe().read_text(encoding="utf-8")
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    with serving(people.parent, people.name) as running, shown(browser, running.address, **options) as studio:
        page = studio.page
        studio.section("Requirements")
        page.get_by_role("button", name="Add an adversary").click()
        page.get_by_label("Add a model to disease").select_option(label="equal t-closeness")
        page.get_by_role("button", name="Add the chosen model to disease").click()
        page.wait_for_selector("#model-0-1-t")
        page.evaluate(script)
        for section in SECTIONS:
            studio.section(section)
            opened(page, section)
            assert page.evaluate(VIOLATIONS) == [], section
            assert page.evaluate("document.documentElement.scrollWidth") <= width, section
        assert (studio.console, studio.foreign) == ([], [])

"""Column names and values that JavaScript objects have as properties, that run from right to left, or that are long."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from tests.support.reported import ODD_NAMES, odd_rows
from tests.support.shown import shown
from tests.support.studio import serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser


@pytest.mark.parametrize("width", [1280, 390])
def test_no_name_is_lost_reordered_or_too_wide(tmp_path: Path, browser: Browser, width: int) -> None:
    with (tmp_path / "odd.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([ODD_NAMES, *odd_rows(200)])
    with serving(tmp_path, "odd.csv") as running, shown(browser, running.address) as studio:
        page = studio.page
        page.set_viewport_size({"width": width, "height": 900})
        names = page.locator("#table tbody th[scope=row]")
        names.first.wait_for()
        # a mark of direction is written out, and a long name is cut, with the whole name as its title
        assert [text.replace("\\u202e", "\u202e") for text in names.all_inner_texts()[:6]] == ODD_NAMES[:6]
        assert names.nth(6).locator("span").get_attribute("title") == ODD_NAMES[6]
        assert len(names.nth(6).inner_text()) < 60
        for role in ("sensitive", "dropped", "quasi-identifier"):
            page.locator("#table tbody select").first.select_option(role)
            page.wait_for_selector(f"#table tbody tr:first-child[data-role={role}]")
            job = page.evaluate("fetch('/api/state').then((answer) => answer.text())")
            assert ('"__proto__":{"role":"' + role in job.replace(" ", "")) == (role != "dropped")
        for section in ("Hierarchies", "Requirements", "Lattice", "Before and after", "Run"):
            studio.section(section)
            page.wait_for_timeout(100)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        studio.section("Requirements")
        page.wait_for_selector("#requirements .figures")
        studio.section("Lattice")
        page.wait_for_selector("#lattice-chart canvas")
        # what runs from right to left is isolated from the level beside it
        assert f"\u2066{ODD_NAMES[4]}\u2069 " in page.inner_text(".node-title")
        assert (studio.console, studio.foreign) == ([], [])

"""Two tabs on one job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.shown import READY, shown, wait_for_value
from tests.support.studio import serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from tests.support.shown import ShownStudio


def second_tab(studio: ShownStudio, address: str) -> Page:
    """Another page of the same studio."""
    page = studio.page.context.new_page()
    page.goto(address.partition("?")[0] + "#requirements")
    page.wait_for_selector(READY)
    return page


def set_k(page: Page, k: int) -> None:
    """Enter k and leave the field."""
    page.get_by_label("k", exact=True).fill(str(k))
    page.keyboard.press("Tab")


def test_an_edit_of_a_tab_appears_in_the_other(people: Path, browser: Browser) -> None:
    with serving(people.parent, people.name) as running, shown(browser, running.address) as studio:
        other = second_tab(studio, running.address)
        studio.section("Requirements")
        set_k(studio.page, 7)
        wait_for_value(other, "k", "7")
        other.wait_for_selector("#requirements tr:has(th:text-is('k-anonymity')) td:text-is('7')")
        other.keyboard.press("Control+z")
        wait_for_value(studio.page, "k", "5")
        assert (studio.console, studio.foreign) == ([], [])


def test_an_edit_of_an_old_state_is_refused_and_the_new_state_shown(people: Path, browser: Browser) -> None:
    with serving(people.parent, people.name) as running, shown(browser, running.address) as studio:
        late = second_tab(studio, running.address)
        held: list[Route] = []
        late.route("**/api/state", lambda route: held.append(route))
        studio.section("Requirements")
        set_k(studio.page, 7)
        studio.page.wait_for_selector("#undo:enabled")
        set_k(late, 9)
        late.wait_for_selector("#failure:has-text('another tab changed the job')")
        wait_for_value(late, "k", "7")
        assert late.get_by_label("k, slider").get_attribute("aria-valuetext") == "7"
        late.get_by_label("k", exact=True).fill("9")
        with late.expect_response("**/api/state"):
            held[0].continue_()
        late.keyboard.press("Tab")
        wait_for_value(studio.page, "k", "9")


def test_a_model_that_is_chosen_and_not_yet_added_stays_chosen(people: Path, browser: Browser) -> None:
    with serving(people.parent, people.name, "--sensitive", "disease") as running, shown(browser, running.address) as studio:
        studio.section("Requirements")
        chosen = studio.page.get_by_label("Add a model to disease")
        chosen.select_option(label="distinct l-diversity")
        set_k(second_tab(studio, running.address), 7)
        wait_for_value(studio.page, "k", "7")
        studio.page.wait_for_selector("#requirements tr:has(th:text-is('k-anonymity')) td:text-is('7')")
        assert chosen.locator("option:checked").inner_text() == "distinct l-diversity"
        studio.page.get_by_role("button", name="Add the chosen model to disease").click()
        studio.page.wait_for_selector("#requirements tr:has-text('l-diversity of disease')")
        assert chosen.locator("option:checked").inner_text() == "choose a model"

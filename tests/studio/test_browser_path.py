"""From a CSV file to a signed report without the command line: by mouse, and by keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.shown import job_of, shown
from tests.support.signing_keys import write_key
from tests.support.studio import released_rows, serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

    from tests.support.command_line import Cli

MOST_STOPS = 150
"""Presses of Tab from one control to another; a control that needs more is not reachable."""


def wait_for_k(page: Page, k: int) -> None:
    """Wait until the decision of a k is shown."""
    page.wait_for_selector(f"#requirements tr:has(th:text-is('k-anonymity')) td:nth-child(2):text-is('{k}')")


def assert_released(folder: Path, cli: Cli) -> None:
    """The release is attested, has a report, and is what the saved job gives from the command line."""
    attested = ("--attestation", "out.csv.attestation.json", "--public-key", "key.pub.pem")
    cli("check", "out.csv", *attested, cwd=folder, code=0)
    cli("anonymize", "--job", "saved.yaml", "-o", "again.csv", cwd=folder, code=0)
    assert released_rows(folder / "again.csv") == released_rows(folder / "out.csv")


def test_by_mouse(people: Path, browser: Browser, cli: Cli) -> None:
    folder = people.parent
    write_key(folder / "key.pem")
    with serving(folder, people.name) as running, shown(browser, running.address) as studio:
        page = studio.page
        page.get_by_label("Role of zip").select_option("insensitive")
        page.get_by_label("Role of disease").select_option("sensitive")
        studio.section("Requirements")
        # what the decision shows moves the slider
        wait_for_k(page, 5)
        slider = page.get_by_label("k, slider")
        box = slider.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] * 0.1, box["y"] + box["height"] / 2)
        page.mouse.down()
        for step in range(2, 6):
            page.mouse.move(box["x"] + box["width"] * step / 10, box["y"] + box["height"] / 2)
        dragged = int(page.get_by_label("k", exact=True).input_value())
        wait_for_k(page, dragged)
        assert job_of(page)["privacy"][0]["k"] == 5, "a drag is an edit only when it ends"
        page.mouse.up()
        page.wait_for_selector("#undo:enabled")
        page.get_by_label("Add a model to disease").select_option(label="distinct l-diversity")
        page.get_by_role("button", name="Add the chosen model to disease").click()
        page.wait_for_selector("#requirements tr:has-text('l-diversity of disease')")
        studio.section("Lattice")
        page.wait_for_selector("#lattice-chart canvas")
        studio.section("Before and after")
        page.wait_for_selector("#rows h3:text-is('Associations')")
        studio.section("Run")
        page.get_by_label("File of the release").fill("out.csv")
        page.get_by_role("button", name="Run", exact=True).click()
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Read the report").click(timeout=60_000)
        opened.value.wait_for_selector("html[data-charts=drawn]", timeout=60_000)
        assert "people.csv" in opened.value.inner_text("body")
        opened.value.close()
        page.get_by_label("Private key").fill("key.pem")
        page.get_by_role("button", name="Sign").click()
        page.wait_for_selector("#run :text('out.csv.attestation.json')")
        page.get_by_label("Job file", exact=True).fill("saved.yaml")
        page.get_by_role("button", name="Save job").click()
        page.wait_for_selector("#run :text('has the job')")
        job = job_of(page)
        assert (studio.console, studio.foreign) == ([], [])
    assert job["privacy"][0]["k"] == dragged > 5
    assert [model["column"] for model in job["privacy"][1:]] == ["disease"]
    assert_released(folder, cli)


def test_undo_waits_for_the_edit_that_it_undoes(people: Path, browser: Browser) -> None:
    """The answer to the edit is held back until Ctrl+Z is pressed."""
    with serving(people.parent, people.name) as running, shown(browser, running.address) as studio:
        page = studio.page
        held: list[Route] = []
        page.route("**/api/edit", lambda route: held.append(route))
        studio.section("Requirements")
        page.get_by_label("k, slider").focus()
        with page.expect_request("**/api/edit"):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Control+z")
        held[0].continue_()
        page.wait_for_selector("#redo:enabled")
        wait_for_k(page, 5)
        assert page.get_by_label("k", exact=True).input_value() == "5"


class Keyboard:
    """Reaches controls with the Tab key."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def reach(self, selector: str, text: str = "") -> None:
        """Press Tab until an element with a text has the focus, which is then visible."""
        has_focus = "([selector, text]) => document.activeElement.matches(selector) && document.activeElement.textContent.includes(text)"
        for _ in range(MOST_STOPS):
            self.press("Tab")
            if self.page.evaluate(has_focus, [selector, text]):
                outline = self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", f"{selector} does not show that it has the focus"
                return
        raise AssertionError(f"the Tab key does not reach {selector}")

    def section(self, name: str) -> None:
        """Choose a section with the arrow keys."""
        self.reach("[role=tab]")
        for _ in range(6):
            if self.page.evaluate("document.activeElement.id") == f"tab-{name}":
                return
            self.press("ArrowRight")
        raise AssertionError(f"the arrow keys do not reach the section {name}")

    def enter(self, selector: str, text: str) -> None:
        """Replace the text of a field."""
        self.reach(selector)
        self.press("Control+a")
        self.page.keyboard.type(text)


def test_by_keyboard(people: Path, browser: Browser, cli: Cli) -> None:
    folder = people.parent
    write_key(folder / "key.pem")
    with serving(folder, people.name) as running, shown(browser, running.address) as studio:
        page, keyboard = studio.page, Keyboard(studio.page)
        keyboard.reach("select[aria-label='Role of zip']")
        keyboard.press("i")
        page.wait_for_selector("tr:has(select[aria-label='Role of zip'])[data-role=insensitive]")
        keyboard.section("hierarchies")
        keyboard.reach("[role=option]")
        keyboard.press("ArrowDown")
        page.wait_for_selector("[role=option][aria-selected=true]:has-text('sex')")
        keyboard.section("requirements")
        keyboard.reach("#k-range")
        keyboard.press("ArrowRight", "ArrowRight", "ArrowRight")
        wait_for_k(page, 8)
        keyboard.press("Control+z")
        wait_for_k(page, 5)
        assert page.get_by_label("k", exact=True).input_value() == "5", "the steps of a slider are undone together"
        keyboard.press("Control+Shift+z")
        wait_for_k(page, 8)
        keyboard.reach("#model-0-new")
        keyboard.press("ArrowDown")
        keyboard.reach("button")
        keyboard.press("Enter")
        page.wait_for_selector("#requirements tr:has-text('l-diversity of disease')")
        assert page.evaluate("document.activeElement.id") == "model-0-1-l"
        keyboard.section("lattice")
        page.wait_for_selector("#lattice-chart canvas")
        keyboard.reach("#lattice-chart")
        optimum = page.inner_text(".node-title")
        keyboard.press("PageDown", "PageUp", "ArrowUp")
        assert page.inner_text(".node-title") != optimum
        keyboard.press("Home")
        assert page.inner_text(".node-title") == optimum
        keyboard.section("rows")
        keyboard.reach("#rows button")
        keyboard.press("Enter")
        page.wait_for_selector("#sample-rows tbody tr")
        keyboard.section("run")
        keyboard.enter("#output", "out.csv")
        keyboard.reach("#start-run")
        keyboard.press("Enter")
        page.wait_for_selector("#run a:text-is('Read the report')", timeout=60_000)
        keyboard.enter("#key", "key.pem")
        keyboard.reach("#run button", "Sign")
        keyboard.press("Enter")
        page.wait_for_selector("#run :text('out.csv.attestation.json')")
        keyboard.enter("#job-file", "saved.yaml")
        keyboard.reach("#run button", "Save job")
        keyboard.press("Enter")
        page.wait_for_selector("#run :text('has the job')")
        assert (studio.console, studio.foreign) == ([], [])
    assert_released(folder, cli)

"""The hierarchy wizard in a browser: by keyboard, with a preview, and with what the job gets."""

import csv
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.studio.conftest import ROWS
from tests.support.shown import ShownStudio, shown
from tests.support.studio import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

OpenPage = Callable[..., ShownStudio]

_SETTLED = ".verdict-of-draft:not(:text-is('Checking the change.'))"


@dataclass(frozen=True)
class OpenStudio:
    """A studio that stays open for several tests: its address without a token, the cookies of its page, and its first job."""

    address: str
    cookies: Any
    job: Any


def section(studio: ShownStudio) -> None:
    studio.section("Hierarchies")
    studio.page.wait_for_selector(_SETTLED)


@pytest.fixture(scope="module")
def people_studio(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenStudio]:
    file = tmp_path_factory.mktemp("people") / "people.csv"
    file.write_text("\n".join(["age,sex,zip,disease", *ROWS]) + "\n")
    arguments = ("--qi", "age,sex,zip", "--sensitive", "disease")
    # an open page keeps the studio running
    with serving(file.parent, file.name, *arguments) as process, shown(browser, process.address) as studio:
        yield OpenStudio(process.address.partition("?")[0], studio.page.context.storage_state(), job(studio.page))


@pytest.fixture
def open_people(browser: "Browser", people_studio: OpenStudio) -> Iterator[OpenPage]:
    """Opens the section Hierarchies of the studio of persons with its first job; the page must be quiet in the end."""
    with ExitStack() as opened:
        pages: list[ShownStudio] = []

        def open_page(**options: Any) -> ShownStudio:
            studio = opened.enter_context(shown(browser, people_studio.address, storage_state=people_studio.cookies, **options))
            studio.page.evaluate(_RESET, people_studio.job)
            section(studio)
            pages.append(studio)
            return studio

        yield open_page
        for studio in pages:
            assert (studio.console, studio.foreign) == ([], [])


_RESET = """async (job) => {
  const { revision } = await (await fetch("/api/state")).json();
  const headers = { "Content-Type": "application/json", "X-Duckanon": "studio" };
  await fetch("/api/edit", { method: "POST", headers, body: JSON.stringify({ revision, job, what: "as at first" }) });
}"""


@pytest.fixture
def people_page(open_people: OpenPage) -> ShownStudio:
    return open_people()


@pytest.fixture
def page_of(browser: "Browser") -> Iterator[OpenPage]:
    """Opens the section Hierarchies of a studio on a file; the page must be quiet in the end."""
    with ExitStack() as opened:
        pages: list[ShownStudio] = []

        def open_page(file: Path, *arguments: str) -> ShownStudio:
            process = opened.enter_context(serving(file.parent, file.name, *arguments))
            studio = opened.enter_context(shown(browser, process.address))
            section(studio)
            pages.append(studio)
            return studio

        yield open_page
        for studio in pages:
            assert (studio.console, studio.foreign) == ([], [])


def job(page: "Page") -> Any:
    return page.evaluate("fetch('/api/state').then((answer) => answer.json())")["job"]


def hierarchy(page: "Page", column: str) -> Any:
    return job(page)["columns"][column]["hierarchy"]


def choose(page: "Page", column: str, kind: str) -> None:
    page.locator(f"[role=option][data-column={column}]").click()
    page.wait_for_selector(f".editor-head h3:text-is('{column}')")
    page.locator("[data-key=kind]").select_option(kind)
    page.wait_for_selector(_SETTLED)


def apply(page: "Page") -> None:
    page.get_by_role("button", name="Apply").click()
    page.wait_for_selector(".verdict-of-draft:text-is('This is the hierarchy of the job.')")


def labels(page: "Page") -> dict[str, list[str]]:
    """The labels of each value in the preview."""
    page.wait_for_selector(_SETTLED)
    rows = page.locator(".values-of-preview tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    )
    return {value: shown_labels for value, _, *shown_labels in rows}


def key(page: "Page", name: str) -> "Locator":
    return page.locator(f"[data-key='{name}']")


def test_columns_are_chosen_by_keyboard(people_page: ShownStudio) -> None:
    page = people_page.page
    page.locator("[role=option][aria-selected=true]").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".editor-head h3:text-is('sex')")
    assert page.evaluate("document.activeElement.dataset.column") == "sex"
    page.keyboard.press("End")
    page.wait_for_selector(".editor-head h3:text-is('zip')")
    page.keyboard.press("Home")
    page.wait_for_selector(".editor-head h3:text-is('age')")


def test_intervals_are_edited_and_applied(people_page: ShownStudio) -> None:
    page = people_page.page
    choose(page, "age", "intervals")
    page.get_by_role("radio", name="of equal width").check()
    page.get_by_role("radio", name="from a list").check()
    key(page, "min-0").fill("20")
    key(page, "max-0").fill("30")
    page.get_by_role("button", name="Add interval").click()
    assert page.evaluate("document.activeElement.dataset.key") == "max-1"
    key(page, "max-1").fill("35")
    assert page.locator("[data-from='1']").text_content() == "30"
    page.wait_for_selector(".strip-part.repeated")
    page.wait_for_selector(_SETTLED)
    assert labels(page)["29"][0] == "[20, 29]"
    assert labels(page)["47"][0] == "[45, 49]"
    page.get_by_role("button", name="Split interval 1").click()
    assert labels(page)["29"][0] == "[25, 29]"
    page.get_by_role("button", name="Merge interval 2 with the next").click()
    key(page, "interval-0-way").select_option("text")
    key(page, "interval-0-text").fill("young")
    page.wait_for_selector(".faults, .field-fault")
    key(page, "interval-0-way").select_option("")
    apply(page)
    applied = hierarchy(page, "age")
    assert applied["intervals"] == [{"min": 20, "max": 25}, {"min": 25, "max": 35}]
    key(page, "kind").focus()
    page.keyboard.press("Control+z")
    page.wait_for_selector("#said:text('Undone')", state="attached")
    assert hierarchy(page, "age") != applied


def test_a_fault_is_at_its_field_and_is_not_applied(people_page: ShownStudio) -> None:
    page = people_page.page
    choose(page, "age", "intervals")
    page.get_by_role("radio", name="of equal width").check()
    key(page, "widths").fill("5, 7")
    fault = page.locator("[data-path=widths] .field-fault")
    fault.wait_for()
    assert "not a larger multiple" in (fault.text_content() or "")
    assert key(page, "widths").get_attribute("aria-invalid") == "true"
    assert page.get_by_role("button", name="Apply").is_disabled()
    key(page, "widths").fill("5, 10")
    fault.wait_for(state="detached")
    key(page, "label-0").fill("30")
    page.wait_for_selector(".faults li.error:has-text(\"Does not cover '20'\")")
    assert page.get_by_role("button", name="Apply").is_disabled()
    page.get_by_role("button", name="Reset").click()
    page.wait_for_selector(".verdict-of-draft:text-is('This is the hierarchy of the job.')")


def test_values_are_ordered_by_keyboard_and_by_drag(people_page: ShownStudio) -> None:
    page = people_page.page
    choose(page, "zip", "order")
    first = page.locator(".order-list [role=option]").first
    first.focus()
    page.keyboard.press("Alt+ArrowDown")
    assert page.locator("#said").text_content() == "10115 is at 2 of 4"
    page.keyboard.press("Alt+ArrowDown")
    assert page.evaluate("document.activeElement.querySelector('.order-value').textContent") == "10115"
    assert labels(page)["10115"][0] == labels(page)["10118"][0] == "[10115, 10118]"
    page.locator(".order-list [role=option]").nth(3).drag_to(page.locator(".order-list [role=option]").first)
    apply(page)
    assert hierarchy(page, "zip")["values"] == ["10118", "10116", "10117", "10115"]
    page.get_by_role("button", name="Sort descending").click()
    apply(page)
    assert hierarchy(page, "zip")["values"] == ["10118", "10117", "10116", "10115"]


def test_values_are_grouped_by_keyboard_and_by_drag(people_page: ShownStudio) -> None:
    page = people_page.page
    choose(page, "zip", "levels")
    for value in ("10115", "10116"):
        page.get_by_label(value, exact=True).focus()
        page.keyboard.press("Space")
    page.get_by_label("Group ticked as").focus()
    page.keyboard.type("north")
    page.keyboard.press("Enter")
    assert page.locator("#said").text_content() == "2 grouped as north"
    assert labels(page)["10116"] == ["north", "*"]
    name = page.get_by_label("Name of the group all")
    name.fill("south")
    name.press("Enter")
    page.locator(".group-box li:has-text('10117')").drag_to(page.get_by_role("region", name="north"))
    assert labels(page) == {"10115": ["north", "*"], "10116": ["north", "*"], "10117": ["north", "*"], "10118": ["south", "*"]}
    page.get_by_role("button", name="Add level").click()
    page.get_by_label("south", exact=True).check()
    page.get_by_label("Group ticked as").fill("other")
    page.get_by_role("button", name="Group", exact=True).click()
    apply(page)
    assert hierarchy(page, "zip")["levels"] == [
        {"south": ["10118"], "north": ["10115", "10116", "10117"]},
        {"all": ["north"], "other": ["south"]},
        ["*"],
    ]


def test_the_levels_of_the_search_are_limited(people_page: ShownStudio) -> None:
    page = people_page.page
    choose(page, "zip", "redaction")
    key(page, "steps").fill("1, 3")
    page.wait_for_selector(_SETTLED)
    key(page, "min-level").select_option("1")
    key(page, "max-level").select_option("2")
    key(page, "weight").fill("2.5")
    apply(page)
    plan = job(page)["columns"]["zip"]
    assert (plan["min-level"], plan["max-level"], plan["weight"]) == (1, 2, 2.5)
    key(page, "min-level").select_option("3")
    page.wait_for_selector(".verdict-of-draft:text-is('The lowest level is above the highest.')")
    assert page.get_by_role("button", name="Apply").is_disabled()


def test_a_file_is_imported_and_exported(people_page: ShownStudio, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    page = people_page.page
    file = tmp_path / "zip.csv"
    file.write_text("10115;a;*\n10116;a;*\n10117;b;*\n10118;b;*\n")
    page.locator("[role=option][data-column=zip]").click()
    page.wait_for_selector(".editor-head h3:text-is('zip')")
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector("[data-path=rows]:has-text('4 lines, imported')")
    assert labels(page)["10118"] == ["b", "*"]
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Export CSV").click()
    assert downloaded.value.suggested_filename == "zip.csv"
    written = Path(downloaded.value.path()).read_text()
    assert list(csv.reader(StringIO(written), delimiter=";")) == list(csv.reader(StringIO(file.read_text()), delimiter=";"))
    previews: list[Route] = []
    page.route("**/api/hierarchy/preview", lambda route: route.continue_() if previews else previews.append(route))
    with page.expect_request("**/api/hierarchy/preview"):
        page.get_by_role("button", name="Edit as groups of values").click()
    name = page.get_by_label("Name of the group b")
    name.fill("c")
    with page.expect_response("**/api/hierarchy/preview"):
        previews[0].continue_()
    expect(name).to_have_value("c")
    name.press("Enter")
    apply(page)
    assert hierarchy(page, "zip")["levels"][-2:] == [{"a": ["10115", "10116"], "c": ["10117", "10118"]}, ["*"]]


def test_undo_brings_the_hierarchy_back_into_the_editor(people_page: ShownStudio) -> None:
    from playwright.sync_api import expect

    page = people_page.page
    before = hierarchy(page, "sex")
    choose(page, "sex", "order")
    apply(page)
    page.locator("#undo").click()
    expect(key(page, "kind")).to_have_value("file" if isinstance(before, str) else before["kind"])
    assert hierarchy(page, "sex") == before


def test_hostile_names_and_values_stay_text(page_of: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "hostile.csv"
    bad = "<img src=x onerror=alert(1)>"
    file.write_text(f"{bad},__proto__\n" + "".join(f"{bad}{place % 4},<b>{place % 3}\n" for place in range(60)))
    page = page_of(file, "--qi", f"{bad},__proto__").page
    for kind in ("levels", "order", "redaction", "rare"):
        key(page, "kind").select_option(kind)
        assert set(labels(page)) == {f"{bad}{place}" for place in range(4)}
    key(page, "kind").select_option("levels")
    page.get_by_label(f"{bad}1", exact=True).check()
    page.get_by_label("Group ticked as").fill("__proto__")
    page.get_by_role("button", name="Group", exact=True).click()
    assert labels(page)[f"{bad}1"] == ["__proto__", "*"]
    apply(page)
    assert page.locator("main img, main b").count() == 0


def test_a_column_with_many_values_stays_usable(page_of: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    file.write_text("code,group\n" + "".join(f"K{number:06d},{number % 2}\n" for number in range(100_000)))
    page = page_of(file, "--qi", "code,group").page
    key(page, "kind").select_option("order")
    page.wait_for_selector("text=100,000 values are too many to be moved here")
    key(page, "kind").select_option("codes")
    key(page, "level-0").fill("4")
    page.wait_for_selector(_SETTLED)
    page.get_by_label("Find a value or a label").fill("k0999")
    page.wait_for_selector("text=K099900")
    assert len(labels(page)) == 100
    assert page.locator("*").count() < 3000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_narrow_page(open_people: OpenPage, scheme: str) -> None:
    page = open_people(viewport={"width": 400, "height": 800}, color_scheme=scheme).page
    for kind in ("intervals", "order", "levels", "redaction", "codes", "rare", "priority", "flat", "file"):
        choose(page, "age", kind)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, kind


def test_each_control_has_a_name(people_page: ShownStudio) -> None:
    page = people_page.page
    for kind in ("intervals", "order", "levels", "redaction", "codes", "rare", "priority", "flat", "file"):
        choose(page, "age", kind)
        tree = page.locator("#hierarchies").aria_snapshot()
        assert not re.search(r"- (textbox|combobox|button|checkbox|radio|spinbutton|listbox)(:| *$)", tree, re.MULTILINE), tree

"""The sections Requirements, Lattice, and Before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.shown import job_of, shown
from tests.support.studio import serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.support.shown import ShownStudio


@pytest.fixture
def studio(people: Path, browser: Browser) -> Iterator[ShownStudio]:
    """The page of a studio on the persons, which makes neither an error nor a foreign request."""
    with serving(people.parent, people.name) as running, shown(browser, running.address) as opened:
        yield opened
        assert (opened.console, opened.foreign) == ([], [])


def levels_shown(studio: ShownStudio) -> dict[str, int]:
    """The levels by column in the table of the section Requirements."""
    rows = studio.page.locator("#requirements table:has(caption:text-is('Levels and information loss by column')) tbody tr")
    return {row.locator("th").inner_text(): int(row.locator("td").first.inner_text().split()[0]) for row in rows.all()}


def test_a_requirement_that_nothing_satisfies_says_what_stops_it(studio: ShownStudio) -> None:
    studio.section("Requirements")
    studio.page.get_by_label("k", exact=True).fill("241")
    studio.page.wait_for_selector("#requirements .judgement.fail:has-text('Not feasible')")
    assert len(studio.page.inner_text("#requirements .judgement")) > len("Not feasible: ")
    studio.page.get_by_label("k", exact=True).fill("5")
    studio.page.wait_for_selector("#requirements .judgement.pass")


def test_a_model_is_changed_and_removed(studio: ShownStudio) -> None:
    page = studio.page
    studio.section("Requirements")
    page.get_by_label("Add a model to disease").select_option(label="distinct l-diversity")
    page.get_by_role("button", name="Add the chosen model to disease").click()
    page.locator("#model-0-1-l").fill("3")
    page.keyboard.press("Tab")
    page.wait_for_selector("#requirements tr:has-text('l-diversity of disease') td:text-is('3')")
    assert job_of(page)["privacy"][1] == {"model": "l-diversity", "l": 3, "column": "disease"}
    page.get_by_role("button", name="Remove distinct l-diversity of disease").click()
    page.wait_for_selector("#model-0-1-l", state="detached")
    assert [model["model"] for model in job_of(page)["privacy"]] == ["k-anonymity"]


def test_adversaries_are_named_and_must_know_every_column(studio: ShownStudio) -> None:
    page = studio.page
    studio.section("Requirements")
    page.get_by_role("button", name="Add an adversary").click()
    page.wait_for_selector("#adversary-0-name:focus")
    page.keyboard.type("employer")
    page.keyboard.press("Enter")
    group = page.get_by_role("group", name="Columns that employer knows")
    group.wait_for()
    page.wait_for_selector("#requirements tr:has(th:text-is('employer'))")
    group.get_by_label("zip").uncheck()
    page.wait_for_selector("#requirements .judgement:has-text('no adversary knows the quasi-identifier')")
    assert set(job_of(page)["adversaries"]["employer"]["columns"]) == {"age", "sex"}
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("#requirements .judgement.pass")
    assert group.get_by_label("zip").is_checked()
    assert all("422" in line for line in studio.console)
    studio.console.clear()


def test_the_lattice_and_the_decision_agree_and_a_pinned_node_is_kept(studio: ShownStudio) -> None:
    page = studio.page
    studio.section("Requirements")
    page.wait_for_selector("#requirements .figures")
    optimum = ", ".join(f"{column} {level}" for column, level in levels_shown(studio).items())
    studio.section("Lattice")
    page.wait_for_selector("#lattice-chart canvas")
    assert page.inner_text(".node-title") == optimum
    page.get_by_label("only nodes that satisfy the requirements").check()
    assert page.locator("#lattice td:text-is('no')").count() == 0
    page.locator("button.node").nth(1).click()
    chosen = page.inner_text(".node-title")
    assert chosen != optimum
    assert optimum in page.inner_text("#lattice caption:has-text('compared with')")
    page.get_by_role("button", name="Pin this node").click()
    page.wait_for_selector("#unpin")
    pinned = job_of(page)["recoding"]["levels"]
    assert ", ".join(f"{column} {level}" for column, level in pinned.items()) == chosen
    studio.section("Requirements")
    for column, level in pinned.items():
        page.wait_for_selector(f"#requirements tr:has(th:text-is('{column}')) td:has-text('{level} of')")
    assert levels_shown(studio) == pinned
    studio.section("Lattice")
    page.get_by_role("button", name="Unpin").click()
    page.wait_for_selector("#unpin", state="detached")
    assert "levels" not in job_of(page)["recoding"]


def test_another_algorithm_is_tried_and_chosen(studio: ShownStudio) -> None:
    page = studio.page
    studio.section("Lattice")
    page.get_by_role("button", name="Try local recoding").click()
    page.get_by_role("button", name="Use local recoding").click(timeout=60_000)
    page.wait_for_selector("#undo:enabled")
    assert job_of(page)["recoding"]["algorithm"] == "local"


def test_rows_of_persons_leave_the_server_only_when_they_are_wanted(studio: ShownStudio) -> None:
    page = studio.page
    with page.expect_response("**/api/rows") as first:
        studio.section("Before and after")
    assert first.value.json()["rows"] == []
    with page.expect_response("**/api/rows") as second:
        page.get_by_role("button", name="Show values of persons").and_(page.locator("#rows button")).click()
    page.wait_for_selector("#sample-rows tbody tr")
    assert page.locator("#sample-rows tbody tr").count() == len(second.value.json()["rows"]) == 20
    page.locator("#rows button").click()
    assert page.locator("#sample-rows tr").count() == 0


def test_a_fault_is_not_called_infeasible(people: Path, browser: Browser) -> None:
    with serving(people.parent, people.name) as running, shown(browser, running.address) as studio:
        page = studio.page
        studio.section("Requirements")
        page.route(
            "**/api/decision", lambda route: route.fulfill(status=500, json={"error": "internal error: a statement failed"})
        )
        page.get_by_label("k", exact=True).fill("7")
        page.wait_for_selector("#requirements .judgement:has-text('Not decided: internal error: a statement failed')")
        page.unroute("**/api/decision")
        running.process.kill()
        page.wait_for_selector("#failure:has-text('The studio has ended')")
        page.get_by_label("k", exact=True).fill("8")
        page.wait_for_selector("#requirements .judgement:has-text('Not decided: the studio\\'s server is gone')")
        assert "easible" not in page.inner_text("#requirements")

"""Inputs that disappear, change or are unusual, and two studios on one file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.studio.conftest import Open
from tests.support.rows import write_parquet
from tests.support.shown import shown
from tests.support.studio import LocalStudio, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RUN = {"output": "out.csv", "report": False, "overwrite": False}


def test_an_input_that_is_gone_is_noticed_before_the_run(studio: LocalStudio, people: Path) -> None:
    people.unlink()
    error = studio.post("/api/run", RUN, 422)["error"]
    assert "'people.csv' no longer exists" in error
    assert "\n" not in error


def test_an_input_that_changed_is_noticed_before_the_run(studio: LocalStudio, people: Path) -> None:
    with people.open("a") as file:
        file.write("44,F,10115,flu\n")
    error = studio.post("/api/run", RUN, 422)["error"]
    assert "'people.csv' has changed" in error
    assert not (people.parent / "out.csv").exists()


def test_an_input_of_the_same_size_that_changed_is_noticed(studio: LocalStudio, people: Path) -> None:
    before = people.stat()
    people.write_text(people.read_text().replace("flu", "flo"))
    os.utime(people, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert "has changed" in studio.post("/api/run", RUN, 422)["error"]


def test_a_file_that_joins_the_folder_is_noticed(people: Path, open_studio: Open) -> None:
    folder = people.parent / "parts"
    folder.mkdir()
    people.rename(folder / "a.csv")
    studio = open_studio(folder.name)
    (folder / "b.csv").write_bytes((folder / "a.csv").read_bytes())
    assert "has changed" in studio.post("/api/run", RUN, 422)["error"]


def test_two_studios_on_one_file_do_not_disturb_each_other(people: Path, open_studio: Open) -> None:
    first, second = open_studio(people.name), open_studio(people.name)
    columns = first.get("/api/state")["job"]["columns"]
    first.edit(columns={**columns, "sex": {"role": "insensitive"}})
    assert second.get("/api/state")["revision"] == 1
    assert [studio.released(name)["status"] for studio, name in ((first, "one.csv"), (second, "two.csv"))] == ["done", "done"]
    third = second.post("/api/run", {**RUN, "output": "one.csv"}, 422)
    assert "'one.csv' exists" in third["error"]


def test_two_studios_in_one_browser_keep_their_sessions(people: Path, browser: "Browser") -> None:
    """Browsers send a cookie to every port of a host."""
    with (
        serving(people.parent, people.name) as first,
        serving(people.parent, people.name) as second,
        shown(browser, first.address) as studio,
    ):
        page = studio.page.context.new_page()
        page.goto(second.address)
        page.wait_for_selector("html[data-status=ready]")
        studio.page.get_by_label("Role of sex").select_option("dropped")
        studio.page.wait_for_selector("#undo:enabled")
        assert page.get_by_label("Role of sex").input_value() != "dropped"


def test_three_hundred_columns_are_shown_and_released(
    tmp_path: Path, open_studio: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_parquet(tmp_path / "wide.parquet", [{f"c{column}": (row * column) % 3 for column in range(300)} for row in range(60)])
    studio = open_studio("wide.parquet")
    state = studio.get("/api/state")
    assert [column["name"] for column in state["columns"]] == [f"c{column}" for column in range(300)]
    # a complete search of so many columns would take hours
    assert state["job"]["recoding"]["algorithm"] == "auto"
    studio.edit(columns={name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in ("c7", "c200")})
    assert studio.released("out.parquet")["status"] == "done"


NAME = "<img src=x onerror=alert(1)>"
VALUES = ["<script>alert(1)</script>", '"><svg onload=alert(1)>', "{{ 7*7 }}", "javascript:alert(1)"]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A table whose name, columns and values are scripts."""
    rows = [
        {NAME: VALUES[number % 4], "</script><script>alert(2)</script>": number % 5, "x": number % 2} for number in range(80)
    ]
    return write_parquet(tmp_path / "<b onclick=alert(3)>.parquet", rows)


def test_scripts_in_names_and_values_are_shown_as_text(hostile: Path, browser: "Browser") -> None:
    with serving(hostile.parent, hostile.name) as running, shown(browser, running.address) as studio:
        page = studio.page
        page.on("dialog", lambda dialog: studio.console.append(f"dialog: {dialog.message}"))
        assert page.inner_text("h1") == hostile.name
        assert page.get_by_label(f"Role of {NAME}", exact=True).count() == 1
        for button in page.locator("tbody button.plain").all():
            button.click()
        page.locator(".bars").nth(2).wait_for()
        page.get_by_role("button", name="Show values of persons").click()
        page.wait_for_selector("#rows-of-input td")
        assert set(VALUES) <= set(page.locator("#rows-of-input td").all_inner_texts())
        page.get_by_label(f"Role of {NAME}", exact=True).select_option("sensitive")
        studio.section("Run")
        page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for_selector(".run-outcome .verdict", timeout=60_000)
        page.get_by_role("button", name="Show command and job file").click()
        page.wait_for_selector("#command-and-job pre")
        assert page.locator("main img, main script, main svg[onload]").count() == 0
        assert (studio.console, studio.foreign) == ([], [])


def test_a_value_is_never_in_a_message(studio: LocalStudio) -> None:
    """Nor in the answer to a fault of the program."""
    state = studio.get("/api/state")
    columns = {
        **state["job"]["columns"],
        "disease": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5]}},
    }
    studio.edit(columns=columns)
    answer = studio.released("out.csv")
    assert answer["status"] == "failed"
    assert "disease" in answer["message"]

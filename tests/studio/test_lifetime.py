"""When a studio ends, and that it leaves nothing behind."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from duckanon.errors import ExitCode
from duckanon.studio.session import GRACE
from tests.support.shown import READY, shown
from tests.support.studio import StudioProcess, released_rows, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def temporary(tmp_path: Path) -> dict[str, str]:
    """An environment whose temporary files are in a folder of the test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return {"TMPDIR": str(folder)}


def left(environment: dict[str, str]) -> list[str]:
    """The names of the temporary files that are left."""
    return [path.name for path in Path(environment["TMPDIR"]).iterdir()]


def wait_for_folder(environment: dict[str, str]) -> None:
    """Wait until the engine has its private folder."""
    deadline = time.monotonic() + 60
    while not left(environment):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(studio: StudioProcess) -> bool:
    """Whether the process has not ended."""
    return studio.process.poll() is None


def test_ctrl_c_ends_it_and_leaves_nothing(people: Path, temporary: dict[str, str]) -> None:
    before = sorted(people.parent.rglob("*"))
    with serving(people.parent, people.name, environment=temporary) as running:
        wait_for_folder(temporary)
        running.interrupt()
        code, err = running.ended()
    assert code == ExitCode.INTERRUPTED
    assert "Traceback" not in err
    assert left(temporary) == []
    assert sorted(people.parent.rglob("*")) == before


def test_ctrl_c_ends_it_while_a_page_is_open(people: Path, temporary: dict[str, str], browser: "Browser") -> None:
    with serving(people.parent, people.name, environment=temporary) as running, shown(browser, running.address) as studio:
        running.interrupt()
        assert running.ended()[0] == ExitCode.INTERRUPTED
        studio.page.wait_for_selector("#failure:has-text('has ended')")
    assert left(temporary) == []


def test_it_ends_with_its_last_page_and_not_before(people: Path, temporary: dict[str, str], browser: "Browser") -> None:
    with serving(people.parent, people.name, environment=temporary) as running:
        with shown(browser, running.address) as studio:
            second = studio.page.context.new_page()
            second.goto(running.address.partition("?")[0])
            second.wait_for_selector(READY)
            studio.page.close()
            second.wait_for_timeout(1000 * GRACE + 1500)
            assert is_running(running)
        closed = time.monotonic()
        code, err = running.ended(GRACE + 30)
        assert time.monotonic() - closed > GRACE / 2
    assert (code, "Traceback" in err) == (0, False)
    assert left(temporary) == []


def test_a_reload_keeps_the_studio_and_its_state(people: Path, browser: "Browser") -> None:
    with serving(people.parent, people.name) as running, shown(browser, running.address) as studio:
        page = studio.page
        page.get_by_label("Role of zip").select_option("insensitive")
        page.wait_for_selector("#undo:enabled")
        page.reload()
        page.wait_for_selector(READY)
        page.wait_for_timeout(1000 * GRACE + 1500)
        assert is_running(running)
        assert page.get_by_label("Role of zip").input_value() == "insensitive"
        page.keyboard.press("Control+z")
        page.wait_for_selector("#redo:enabled")
        assert page.get_by_label("Role of zip").input_value() != "insensitive"
        assert (studio.console, studio.foreign) == ([], [])


def test_a_run_under_way_is_finished_when_the_browser_closes(
    people: Path, temporary: dict[str, str], browser: "Browser"
) -> None:
    with serving(people.parent, people.name, environment=temporary) as running:
        with shown(browser, running.address) as studio:
            studio.section("Run")
            with studio.page.expect_response("**/api/run") as started:
                studio.page.get_by_role("button", name="Run", exact=True).click()
            assert started.value.ok
        code, err = running.ended()
    assert code == 0
    assert "people.anonymized.csv: released and verified" in err
    assert released_rows(people.parent / "people.anonymized.csv")
    assert left(temporary) == []


def test_an_input_that_cannot_be_read_ends_it_with_its_exit_code(tmp_path: Path, temporary: dict[str, str]) -> None:
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 is not enough PAR1")
    with serving(tmp_path, "broken.parquet", environment=temporary) as running:
        code, err = running.ended(GRACE + 60)
    assert code == ExitCode.DATA
    assert "broken.parquet" in err.splitlines()[-1]
    assert "Traceback" not in err
    assert left(temporary) == []

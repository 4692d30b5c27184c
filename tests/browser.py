"""A browser that tests open pages in: what it drew, what it complained of, and what it asked for."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_DRAWN = "html[data-charts=drawn]"


@dataclass
class Opened:
    """An open page, and everything but itself that it asked for or said."""

    page: "Page"
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def is_quiet(self) -> bool:
        """Whether it neither complained nor asked for anything."""
        return not self.said and not self.asked


Look = Callable[..., Opened]


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """A headless Chromium; skips without one, fails in CI."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        _give_up("no Chromium is installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _give_up("playwright is not installed")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=_ARGUMENTS)
        yield started
        started.close()


def _give_up(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def look(browser: "Browser", tmp_path: Path) -> Iterator[Look]:
    """Opens a page's text from a file, with what a browser context may be told, and waits until its charts stand."""
    with ExitStack() as opened:

        def open_page(html: str, **options: Any) -> Opened:
            path = tmp_path / "page.html"
            path.write_text(html, encoding="utf-8")
            context = opened.enter_context(browser.new_context(**options))
            seen = Opened(context.new_page())
            seen.page.on("console", lambda message: seen.said.append(f"{message.type}: {message.text}"))
            seen.page.on("pageerror", lambda error: seen.said.append(f"error: {error}"))
            seen.page.on("request", lambda request: _note(seen.asked, request.url, path.as_uri()))
            seen.page.goto(path.as_uri())
            if options.get("java_script_enabled", True):
                seen.page.wait_for_selector(_DRAWN, timeout=120_000)
            return seen

        yield open_page


def _note(asked: list[str], url: str, own: str) -> None:
    if url != own:
        asked.append(url)

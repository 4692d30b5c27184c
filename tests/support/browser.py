"""A browser that tests open pages in: its drawings, console messages and requests."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.absence import absent

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


@contextmanager
def started() -> Iterator["Browser"]:
    """A headless Chromium; skips the test without one, fails in CI."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        absent("no Chromium is installed (apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright is not installed")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=_ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Opened:
    """An open page, and everything but itself that it asked for or said."""

    page: "Page"
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def is_quiet(self) -> bool:
        """Whether it neither complained nor asked for anything."""
        return not self.console and not self.requests


Look = Callable[..., Opened]

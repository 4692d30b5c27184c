"""Opens pages in the headless Chromium."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import Look, Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_DRAWN = "html[data-charts=drawn]"


@pytest.fixture
def look(browser: "Browser", tmp_path: Path) -> Iterator[Look]:
    """Opens a page's text from a file, with what a browser context may be told, and waits until its charts stand."""
    with ExitStack() as opened:

        def open_page(html: str, **options: Any) -> Opened:
            path = tmp_path / "page.html"
            path.write_text(html, encoding="utf-8")
            context = opened.enter_context(browser.new_context(**options))
            seen = Opened(context.new_page())
            seen.page.on("console", lambda message: seen.console.append(f"{message.type}: {message.text}"))
            seen.page.on("pageerror", lambda error: seen.console.append(f"error: {error}"))
            seen.page.on("request", lambda request: _note(seen.requests, request.url, path.as_uri()))
            seen.page.goto(path.as_uri())
            if options.get("java_script_enabled", True):
                seen.page.wait_for_selector(_DRAWN, timeout=120_000)
            return seen

        yield open_page


def _note(requests: list[str], url: str, own: str) -> None:
    if url != own:
        requests.append(url)

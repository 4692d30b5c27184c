"""A studio's page in a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

READY = "html[data-page=shown][data-status=ready]"


@dataclass
class ShownStudio:
    """A page, what its console showed, and the requests that left the studio."""

    page: "Page"
    console: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def watch(self, page: "Page", own: str) -> None:
        """Note what a page of the studio does."""
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"error: {error}"))
        page.on(
            "request", lambda request: None if urlsplit(request.url).netloc in (own, "") else self.foreign.append(request.url)
        )

    def section(self, title: str) -> None:
        """Open a section."""
        self.page.get_by_role("tab", name=title, exact=True).click()


def wait_for_value(page: "Page", label: str, value: str) -> None:
    """Wait until the field with a label has a value."""
    from playwright.sync_api import expect

    expect(page.get_by_label(label, exact=True)).to_have_value(value)


@contextmanager
def shown(browser: "Browser", address: str, until: str = READY, **options: Any) -> Iterator[ShownStudio]:
    """The page at an address, once it is shown; `options` are those of a browser context."""
    context = browser.new_context(**options)
    try:
        studio = ShownStudio(context.new_page())
        studio.watch(studio.page, urlsplit(address).netloc)
        studio.page.goto(address)
        studio.page.wait_for_selector(until, timeout=60_000)
        yield studio
    finally:
        context.close()


def job_of(page: "Page") -> Any:
    """The job that the server has."""
    return page.evaluate("fetch('/api/state').then((answer) => answer.json()).then((state) => state.job)")

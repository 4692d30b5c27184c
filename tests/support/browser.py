"""A browser that tests open pages in: what it drew, what it complained of, and what it asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


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

"""The progress of the engine, as events for the page."""

import time
from collections.abc import Callable, Mapping
from typing import Any

Publish = Callable[[str, Mapping[str, Any]], None]
_SECONDS_BETWEEN = 0.1


class Progress:
    """An observer that publishes stages as `progress`: their title and the share that is done, None if it is unknown."""

    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        self._title = ""
        self._total: int | None = None
        self._last = 0.0

    def stage(self, title: str, total: int | None = None) -> None:
        self._title, self._total = title, total
        self._show(title, None if total else 0.0)

    def advance(self, done: float) -> None:
        if time.monotonic() - self._last >= _SECONDS_BETWEEN:
            self._show(self._title, min(done / self._total, 1.0) if self._total else done)

    def finish(self) -> None:
        self._show("", None)

    def step(self, relation: str, rows: int | None, seconds: float) -> None:
        pass

    def warn(self, message: str) -> None:
        pass

    def note(self, message: str, *, is_detail: bool = False) -> None:
        pass

    def _show(self, stage: str, share: float | None) -> None:
        self._last = time.monotonic()
        self._publish("progress", {"stage": stage, "share": share})

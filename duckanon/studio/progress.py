"""The progress of an engine, for the page."""

import time
from collections import deque
from collections.abc import Callable

Show = Callable[[str, float | None], None]
"""Takes the title of a stage, empty after its end, and the share that is done, None if it is unknown."""

_SECONDS_BETWEEN = 0.1
_MOST_NOTES = 50


class Stopped(Exception):
    """The user stopped a run."""


class Progress:
    """An observer that shows stages, some times a second, and keeps notes and warnings."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._title = ""
        self._total: int | None = None
        self._last = 0.0
        self.notes: deque[str] = deque(maxlen=_MOST_NOTES)
        """The last notes and warnings, without details."""
        self.is_stopping = False

    def stage(self, title: str, total: int | None = None) -> None:
        self._stop_if_wanted()
        self._title, self._total = title, total
        self._now(title, 0.0)

    def advance(self, done: float) -> None:
        self._stop_if_wanted()
        if time.monotonic() - self._last >= _SECONDS_BETWEEN:
            self._now(self._title, min(done / self._total, 1.0) if self._total else done)

    def finish(self) -> None:
        self._now("", None)

    def step(self, relation: str, rows: int | None, seconds: float) -> None:
        pass

    def warn(self, message: str) -> None:
        self.notes.append(message)

    def note(self, message: str, *, is_detail: bool = False) -> None:
        if not is_detail:
            self.notes.append(message)

    def _now(self, title: str, share: float | None) -> None:
        self._last = time.monotonic()
        self._show(title, share)

    def _stop_if_wanted(self) -> None:
        """Raise `Stopped`, which undoes a run; a run asks here before and during each pass over the rows."""
        if self.is_stopping:
            raise Stopped

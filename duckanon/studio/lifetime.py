"""When a studio ends: some seconds after its last page is closed and its last run has ended."""

import asyncio
from collections.abc import Callable

from duckanon.studio.session import Studio

GRACE = 5.0
"""Seconds without a page until the end; a reload takes less."""


class Lifetime:
    """Calls `end` once no page is open any more. A studio whose page was never opened waits for it, unless its input cannot be opened."""

    def __init__(self, studio: Studio, end: Callable[[], None], grace: float = GRACE) -> None:
        self._studio = studio
        self._end = end
        self._grace = grace
        self._waiting: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        studio.on_change = self.look

    async def open(self) -> None:
        """Open the input, and end if that fails without a page that could show why."""
        await self._studio.open()
        if self._studio.failure is not None:
            self.look()

    def look(self) -> None:
        """Start to wait for the end if nothing keeps the studio open, else stop waiting."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        if not self._studio.is_busy:
            self._waiting = self._loop.call_later(self._grace, self._end)

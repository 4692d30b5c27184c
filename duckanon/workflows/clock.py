"""The duration of each part of a run."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

PARTS = ("count", "search", "write", "verify")


class Clock:
    """Wall-clock seconds of each part of a run, and in total since the creation of this object."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self._started = time.perf_counter()
        self._parts = dict.fromkeys(PARTS, 0.0)

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        """Add the duration of the block to a part."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._parts[part] += time.perf_counter() - started

    @property
    def seconds(self) -> dict[str, float]:
        """The parts so far, and `total`."""
        return {**self._parts, "total": time.perf_counter() - self._started}

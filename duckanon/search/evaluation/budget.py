"""How long a search may take."""

import time


class BudgetSpent(Exception):
    """No further node may be visited; a search tells the best that it has found, and what it has proven."""


class Budget:
    """Seconds from now on, and nodes visited; the first node is visited in any case."""

    def __init__(self, seconds: float | None = None, nodes: int | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._nodes = nodes
        self.spent: str | None = None
        """Which limit ended the search, `time-limit` or `max-nodes`."""

    def half(self) -> "Budget":
        """Half of the seconds that are left, and of the nodes."""
        seconds = None if self._end is None else max(0.0, self._end - time.monotonic()) / 2
        return Budget(seconds, None if self._nodes is None else max(1, self._nodes // 2))

    def room(self, visited: int) -> int | None:
        """How many nodes more may be visited, at least the first; None where there is no such limit."""
        return None if self._nodes is None else max(1, self._nodes - visited)

    def check(self, visited: int) -> None:
        """Raises `BudgetSpent` where one node more is too many."""
        if visited == 0:
            return
        if self._nodes is not None and visited >= self._nodes:
            self.spent = "max-nodes"
        elif self._end is not None and time.monotonic() >= self._end:
            self.spent = "time-limit"
        if self.spent is not None:
            raise BudgetSpent

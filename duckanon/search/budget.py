"""The limits of a search: seconds and visited nodes."""

import time


class BudgetSpent(Exception):
    """No further node may be visited; the search returns the best node so far and a proven bound."""


class Budget:
    """A limit of seconds, counted from the creation, and of visited nodes; the first node is always visited.

    `until`: when the run must end, on the clock of `time.monotonic`.
    """

    def __init__(self, seconds: float | None = None, nodes: int | None = None, until: float | None = None) -> None:
        ends = [until, None if seconds is None else time.monotonic() + seconds]
        self._end = min((end for end in ends if end is not None), default=None)
        self._nodes = nodes
        self._halves: list[Budget] = []
        self.spent: str | None = None
        """The limit that ended the search, `time-limit` or `max-nodes`."""

    def half(self) -> "Budget":
        """A budget of half of the remaining seconds, and as many nodes."""
        seconds = None if self._end is None else max(0.0, self._end - time.monotonic()) / 2
        self._halves.append(Budget(seconds, self._nodes))
        return self._halves[-1]

    @property
    def is_limited(self) -> bool:
        return self._end is not None or self._nodes is not None

    @property
    def spent_in_part(self) -> str | None:
        """The limit that ended the search, or a search with half of the budget."""
        return self.spent or next(filter(None, (half.spent_in_part for half in self._halves)), None)

    def room(self, visited: int) -> int | None:
        """How many more nodes may be visited, at least 1; None without such a limit."""
        return None if self._nodes is None else max(1, self._nodes - visited)

    def check(self, visited: int) -> None:
        """Raise `BudgetSpent` if no further node may be visited."""
        if visited == 0:
            return
        if self._nodes is not None and visited >= self._nodes:
            self.spent = "max-nodes"
        elif self._end is not None and time.monotonic() >= self._end:
            self.spent = "time-limit"
        if self.spent is not None:
            raise BudgetSpent

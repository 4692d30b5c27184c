"""How many cases each test runs, and how they ended."""

from collections import Counter

from hypothesis import HealthCheck, Phase, settings

from tests.support import levels
from tests.support.tables_of_trust import RecordRow

CASES = levels.current().cases
"""Cases of all tests together."""


def share(part: float, *, explain: bool = False) -> settings:
    """Settings for a test that takes so much of all cases; nothing is kept, and what fails is printed with its blob."""
    return settings(
        max_examples=max(1, round(CASES * part)),
        deadline=None,
        derandomize=not levels.current().is_random,
        database=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink, *([Phase.explain] if explain else [])],
    )


class Tally:
    """Runs counted by how they ended."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.codes: Counter[int] = Counter()
        self.judged = 0

    def add(self, code: int, *, judged: bool = False) -> None:
        self.codes[code] += 1
        self.judged += judged

    @property
    def cases(self) -> int:
        return self.codes.total()

    def tell(self, record_row: RecordRow) -> None:
        """The row of the table that the run ends with."""
        ended = {f"exit {code}": self.codes[code] for code in range(4)}
        record_row("cases", **{"what": self.what, "cases": self.cases, **ended, "judged by the oracle": self.judged})

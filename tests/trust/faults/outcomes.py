"""What the runs of one fault left, counted: a row of the table."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.support.tables_of_trust import RecordRow

BEFORE, NEW, BROKEN = "as before", "new", "partial or lost"


class Outcomes:
    """Each run leaves what was there before, or all that is new; anything else is partial or lost."""

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.ends: Counter[str] = Counter()
        self.left: list[str] = []

    def add(self, *, as_before: bool, is_new: bool = False, left: Iterable[Path | str] = ()) -> None:
        """How one run ended; `left` is what stands where nothing should, after the run or after the next start."""
        self.ends[BEFORE if as_before else NEW if is_new else BROKEN] += 1
        self.left += [str(path) for path in left]

    def tell(self, record_row: RecordRow) -> None:
        """The row of the table, and the judgement: nothing partial, nothing lost, nothing left."""
        ends = {end: self.ends[end] for end in (BEFORE, NEW, BROKEN)}
        record_row("faults", fault=self.fault, runs=self.ends.total(), **ends, **{"files left": len(self.left)})
        assert self.ends[BROKEN] == 0, f"{self.fault}: partial or lost in {self.ends[BROKEN]} of {self.ends.total()} runs"
        assert not self.left, f"{self.fault}: {self.left} are left"

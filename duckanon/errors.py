"""Everything that can go wrong, and the exit code that it ends with.

    DuckanonError
    ├── GuaranteeError          1   the promise does not hold
    │   ├── Infeasible              no recoding within the limits
    │   └── VerificationFailed      the file that was written does not keep it
    ├── UsageError              2   what was asked for makes no sense
    │   ├── JobError                job file or options
    │   └── HierarchyError          a generalization hierarchy
    └── DataError               3   what was met on the way
        ├── InputError              a file that cannot be read
        ├── OutputError             a place that cannot be written
        ├── EngineError             the database gave up
        └── Exhausted               memory or disk space ran out, whatever was being read or written
            └── OutOfMemory

A message is one line (several faults: one each) that names the thing, the nearest right thing and the next step. It holds no
value of a record, except the values of a column that a hierarchy does not cover.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntEnum
from typing import Any


class ExitCode(IntEnum):
    """What the process tells the shell."""

    DONE = 0
    """Done, and the guarantee holds."""
    NOT_MET = 1
    """The guarantee does not hold, or cannot be met within the limits; with `--strict`: there was a warning."""
    USAGE = 2
    """Options, job file or hierarchy file are wrong."""
    DATA = 3
    """Input, output or engine failed."""
    INTERRUPTED = 130
    """Stopped by the user."""


class DuckanonError(Exception):
    """Base of every error that duckanon raises on purpose."""

    exit_code = ExitCode.DATA

    @property
    def lines(self) -> list[str]:
        """The message as it is told, a line each; one, unless several things are wrong at once."""
        return [str(self)]


class GuaranteeError(DuckanonError):
    """The promise does not hold."""

    exit_code = ExitCode.NOT_MET

    def __init__(self, message: str, manifest: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.manifest = manifest
        """The run's document, with `status` saying what happened; None where none was made."""


class Infeasible(GuaranteeError):
    """No recoding satisfies the requirements within the limits."""


class VerificationFailed(GuaranteeError):
    """The file that was written does not keep the promise; it has been removed."""


class UsageError(DuckanonError, ValueError):
    """What was asked for makes no sense."""

    exit_code = ExitCode.USAGE


class JobError(UsageError):
    """The job file or the options contradict themselves or the input."""


class HierarchyError(UsageError):
    """A generalization hierarchy is malformed or does not cover the data; all that is wrong, a line a fault."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self._lines = lines

    @property
    def lines(self) -> list[str]:
        return list(self._lines)


class DataError(DuckanonError):
    """What was met on the way."""


class InputError(DataError):
    """The input cannot be read."""


class OutputError(DataError):
    """The output cannot be written."""


class EngineError(DataError):
    """The database gave up."""


class Exhausted(DataError):
    """The machine has no more of what the database needs: no fault of a file that it was reading."""


class OutOfMemory(Exhausted):
    """The database needs more memory than it may have, and cannot spill more."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word closest in spelling, or None where nothing is near."""
    by_fold = {candidate.casefold(): candidate for candidate in known}
    matches = get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A clause to put behind a message about an unknown word: the nearest one, or all of a few."""
    candidates = list(known)
    match = nearest(word, candidates)
    if match is not None:
        return f"; did you mean {match!r}?"
    if candidates and len(candidates) <= 20:
        return f"; known: {', '.join(candidates)}"
    return ""

"""All errors and their exit codes.

    DuckanonError
    ├── GuaranteeError          1   the privacy guarantee does not hold
    │   ├── Infeasible              no recoding satisfies the requirements within the limits
    │   ├── VerificationFailed      the written file does not satisfy the requirements
    │   └── AttestationError        an attestation does not hold
    ├── UsageError              2   the request is wrong
    │   ├── JobError                job file or options
    │   └── HierarchyError          a generalization hierarchy
    └── DataError               3   input, output or engine failed
        ├── InputError              the input cannot be read
        ├── OutputError             the output cannot be written
        ├── EngineError             the database failed
        │   └── LockedFile              another process has the file open
        └── Exhausted               memory or disk space ran out
            └── OutOfMemory

A message has one line for each fault. The line names the object, the closest valid alternative and the next step. It contains no
values of records, except values that a hierarchy does not cover.
"""

import traceback
from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntEnum
from typing import Any


class ExitCode(IntEnum):
    """The exit code of the process."""

    DONE = 0
    """Done. The guarantee holds."""
    NOT_MET = 1
    """The guarantee does not hold, or cannot be met within the limits. With `--strict`: the command gave a warning."""
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
        """The message as lines, one for each fault."""
        return [str(self)]


class GuaranteeError(DuckanonError):
    """The privacy guarantee does not hold."""

    exit_code = ExitCode.NOT_MET

    def __init__(self, message: str, manifest: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.manifest = manifest
        """The manifest of the run, whose `status` says what happened; None if the run made no manifest."""


class Infeasible(GuaranteeError):
    """No recoding satisfies the requirements within the limits."""


class VerificationFailed(GuaranteeError):
    """The written file does not satisfy the requirements, or differs from what it should contain. duckanon has removed it."""


class AttestationError(GuaranteeError):
    """An attestation does not hold: its signature, file, policy or statement does not match."""


class UsageError(DuckanonError, ValueError):
    """The request is wrong."""

    exit_code = ExitCode.USAGE


class JobError(UsageError):
    """The job file or the options are wrong, or contradict each other or the input."""


class HierarchyError(UsageError):
    """A generalization hierarchy is malformed or does not cover the data. The message has one line for each fault."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self._lines = lines

    @property
    def lines(self) -> list[str]:
        return list(self._lines)


class DataError(DuckanonError):
    """Input, output or engine failed."""


class InputError(DataError):
    """The input cannot be read."""


class OutputError(DataError):
    """The output cannot be written."""


class EngineError(DataError):
    """The database failed."""


class LockedFile(EngineError):
    """Another process has a database file open."""


class Exhausted(DataError):
    """The machine has too little memory or disk space for the database. The file that it reads is not the cause."""


class OutOfMemory(Exhausted):
    """The database needs more memory than its limit, and cannot spill more to disk."""


def internal_error(error: BaseException) -> str:
    """A fault of the program in one line. Its own message may quote values of a person; its place is enough to find the fault."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error: {type(error).__name__} in {place.name}, line {place.lineno}; please report it"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is closest in spelling; None if no word is close."""
    by_fold = {candidate.casefold(): candidate for candidate in known}
    matches = get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the closest known word, or all known words if there are at most 20."""
    candidates = list(known)
    match = nearest(word, candidates)
    if match is not None:
        return f"; did you mean {match!r}?"
    if candidates and len(candidates) <= 20:
        return f"; known: {', '.join(candidates)}"
    return ""

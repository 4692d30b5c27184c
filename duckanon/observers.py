"""Observers receive the progress of a run. The command line shows it; a library caller may ignore it."""

import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, Self, TypeVar

WARNINGS: Mapping[str, str] = {
    "assumed-any": "k holds only for adversaries who know any 3 quasi-identifiers, as version 0.2 assumed",
    "constant-column": "every released record shows the same value in the column",
    "dependency": "the column discloses quasi-identifiers, or follows from them, beyond the released labels",
    "deprecated": "an argument has a new name",
    "detected-roles": "the roles are detected, so columns without a declared role are not kept",
    "direct-identifiers": "values of the column look like direct identifiers",
    "input-format": "the input can be read in two ways",
    "key": "the column links rows of a person like a pseudonym",
    "key-file": "others can read the key file",
    "linked-releases": "an earlier release can be combined with this one",
    "linked-rows": "the column links rows of a few persons",
    "lost-groups": "suppression removes a large share of some groups",
    "lost-values": "suppression removes every record with some values",
    "microaggregation": "a microaggregated column shows no figure in some classes, or replaces missing values",
    "missing-rows": "rows with missing values are left out",
    "near-unique": "few rows have the same values in a retained column, or it has outliers",
    "objective": "the algorithm minimizes another loss than the declared one",
    "order-labels": "the labels of the hierarchy are values of the data",
    "persons": "the column may identify persons who are not counted",
    "pseudonym-type": "the type of the column gives its values other pseudonyms than whole numbers have",
    "register": "a registered release is not compared, or not exactly",
    "shown-shares": "shares of values among the shown cells differ from those of the records",
    "similar-values": "sensitive values that count as different are nearly equal",
    "uncovered": "further rows have values that the recoding does not cover",
    "unique-records": "records are unique over all released columns",
    "unprotected-sensitive": "k-anonymity alone does not protect the sensitive column",
    "unread-values": "dates or numbers of the column are ambiguous and stay text",
    "unshifted-dates": "some dates are shifted and others are not",
    "unwritten-keys": "the hierarchy file cannot store some keys of the hierarchy",
}
"""The code of each warning, with its meaning; a risk that `accept` names has the same word."""


_PACKAGE = f"{Path(__file__).parent}{os.sep}"


class Message(str):
    """A note or warning, with a shorter sentence that the command line shows without `-v`.

    Library callers and the manifest get the full text. An empty sentence hides the message, since another says the same.
    """

    brief: str

    def __new__(cls, text: str, brief: str | None = None) -> Self:
        """The full text with its shorter sentence, by default itself."""
        message = super().__new__(cls, text)
        message.brief = text if brief is None else brief
        return message


class Caution(Message):
    """A warning, with its code (one of `WARNINGS`) and the columns it is about."""

    code: str
    columns: tuple[str, ...]

    def __new__(cls, code: str, text: str, *columns: str | None, brief: str | None = None) -> Self:
        """The warning of this kind; raises `KeyError` for an unknown code."""
        if code not in WARNINGS:
            raise KeyError(code)
        caution = super().__new__(cls, text, brief)
        caution.code, caution.columns = code, tuple(column for column in columns if column is not None)
        return caution


M = TypeVar("M", bound=Message)


def together(messages: Sequence[M], brief: str) -> Sequence[M]:
    """Messages of the same kind, which `brief` states in one sentence; a single message says it itself."""
    for number, message in enumerate(messages if len(messages) > 1 else ()):
        message.brief = "" if number else brief
    return messages


class DuckanonWarning(UserWarning):
    """A warning of a run without an observer."""

    def __init__(self, caution: Caution) -> None:
        super().__init__(str(caution))
        self.code = caution.code
        """One of `duckanon.observers.WARNINGS`."""
        self.column = caution.columns[0] if len(caution.columns) == 1 else None
        """The column that the warning is about; None if it is about none or several."""


class Observer(Protocol):
    """Receives the events of a run. Every method must return at once and must not raise."""

    def stage(self, title: str, total: int | None = None) -> None:
        """A scan of the rows begins, or the search of a lattice of `total` nodes."""

    def advance(self, done: float) -> None:
        """The progress of the stage: a share of the rows from 0 to 1, or the number of visited nodes."""

    def finish(self) -> None:
        """The stage ends, whether it is complete or not."""

    def step(self, relation: str, rows: int | None, seconds: float) -> None:
        """A statement has run; `rows` is None for a view."""

    def warn(self, message: Caution) -> None:
        """One line about something that the owner of the data has to decide; with `--strict` it makes the exit code 1."""

    def note(self, message: str, *, is_detail: bool = False) -> None:
        """One line about what duckanon decided or did by the rules, as routine; a detail is for verbose output."""


class Silent:
    """Ignores all events."""

    def stage(self, title: str, total: int | None = None) -> None: ...

    def advance(self, done: float) -> None: ...

    def finish(self) -> None: ...

    def step(self, relation: str, rows: int | None, seconds: float) -> None: ...

    def warn(self, message: Caution) -> None: ...

    def note(self, message: str, *, is_detail: bool = False) -> None: ...


class Raising(Silent):
    """Raises each warning once as a `DuckanonWarning` at the line that called the package."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def warn(self, message: Caution) -> None:
        if message in self._given:
            return
        self._given.add(message)
        frames = [frame.f_code.co_filename for frame, _ in traceback.walk_stack(sys._getframe())]
        outermost = max(depth for depth, file in enumerate(frames) if file.startswith(_PACKAGE))
        warnings.warn(DuckanonWarning(message), stacklevel=outermost + 2)


@contextmanager
def staged(observer: Observer, title: str, total: int | None = None) -> Iterator[None]:
    """Report a stage and its end, also after an exception."""
    observer.stage(title, total)
    try:
        yield
    finally:
        observer.finish()


class Remembering:
    """Forwards events to another observer and keeps the warnings."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self.warnings: list[Caution] = []
        self.stage = observer.stage
        self.advance = observer.advance
        self.finish = observer.finish
        self.step = observer.step
        self.note = observer.note

    def warn(self, message: Caution) -> None:
        self.warnings.append(message)
        self._observer.warn(message)

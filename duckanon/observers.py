"""Observers receive the progress of a run. The command line shows it; a library caller may ignore it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, Self


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

    def warn(self, message: str) -> None:
        """One line about something that the owner of the data has to decide; with `--strict` it makes the exit code 1."""

    def note(self, message: str, *, is_detail: bool = False) -> None:
        """One line about what duckanon decided or did by the rules, as routine; a detail is for verbose output."""


class Message(str):
    """A warning or note, with a shorter sentence that the command line shows without `-v`.

    Library callers and the manifest get the full text. An empty sentence hides the message, since another says the same.
    """

    brief: str

    def __new__(cls, text: str, brief: str) -> Self:
        """The full text with its shorter sentence."""
        message = super().__new__(cls, text)
        message.brief = brief
        return message


def together(texts: Sequence[str], brief: str) -> list[str]:
    """Texts of the same kind, which `brief` states in one sentence; a single text says it itself."""
    return [*texts] if len(texts) == 1 else [Message(text, "" if number else brief) for number, text in enumerate(texts)]


class Silent:
    """Ignores all events."""

    def stage(self, title: str, total: int | None = None) -> None: ...

    def advance(self, done: float) -> None: ...

    def finish(self) -> None: ...

    def step(self, relation: str, rows: int | None, seconds: float) -> None: ...

    def warn(self, message: str) -> None: ...

    def note(self, message: str, *, is_detail: bool = False) -> None: ...


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
        self.warnings: list[str] = []
        self.stage = observer.stage
        self.advance = observer.advance
        self.finish = observer.finish
        self.step = observer.step
        self.note = observer.note

    def warn(self, message: str) -> None:
        self.warnings.append(message)
        self._observer.warn(message)

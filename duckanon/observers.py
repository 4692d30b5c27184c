"""Who is told how a run goes on: the command line shows it, a library caller may ignore it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Observer(Protocol):
    """Listens to a run. Every method returns at once; none may raise."""

    def stage(self, title: str, total: int | None = None) -> None:
        """A pass over the rows begins, or the search of a lattice of `total` nodes."""

    def advance(self, done: float) -> None:
        """How far the stage is: a share from 0 to 1 of the rows, or the number of nodes visited."""

    def finish(self) -> None:
        """The stage is over, done or not."""

    def step(self, relation: str, rows: int | None, seconds: float) -> None:
        """A statement has run; a view has no rows to count."""

    def warn(self, message: str) -> None:
        """One line that the user should read."""

    def note(self, message: str, *, is_detail: bool = False) -> None:
        """One line that says what was decided for the user; a detail is shown to who wants to know more."""


class Silent:
    """Hears everything, tells nobody."""

    def stage(self, title: str, total: int | None = None) -> None: ...

    def advance(self, done: float) -> None: ...

    def finish(self) -> None: ...

    def step(self, relation: str, rows: int | None, seconds: float) -> None: ...

    def warn(self, message: str) -> None: ...

    def note(self, message: str, *, is_detail: bool = False) -> None: ...


@contextmanager
def staged(observer: Observer, title: str, total: int | None = None) -> Iterator[None]:
    """A stage that is finished whatever happens inside."""
    observer.stage(title, total)
    try:
        yield
    finally:
        observer.finish()


class Remembering:
    """Passes on what it hears, and remembers the warnings."""

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

"""Relations with an owner: they die with the step that made them, and another step that makes relations of the same names leaves them alone."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import wraps
from itertools import count
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from duckanon.engine import catalog
from duckanon.engine.protocol import Engine

P = ParamSpec("P")
R = TypeVar("R")

_NUMBERS = count()


class Owned:
    """The relations that are made in a `with` block: by their logical names, or put aside under others while those of another owner stand.

    If the block fails, they are dropped.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._names: set[str] = set()
        self._is_aside = False
        # no two owners of a process have the same, also if one of them no longer exists
        self._number = next(_NUMBERS)

    def __enter__(self) -> Self:
        self._earlier = self._engine.owner
        if self._earlier is not None:
            self._earlier.put_aside()
        self._before = self._engine.names
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._names = self._engine.names - self._before
        self._engine.owner, earlier, self._earlier = self, self._earlier, None
        if error is not None:
            with suppress(Exception):
                self.drop()
                if earlier is not None:
                    earlier.restore()

    def restore(self) -> None:
        """Give the relations their logical names; those of another owner are put aside."""
        if self._engine.owner is not None and self._engine.owner is not self:
            self._engine.owner.put_aside()
        self._rename(is_aside=False)
        self._engine.owner = self

    def drop(self) -> None:
        """Drop the relations, wherever they are."""
        for name in self._names:
            self._engine.drop(self._aside(name) if self._is_aside else name)
        self._names = set()
        if self._engine.owner is self:
            self._engine.owner = None

    def put_aside(self) -> None:
        """Give the relations other names, so that others may have the logical ones."""
        self._engine.owner = None
        self._rename(is_aside=True)

    def _rename(self, *, is_aside: bool) -> None:
        for name in self._names if is_aside != self._is_aside else ():
            old, new = (name, self._aside(name)) if is_aside else (self._aside(name), name)
            self._engine.rename(old, new)
        self._is_aside = is_aside

    def _aside(self, name: str) -> str:
        return f"{name} of {self._number}"


@contextmanager
def temporary(engine: Engine) -> Iterator[None]:
    """A step: relations that are made in it die at its end, also if it fails, except those that a workspace keeps."""
    before = engine.names
    try:
        yield
    except BaseException:
        with suppress(Exception):
            _drop(engine, engine.names - before)
        raise
    _drop(engine, engine.names - before)


@contextmanager
def aside(engine: Engine) -> Iterator[None]:
    """Searches that leave nothing behind: relations that they make die at the end, and those of the current owner are put aside."""
    owner = engine.owner
    if owner is not None:
        owner.put_aside()
    before = engine.names
    try:
        yield
    finally:
        with suppress(Exception):
            for name in engine.names - before:
                engine.drop(name)
            engine.owner = None
            if owner is not None:
                owner.restore()


def _drop(engine: Engine, names: set[str]) -> None:
    for name in names:
        if not catalog.find(name).kept:
            engine.drop(name)


def _within(
    context: Callable[[Engine], AbstractContextManager[None]], function: Callable[Concatenate[Engine, P], R]
) -> Callable[Concatenate[Engine, P], R]:
    @wraps(function)
    def run(engine: Engine, /, *given: P.args, **named: P.kwargs) -> R:
        with context(engine):
            return function(engine, *given, **named)

    return run


def step(function: Callable[Concatenate[Engine, P], R]) -> Callable[Concatenate[Engine, P], R]:
    """A function that is a step: `temporary` around its body."""
    return _within(temporary, function)


def leaves_nothing(function: Callable[Concatenate[Engine, P], R]) -> Callable[Concatenate[Engine, P], R]:
    """A function whose searches leave nothing behind: `aside` around its body."""
    return _within(aside, function)

"""Interrupts: the signals that end a run, and the sections in which they are blocked."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


_received: list[int] = []


def install_signal_handlers() -> None:
    """Treat SIGTERM and SIGHUP like SIGINT: raise `KeyboardInterrupt`, so that the run removes its unfinished files."""
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)
    sys.unraisablehook = _ignore_interrupts


def was_interrupted() -> bool:
    """Whether a signal has interrupted this process. The interrupt is then the cause of every later error."""
    return bool(_received)


def _stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    _received.append(number)
    for stopping in _SIGNALS:
        # the cleanup is short; another signal must not interrupt it
        signal.signal(stopping, signal.SIG_IGN)
    raise KeyboardInterrupt


def _ignore_interrupts(lost: "sys.UnraisableHookArgs") -> None:
    """Print exceptions that Python cannot raise, except interrupts: they are recorded and end the run a moment later."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


@contextmanager
def postpone_signals() -> Iterator[None]:
    """Delay a signal inside the block until its end, for example between the creation of a folder and the registration of its removal."""
    received: list[int] = []
    with _handled_by(lambda number, _: received.append(number)):
        yield
    for number in received[:1]:
        signal.raise_signal(number)


@contextmanager
def block_signals() -> Iterator[None]:
    """Ignore the signals inside the block: while a verified file is moved into place, and while a run cleans up at its end."""
    with _handled_by(signal.SIG_IGN):
        yield


@contextmanager
def _handled_by(handler: Callable[[int, FrameType | None], Any] | signal.Handlers) -> Iterator[None]:
    """Handle the signals in another way inside the block, unless they are ignored anyway.

    Outside the main thread this does nothing: Python handles signals only in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # Python cannot restore a handler that Python did not install
    handled = [number for number in _SIGNALS if signal.getsignal(number) not in (None, signal.SIG_IGN)]
    before = {number: signal.signal(number, handler) for number in handled}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)

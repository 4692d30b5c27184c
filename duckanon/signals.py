"""Interrupts: the signals that end a run, and the sections in which they are blocked."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

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
def block_signals() -> Iterator[None]:
    """Ignore the signals inside the block, for example while a verified file is moved into place.

    Outside the main thread this does nothing: Python handles signals only in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # Python cannot restore a handler that Python did not install
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS if signal.getsignal(number) is not None}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

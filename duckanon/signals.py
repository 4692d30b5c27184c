"""Being stopped: what counts as Ctrl-C, and the moments in which it is not heard."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


_heard: list[int] = []


def heed() -> None:
    """From now on being told to end, or losing the terminal, is as Ctrl-C: `KeyboardInterrupt`, and everything is tidied up."""
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)
    sys.unraisablehook = _pass_over


def was_heard() -> bool:
    """Whether this process was stopped: what fails from then on fails for that, whatever a library makes of it."""
    return bool(_heard)


def _stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    _heard.append(number)
    for stopping in _SIGNALS:
        # tidying up is short, and must not be stopped by the next
        signal.signal(stopping, signal.SIG_IGN)
    raise KeyboardInterrupt


def _pass_over(lost: "sys.UnraisableHookArgs") -> None:
    """Prints what Python cannot raise, except for being stopped: that is heard all the same, and ends the run a moment later."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hears nothing of it inside: between a verified file and its name there is no good place to stop.

    Only the main thread hears it anyway.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # a handler that is not Python's could not be put back
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS if signal.getsignal(number) is not None}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

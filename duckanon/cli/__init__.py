"""The command line: parses options and prints results; computes nothing."""

import atexit
import os
import sys
from typing import NoReturn

from duckanon.errors import ExitCode
from duckanon.signals import block_signals, install_signal_handlers, was_interrupted


def main() -> NoReturn:
    """Run the command line and exit with a documented exit code."""
    install_signal_handlers()
    try:
        # imported late, so that an interrupt during the import is handled too
        from duckanon.cli.app import run

        code = run()
    except BaseException:
        if not was_interrupted():
            raise
        code = ExitCode.INTERRUPTED
    if was_interrupted() and code != ExitCode.DONE:
        code = ExitCode.INTERRUPTED
        with block_signals():
            from duckanon.cli import output

            # os._exit skips the exit functions, which remove the private folder of an engine that was not entered yet
            atexit._run_exitfuncs()
            output.error("interrupted; no unfinished file is left")
            sys.stderr.flush()
            # if the signal came while an extension module was imported, Python would end by the signal, whatever the exit code
            os._exit(code)
    sys.exit(code)


__all__ = ["main"]

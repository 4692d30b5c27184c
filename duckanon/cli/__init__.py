"""The command line: parses options and prints; computes nothing."""

import sys
from typing import NoReturn

from duckanon.errors import ExitCode
from duckanon.signals import heed, undisturbed, was_heard


def main() -> NoReturn:
    """Runs the command line and ends the process with a documented exit code."""
    heed()
    try:
        # late, so that being stopped while it is loaded is heard too
        from duckanon.cli.app import run

        code = run()
    except BaseException:
        if not was_heard():
            raise
        code = ExitCode.INTERRUPTED
    if was_heard() and code != ExitCode.DONE:
        code = ExitCode.INTERRUPTED
        with undisturbed():
            from duckanon.cli import output

            output.error("interrupted; no unfinished file is left")
    sys.exit(code)


__all__ = ["main"]

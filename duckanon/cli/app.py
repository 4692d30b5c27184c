"""The application: its commands, its version, and how every error ends."""

import contextlib
import os
import sys
from typing import Annotated, NoReturn

import click
import typer

from duckanon import __version__
from duckanon.cli import anonymize, demo, output, sql
from duckanon.errors import DuckanonError, ExitCode

app = typer.Typer(
    name=output.PROGRAM,
    help="Anonymizes large tables with DuckDB, and verifies what it wrote.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
anonymize.register(app)
demo.register(app)
sql.register(app)


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.", is_eager=True)] = False,
) -> None:
    if version:
        output.data(__version__)
        raise typer.Exit


def main() -> NoReturn:
    """Runs the command line and ends the process with a documented exit code."""
    sys.exit(_run())


def _run() -> int:
    try:
        result = app(standalone_mode=False)
    except DuckanonError as error:
        output.error(str(error))
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        output.data(error.format_message())
        return ExitCode.USAGE
    except click.ClickException as error:
        output.error(f"{error.format_message()} (see {output.PROGRAM} --help)")
        return ExitCode.USAGE
    except (KeyboardInterrupt, click.Abort):
        output.error("interrupted; nothing was released")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DATA
    return int(result or ExitCode.DONE)

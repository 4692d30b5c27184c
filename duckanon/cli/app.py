"""The application: its commands, its version, and its error handling."""

from typing import Annotated

import typer

from duckanon import __version__
from duckanon.cli import check, help_text, hierarchy, output, profile, release, released, risk, sql, studio
from duckanon.errors import DuckanonError, ExitCode, internal_error
from duckanon.signals import was_interrupted

app = typer.Typer(
    name=output.PROGRAM,
    help="Anonymize large tables with DuckDB and verify the output file.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_COMMANDS = (
    release.anonymize,
    studio.studio,
    release.apply,
    check.check,
    risk.risk,
    profile.profile,
    profile.compare,
    released.explain,
    released.report,
    released.attest,
    profile.demo,
)
for command in _COMMANDS:
    app.command(command.__name__, cls=help_text.Command)(command)
for group in (hierarchy.group, profile.job_group, released.register_group, sql.group):
    app.add_typer(group)
help_text.show_examples(app)


def _print_version(requested: bool) -> None:
    if requested:
        output.data(__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    pass


def run() -> int:
    """Run the command line; return the exit code. Raises `KeyboardInterrupt` if it is interrupted."""
    try:
        return int(app(prog_name=output.PROGRAM, standalone_mode=False) or ExitCode.DONE)
    except DuckanonError as error:
        output.error(*error.lines)
        return error.exit_code
    except typer.TyperException as error:
        return _misused(error)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except OSError as error:
        output.error(f"{error.strerror or type(error).__name__}: {error.filename or 'an open file or stream'}")
        return ExitCode.DATA
    except Exception as error:
        if was_interrupted():
            raise KeyboardInterrupt from None
        output.error(internal_error(error))
        return ExitCode.DATA


def _misused(error: typer.TyperException) -> int:
    """A command line that Typer refuses: its help if nothing was typed, else one line."""
    if message := error.format_message():
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else output.PROGRAM
        message = message.replace("Value error, ", "")
        if (
            context is not None
            and (typed := getattr(error, "option_name", None)) is not None
            and hasattr(error, "possibilities")
        ):
            message = f"No such option: {typed}{help_text.option_hint(typed, context.command)}"
        output.error(f"{message.removesuffix('.')}{help_text.value_hint(message)} (see {command} --help)")
    return ExitCode.USAGE

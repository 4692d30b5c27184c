"""`duckanon job`: the job file's schema, and everything wrong with one."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output
from duckanon.errors import ExitCode

group = typer.Typer(name="job", help="Look at job files.", no_args_is_help=True)


@group.command("schema")
def schema() -> None:
    """Print the JSON Schema of the job file, for an editor."""
    from duckanon.job import file

    output.data(output.json(file.schema()))


@group.command("validate")
def validate(path: Annotated[Path, typer.Argument(metavar="JOB.yaml", help="The job file.")]) -> None:
    """Print everything wrong with a job file, a line a fault; exit code 2 where there is anything."""
    from duckanon.job import file

    faults = file.faults(path)
    for fault in faults:
        output.data(f"{path}:{fault.line}: {fault.message}")
    if faults:
        raise typer.Exit(ExitCode.USAGE)

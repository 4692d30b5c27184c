"""`duckanon job`: print the schema of job files, and validate a job file."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output
from duckanon.errors import ExitCode

group = typer.Typer(name="job", help="Validate job files and print their schema.", no_args_is_help=True)


@group.command("schema")
def schema() -> None:
    """Print the JSON Schema of the job file, for an editor."""
    from duckanon.job import file

    output.data(output.json(file.schema()))


@group.command("validate")
def validate(path: Annotated[Path, typer.Argument(metavar="JOB.yaml", help="The job file.")]) -> None:
    """Print the faults of a job file, one line each; exit code 2 if there is a fault."""
    from duckanon.job import file

    faults = file.faults(path)
    for fault in faults:
        output.data(f"{path}:{fault.line}: {fault.message}")
    if faults:
        raise typer.Exit(ExitCode.USAGE)

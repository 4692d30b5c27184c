"""`duckanon demo`."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output, shared


def demo(
    rows: Annotated[int, typer.Option(metavar="N", help="Number of persons to generate.")] = 30_000,
    target: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Parquet or CSV file.")] = Path(
        "adult.parquet"
    ),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
    quiet: shared.Quiet = False,
) -> None:
    """Write a synthetic file with the columns of UCI Adult, to try `duckanon anonymize`.

    The same number of rows gives the same persons.
    """
    from duckanon.workflows import demo as demo_workflow

    observer = output.ConsoleObserver(quiet=quiet)
    written = demo_workflow.demo(target, rows, overwrite=overwrite, observer=observer)
    observer.note(f"{target}: {written:,} synthetic persons; next: {output.command('anonymize', target)}")

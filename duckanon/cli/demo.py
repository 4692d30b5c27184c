"""`duckanon demo`."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output, shared


def demo(
    rows: Annotated[int, typer.Option(metavar="N", help="People to make up.")] = 30_000,
    target: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Parquet or CSV file.")] = Path(
        "adult.parquet"
    ),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    quiet: shared.Quiet = False,
) -> None:
    """Write a made-up file in the columns of UCI Adult, so that `duckanon anonymize` has something to work on.

    The same number of rows gives the same people.
    """
    from duckanon.workflows import demo as demo_workflow

    narrator = output.Narrator(quiet=quiet)
    written = demo_workflow.demo(target, rows, overwrite=overwrite, observer=narrator)
    narrator.note(f"{target}: {written:,} made-up people; next: {output.command('anonymize', target)}")

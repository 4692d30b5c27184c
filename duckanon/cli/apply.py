"""`duckanon apply`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from duckanon.choices import COLLECT_LIMIT, DUCKDB
from duckanon.cli import output


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("apply")(apply)


def apply(
    manifest: Annotated[
        Path, typer.Argument(metavar="MANIFEST", help="Manifest of the release whose recoding is applied.", show_default=False)
    ],
    source: Annotated[str, typer.Argument(metavar="INPUT", help=output.INPUT_HELP, show_default=False)],
    target: Annotated[str | None, typer.Option("-o", "--output", metavar="OUTPUT", help=output.OUTPUT_HELP)] = None,
    max_suppression: Annotated[
        str | None, typer.Option(metavar="20|0.05|5%", help="Rows that may be suppressed; as in the release unless given.")
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The table that INPUT was taken from, where the release was held against one."),
    ] = None,
    release: Annotated[str | None, typer.Option(metavar="NAME", help=output.RELEASE_HELP)] = None,
    key_file: Annotated[Path | None, typer.Option(metavar="FILE", help=output.KEY_HELP)] = None,
    columns: Annotated[str | None, typer.Option(metavar="A,B,C", help="Names for a CSV file without a header.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an output that exists.")] = False,
    workspace: Annotated[
        Path | None, typer.Option(metavar="FILE.duckdb", help="Keep every relation. Holds original values.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Report the drift, and write nothing.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the manifest.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="A line for every statement that ran.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Only warnings and errors.")] = False,
    engine: Annotated[str, typer.Option(metavar="ENGINE", help=output.ENGINE_HELP, show_default=False)] = DUCKDB,
    collect_limit: Annotated[
        int, typer.Option(metavar="ROWS", min=1, help=output.COLLECT_HELP, show_default=False)
    ] = COLLECT_LIMIT,
    threads: Annotated[int | None, typer.Option(min=1, max=1024, help="Threads.")] = None,
    memory_limit: Annotated[str | None, typer.Option(metavar="4GB", help="Memory.")] = None,
    temp_directory: Annotated[Path | None, typer.Option(metavar="DIR", help="Where to spill to.")] = None,
) -> None:
    """Release new data by the frozen recoding of an earlier release: the same levels and labels, verified again.

    Values that the recoding does not cover and classes that fall below are suppressed and reported as drift;
    exit code 1 where that takes more rows than the limit.
    """
    from duckanon import options, pipeline, preparation
    from duckanon.engine.protocol import Settings

    narrator = output.Narrator(quiet=quiet, verbose=verbose)
    run = preparation.Run(
        settings=Settings(threads, memory_limit, temp_directory, workspace, engine, collect_limit),
        columns=tuple(options.names(columns)) if columns is not None else None,
        overwrite=overwrite,
        dry_run=dry_run,
        key_file=key_file,
        standard_output=None if json else sys.stdout.buffer,
    )
    typed = options.Options(max_suppression=max_suppression, population=population, release=release)
    output.told(
        lambda: pipeline.apply(manifest, source, target, options=typed, run=run, observer=narrator), narrator, as_json=json
    )

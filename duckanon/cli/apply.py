"""`duckanon apply`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from duckanon.choices import COLLECT_LIMIT, DUCKDB
from duckanon.cli import output, shared


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("apply")(apply)


def apply(
    manifest: Annotated[
        Path, typer.Argument(metavar="MANIFEST", help="Manifest of the release whose recoding is applied.", show_default=False)
    ],
    source: Annotated[str, typer.Argument(metavar="INPUT", help=shared.INPUT_HELP, show_default=False)],
    target: Annotated[str | None, typer.Option("-o", "--output", metavar="OUTPUT", help=shared.OUTPUT_HELP)] = None,
    max_suppression: Annotated[
        str | None, typer.Option(metavar="20|0.05|5%", help="Rows that may be suppressed; as in the release unless given.")
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The table that INPUT was taken from, where the release was held against one."),
    ] = None,
    release: shared.ReleaseName = None,
    key_file: shared.KeyFile = None,
    columns: shared.Columns = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an output that exists.")] = False,
    workspace: Annotated[
        Path | None, typer.Option(metavar="FILE.duckdb", help="Keep every relation. Holds original values.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Report the drift, and write nothing.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the manifest.")] = False,
    verbose: shared.Verbose = False,
    quiet: shared.Quiet = False,
    engine: shared.Engine = DUCKDB,
    collect_limit: shared.CollectLimit = COLLECT_LIMIT,
    threads: shared.Threads = None,
    memory_limit: shared.MemoryLimit = None,
    temp_directory: shared.TempDirectory = None,
) -> None:
    """Release new data by the frozen recoding of an earlier release: the same levels and labels, verified again.

    Values that the recoding does not cover and classes that fall below are suppressed and reported as drift;
    exit code 1 where that takes more rows than the limit.
    """
    from duckanon.engine.protocol import Settings
    from duckanon.job import options, prepare
    from duckanon.release import saved_recoding
    from duckanon.release.manifest_model.document import Manifest
    from duckanon.reports import summary
    from duckanon.workflows import anonymize

    narrator = output.Narrator(quiet=quiet, verbose=verbose)
    run = prepare.Run(
        settings=Settings(threads, memory_limit, temp_directory, workspace, engine, collect_limit),
        columns=shared.names(columns),
        overwrite=overwrite,
        dry_run=dry_run,
        key_file=key_file,
        standard_output=None if json else sys.stdout.buffer,
    )
    typed = options.Options(max_suppression=max_suppression, population=population, release=release)

    def carried_out() -> Manifest:
        prepared = prepare.prepare(source, saved_recoding.find(manifest), typed, run, is_applied=True)
        return anonymize.carry_out(prepared, target, run, narrator).manifest

    output.told(
        carried_out,
        narrator,
        as_json=json,
        files=summary.files_of(run.report, run.public_report, run.public_manifest, run.settings.workspace),
    )

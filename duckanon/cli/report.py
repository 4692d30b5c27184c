"""`duckanon report`."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output, shared


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("report")(report)


def report(
    manifest: shared.Manifest,
    target: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            "--report",
            metavar="FILE.html",
            help="The report; OUTPUT.report.html beside the release unless given.",
        ),
    ] = None,
    public_report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="The same to be published: no value of the input, no count below k."),
    ] = None,
    public_manifest: shared.PublicManifest = None,
    source: shared.MovedInput = None,
    comparison: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="What duckanon compare --json printed: its trade-off is shown too."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a report that exists.")] = False,
    quiet: shared.Quiet = False,
    threads: shared.Threads = None,
    memory_limit: shared.MemoryLimit = None,
    temp_directory: shared.TempDirectory = None,
) -> None:
    """Draw the report of a release: one HTML page, to be read, printed and signed.

    Manifest, release and recoding must be as they were written; the input is counted anew.
    """
    from duckanon.engine.protocol import Settings
    from duckanon.job import prepare
    from duckanon.workflows import report as report_workflow

    run = prepare.Run(settings=Settings(threads, memory_limit, temp_directory), overwrite=overwrite)
    narrator = output.Narrator(quiet=quiet)
    written = report_workflow.report(
        manifest,
        target,
        public=public_report,
        public_manifest=public_manifest,
        source=source,
        comparison=comparison,
        run=run,
        observer=narrator,
    )
    for path in written:
        narrator.note(
            f"{path}: share" if path in (public_report, public_manifest) else f"{path}: internal; it holds values of the input"
        )

"""`duckanon report`."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output, shared
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.job.options import Run


@takes(
    {
        **same("public_report", "public_manifest", "source", "comparison"),
        "overwrite": "Replace an existing report.",
        **same("quiet"),
        **MACHINE,
    }
)
def report(
    manifest: shared.Manifest,
    target: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            "--report",
            metavar="FILE.html",
            help="File of the report; default: OUTPUT.report.html beside the release.",
        ),
    ] = None,
    public_manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json", help="Write the manifest to be published, instead of the report.", show_default=False
        ),
    ] = None,
    source: shared.MovedInput = None,
    comparison: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Output of duckanon compare --json; the report then shows its trade-off."),
    ] = None,
    quiet: shared.Quiet = False,
    *,
    run: Run,
) -> None:
    """Write the report of a release: one HTML page to read, print and sign.

    Manifest, release and recoding must be unchanged. The input is counted again.
    """
    from duckanon.workflows import report as report_workflow

    observer = output.ConsoleObserver(quiet=quiet)
    written = report_workflow.report(
        manifest,
        target,
        public=run.public_report,
        public_manifest=public_manifest,
        source=source,
        comparison=comparison,
        run=run,
        observer=observer,
    )
    for path in written:
        observer.note(
            f"{path}: share"
            if path in (run.public_report, public_manifest)
            else f"{path}: internal; it holds values of the input"
        )

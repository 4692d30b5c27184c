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
        "overwrite": "Replace a report that exists.",
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
            help="The report; OUTPUT.report.html beside the release unless given.",
        ),
    ] = None,
    source: shared.MovedInput = None,
    comparison: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="What duckanon compare --json printed: its trade-off is shown too.")
    ] = None,
    quiet: shared.Quiet = False,
    *,
    run: Run,
) -> None:
    """Draw the report of a release: one HTML page, to be read, printed and signed.

    Manifest, release and recoding must be as they were written; the input is counted anew.
    """
    from duckanon.workflows import report as report_workflow

    narrator = output.Narrator(quiet=quiet)
    written = report_workflow.report(
        manifest,
        target,
        public=run.public_report,
        public_manifest=run.public_manifest,
        source=source,
        comparison=comparison,
        run=run,
        observer=narrator,
    )
    for path in written:
        narrator.note(
            f"{path}: share"
            if path in (run.public_report, run.public_manifest)
            else f"{path}: internal; it holds values of the input"
        )

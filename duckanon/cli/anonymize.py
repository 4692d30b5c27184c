"""`duckanon anonymize`."""

from typing import Annotated

import typer

from duckanon.cli import output, shared
from duckanon.cli.help import UNCOMMON
from duckanon.cli.parameters import takes
from duckanon.job.options import Options, Run
from duckanon.option import Panel


@takes()
def anonymize(
    source: shared.Input = None,
    target: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="OUTPUT", help=shared.OUTPUT_HELP, rich_help_panel=Panel.OUTPUT.value),
    ] = None,
    job: shared.Job = None,
    *,
    options: Options,
    run: Run,
    json: Annotated[
        bool, typer.Option("--json", help="Print the manifest.", rich_help_panel=Panel.OUTPUT.value), UNCOMMON
    ] = False,
    strict: shared.Strict = False,
    verbose: shared.Verbose = False,
    quiet: shared.Quiet = False,
) -> None:
    """Anonymize a table: each released record equals at least k - 1 others in its quasi-identifiers.

    Searches for the recoding with the least information loss, writes the output and verifies it.
    """
    from duckanon.job import prepare

    prepared = prepare.prepare(source, job, options, run)
    output.release(prepared, target, run, as_json=json, strict=strict, verbose=verbose, quiet=quiet)

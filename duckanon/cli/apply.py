"""`duckanon apply`."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output, shared
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.job.options import Options, Run


@takes(
    {
        "max_suppression": {"metavar": "20|0.05|5%", "help": "Rows that may be suppressed; default: the limit of the release."},
        "population": "The population of which INPUT is a sample, if the release was made with a population.",
        "set": "Set a key of the job: accept=CASE. Also encoding, malformed, names (of the columns of a CSV file), output.shuffle and output.public-manifest; repeatable.",
        **same("entity", "release", "key_file", "overwrite", "register"),
        "workspace": "Keep every relation in this file. It contains original values.",
        "dry_run": "Print the drift report and write nothing.",
        **same("json", "strict", "verbose", "quiet", "engine", "collect_limit"),
        **MACHINE,
    }
)
def apply(
    manifest: Annotated[
        Path, typer.Argument(metavar="MANIFEST", help="Manifest of the release whose recoding is applied.", show_default=False)
    ],
    source: Annotated[str, typer.Argument(metavar="INPUT", help=shared.INPUT_HELP, show_default=False)],
    target: Annotated[str | None, typer.Option("-o", "--output", metavar="OUTPUT", help=shared.OUTPUT_HELP)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the manifest.")] = False,
    strict: shared.Strict = False,
    verbose: shared.Verbose = False,
    quiet: shared.Quiet = False,
    *,
    options: Options,
    run: Run,
) -> None:
    """Release new data by the saved recoding of an earlier release: the same levels and labels, verified again.

    Rows with a value that the recoding does not cover are left out, and classes that fail the requirements are suppressed; both
    are reported as drift. The exit code is 1 if these are more rows than the limit.
    """
    from duckanon.release import saved_recoding

    prepared = saved_recoding.prepared(source, manifest, options, run)
    output.release(prepared, target, run, as_json=json, strict=strict, verbose=verbose, quiet=quiet)

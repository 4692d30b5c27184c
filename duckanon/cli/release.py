"""`duckanon anonymize` and `apply`, which write a release."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duckanon.cli import output, parameters
from duckanon.cli.help_text import UNCOMMON
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.errors import GuaranteeError
from duckanon.job.options import Options, Run
from duckanon.option import Panel

if TYPE_CHECKING:
    from duckanon.job.prepare import Prepared


@takes()
def anonymize(
    source: parameters.Input = None,
    place: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="OUTPUT", help=parameters.OUTPUT_HELP, rich_help_panel=Panel.OUTPUT.value),
    ] = None,
    job: parameters.Job = None,
    *,
    options: Options,
    run: Run,
    json: Annotated[
        bool, typer.Option("--json", help="Print the manifest.", rich_help_panel=Panel.OUTPUT.value), UNCOMMON
    ] = False,
    strict: parameters.Strict = False,
    verbose: parameters.Verbose = False,
    quiet: parameters.Quiet = False,
) -> None:
    """Anonymize a table: each released record equals at least k - 1 others in its quasi-identifiers.

    Searches for the recoding with the least information loss, writes the output and verifies it.
    """
    from duckanon.job import prepare

    prepared = prepare.prepare(source, job, options, run)
    command = ""
    if job is None and source is not None and options == Options() and not run.dry_run:
        output_file = ["-o", place] if place is not None else []
        command = output.command("anonymize", source, *output_file, "--overwrite")
    _carry_out(prepared, place, run, command, as_json=json, strict=strict, verbose=verbose, quiet=quiet)


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
    source: Annotated[str, typer.Argument(metavar="INPUT", help=parameters.INPUT_HELP, show_default=False)],
    place: Annotated[str | None, typer.Option("-o", "--output", metavar="OUTPUT", help=parameters.OUTPUT_HELP)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the manifest.")] = False,
    strict: parameters.Strict = False,
    verbose: parameters.Verbose = False,
    quiet: parameters.Quiet = False,
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
    _carry_out(prepared, place, run, as_json=json, strict=strict, verbose=verbose, quiet=quiet)


def _carry_out(
    prepared: "Prepared",
    place: str | None,
    run: Run,
    command: str = "",
    *,
    as_json: bool,
    strict: bool,
    verbose: bool,
    quiet: bool,
) -> None:
    """Carry out a run and print its manifest: as JSON on stdout, also if the requirements cannot be met, else as a summary.

    `command`: that of a run without options, whose summary is brief.
    `strict` ends the run with exit code 1 if there was a warning.
    """
    from duckanon.workflows.anonymize import carry_out

    observer = output.ConsoleObserver(quiet=quiet, verbose=verbose, is_brief=bool(command))
    run = replace(run, standard_output=None if as_json else sys.stdout.buffer)
    try:
        manifest = carry_out(prepared, place, run, observer).manifest
    except GuaranteeError as failure:
        if as_json and failure.manifest is not None:
            output.data(output.json(failure.manifest))
        raise
    if as_json:
        output.data(output.json(manifest.document()))
    else:
        observer.summary(manifest, run, prepared.public_manifest, command=command)
    if strict:
        output.refuse_warnings(
            observer, "nothing is written" if manifest.output is None else f"{manifest.output.path} is written"
        )

"""`duckanon check`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from duckanon.cli import check_formats, output, shared
from duckanon.cli.check_formats import CheckFormat
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.errors import ExitCode
from duckanon.formatting import figure, in_rows
from duckanon.job.options import Options, Run
from duckanon.reports import summary


@takes(
    {
        "qi": "Quasi-identifiers.",
        "sensitive": "Sensitive columns.",
        **same("require", "manifest", "job"),
        "k_column": "The column of each record's own k.",
        "entity": "Column that identifies persons: they are counted instead of rows; `none` counts rows.",
        "population": "The table that INPUT was taken from, for k-map and delta-presence.",
        "hierarchies": {
            "metavar": "COLUMN=FILE",
            "help": "Hierarchy of a sensitive column, for t-hierarchical; repeatable.",
            "is_common": False,
        },
        **same("all_models", "show_values", "columns", "format", "json", "strict", "quiet"),
        **MACHINE,
    }
)
def check(
    source: shared.Input = None,
    manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="MANIFEST",
            help="The manifest that came with the file: is it that file, and does it keep what was promised? Instead of --qi and --require.",
        ),
    ] = None,
    job: Annotated[
        Path | None, typer.Option(metavar="JOB.yaml", help="Job file whose roles and privacy models stand; options win.")
    ] = None,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Print the values of the smallest classes; they are those of persons.")
    ] = False,
    all_models: Annotated[
        bool, typer.Option("--all", help="Also list the models that nothing requires; without a requirement all are listed.")
    ] = False,
    format: Annotated[
        CheckFormat,
        typer.Option(
            "--format",
            metavar="NAME",
            help="table (default), json, csv, github, sarif or junit. github: commands of a GitHub workflow; sarif: SARIF 2.1.0; junit: JUnit XML.",
            show_default=False,
        ),
    ] = CheckFormat.table,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    strict: shared.Strict = False,
    quiet: shared.Quiet = False,
    *,
    options: Options,
    run: Run,
) -> None:
    """Measure what a file guarantees as it stands, under every privacy model; exit code 1 where a required one does not hold.

    NULL is a value like any other, in quasi-identifiers and in sensitive columns. Nothing is changed.
    """
    from duckanon.workflows import check as check_workflow

    narrator = output.Narrator(quiet=quiet)
    document = check_workflow.check(
        source, job=job, options=options, run=run, manifest=manifest, show_values=show_values, observer=narrator
    )
    output.data(_printed(document, CheckFormat.json if json else format, all_models=all_models))
    if document["status"] == "violated":
        failed = [
            summary.model_name(check) + (" by the distribution in this file" if check.get("reference") == "file" else "")
            for check in document["privacy"]
            if check.get("passed") is False
        ]
        output.error(f"{document['source']!r} does not satisfy {', '.join(failed)}")
        raise typer.Exit(ExitCode.NOT_MET)
    if document["status"] == "differs":
        output.error(
            f"{document['source']!r} is not the file that {str(manifest)!r} was written for: its SHA-256 is another; ask for "
            "that file, or check this one by --qi and --require"
        )
        raise typer.Exit(ExitCode.NOT_MET)
    if strict:
        output.refuse_warnings(narrator, f"{document['source']!r} is checked")


def _printed(document: dict[str, Any], format: CheckFormat, *, all_models: bool) -> str:
    if format in check_formats.WRITERS:
        return check_formats.WRITERS[format](document)
    if format is CheckFormat.json:
        return output.json(document)
    if format is CheckFormat.csv:
        heads = ["model", "variety", "column", "l", "k", "achieved", "achieved_without_suppressed"]
        heads += ["required", "passed", "failing_classes", "failing_rows"]
        models = [
            check | {"variety": summary.check_name(check).removesuffix(check["model"]).strip()} for check in document["privacy"]
        ]
        return output.csv(heads, [[check.get(head) for head in heads] for check in models])
    required = [check for check in document["privacy"] if "required" in check]
    shown = document["privacy"] if all_models or not required else required
    return "\n".join(
        [_table(document, shown), "", *map(output.printable, _lines(document, shown)), *check_formats.verdict(document)]
    )


def _table(document: dict[str, Any], checks: Sequence[dict[str, Any]]) -> str:
    """The models, those required first; a column for what holds without suppressed rows only where there are some."""
    has_suppressed, has_required = document["rows"]["suppressed"] > 0, any("required" in check for check in checks)
    has_others = document["rows"]["suppressed"] < document["rows"]["read"]
    heads = ["model", "column", "achieved"]
    heads += ["without suppressed"] if has_suppressed else []
    heads += ["required", "", "failing rows"] if has_required else []
    rows = []
    for check in checks:
        row = [summary.model_name(check, with_column=False), check["column"] or "", figure(check["achieved"])]
        row += [figure(check["achieved_without_suppressed"]) if has_others else "no rows left"] if has_suppressed else []
        if has_required and "required" in check:
            row += [
                f"{check['required']:,.9g}",
                "holds" if check["passed"] else "FAILS",
                f"{check['failing_rows']:,}" if "failing_rows" in check else "",
            ]
        elif has_required:
            row += ["", "", ""]
        rows.append(row)
    numbers = {position for position, head in enumerate(heads) if head not in ("model", "column", "")}
    return output.table(heads, rows, right=numbers)


def _references(checks: Sequence[dict[str, Any]]) -> list[str]:
    """The distribution that the models compare with: a line a requirement where it is the source's, one line where it is the file's."""
    compared = [check for check in checks if "reference" in check]
    by_source = [check for check in compared if check["reference"] == "source" and "required" in check]
    lines = [f"{summary.model_name(check)}: {figure(check['achieved'])}{summary.references(check)}" for check in by_source]
    if models := list(dict.fromkeys(check["model"] for check in compared if check["reference"] == "file")):
        lines.append(
            f"{', '.join(models)}: compared with the distribution in this file; a release keeps them by that in its source, "
            "which --manifest reads from the saved recoding beside the manifest"
        )
    return lines


def _promised(comparison: dict[str, Any]) -> list[str]:
    """What came of the manifest."""
    lines = [
        f"it is the file that the manifest calls {comparison['release']!r}, by its SHA-256"
        if comparison["is_same_file"]
        else f"it is not the file that the manifest calls {comparison['release']!r}: {comparison['rows']['promised']:,} rows were promised"
    ]
    if comparison["unjudged"]:
        lines.append(f"promised, and not to be judged by the file alone: {', '.join(comparison['unjudged'])}")
    return lines


def _lines(document: dict[str, Any], checks: Sequence[dict[str, Any]]) -> list[str]:
    rows, classes, risk, together = document["rows"], document["classes"], document["risk"], document["all_columns"]
    of = "" if risk["of"] == "rows" else f", counting persons ({risk['of']})"
    lines = [
        f"{rows['read']:,} rows in {classes['count']:,} classes of {classes['smallest']:,} to {classes['largest']:,} rows, "
        f"{classes['average']:,.1f} on average",
        f"all {together['columns']:,} columns together: {together['uniques']:,} of {rows['read']:,} rows are unique, "
        f"the smallest of {together['classes']:,} classes has {together['smallest']:,} (columns that are no quasi-identifiers count here)",
        f"{rows['suppressed']:,} rows are suppressed (* in every quasi-identifier); they count as a class",
        "NULL is a value of its own"
        + (
            ": " + ", ".join(f"{name} {count:,} rows" for name, count in document["nulls"].items())
            if document["nulls"]
            else "; there is none"
        ),
        f"risk of a record{of}: highest {risk['highest']:.4g}, average {risk['average']:.4g}; records above "
        + ", ".join(f"{threshold}: {share:.2%}" for threshold, share in risk["records_at_risk"].items()),
    ]
    lines += _references(checks)
    lines += _promised(document["manifest"]) if "manifest" in document else []
    lines += [
        f"{classes_of['classes']:,} classes with {classes_of['rows']:,} rows share one value of {name} each"
        if classes_of["classes"]
        else f"no class shares one value of {name}"
        for name, classes_of in document["homogeneous"].items()
    ]
    lines.append("the smallest classes:")
    for smallest in document["smallest_classes"]:
        if "values" in smallest:
            values = {name: "NULL" if value is None else output.printable(value) for name, value in smallest["values"].items()}
            shown = ", ".join(f"{name}={value}" for name, value in values.items())
            lines.append(f"  {smallest['rows']:,} rows: {shown}")
        else:
            lines.append(
                f"  {smallest['classes']:,} class{'' if smallest['classes'] == 1 else 'es'} of {in_rows(smallest['rows'])}"
            )
    return lines

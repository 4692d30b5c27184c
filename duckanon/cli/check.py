"""`duckanon check`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from duckanon.cli import check_formats, output, parameters
from duckanon.cli.check_formats import CheckFormat
from duckanon.cli.help_text import UNCOMMON
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.errors import ExitCode
from duckanon.formatting import check_name, figure, in_rows, percent
from duckanon.job.options import Options, Run
from duckanon.reports import risk_lines, summary


@takes(
    {
        "qi": "Quasi-identifiers.",
        "sensitive": "Sensitive columns.",
        "k": "Minimum size of an equivalence class.",
        **same("require", "adversary", "any", "policy", "manifest", "attestation", "public_key", "job", "set"),
        "entity": "Column that identifies persons: count persons instead of rows. `none` counts rows.",
        "population": "The table from which INPUT was taken, for k-map and delta-presence.",
        "hierarchies": {
            "metavar": "COLUMN=FILE",
            "help": "Hierarchy of a sensitive column, for t-hierarchical; repeatable.",
            "is_common": False,
        },
        **same("all_models", "show_values", "format", "json", "strict", "quiet"),
        **MACHINE,
    }
)
def check(
    source: parameters.Input = None,
    manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="MANIFEST",
            help="Manifest of the file: check that the file is unchanged and satisfies the requirements of the manifest. Of the other options for columns and requirements only --policy can be given with it.",
        ),
    ] = None,
    attestation: Annotated[
        Path | None,
        typer.Option(
            metavar="ATTESTATION",
            help="Attestation of the file, instead of its manifest: check its signature, its file and its requirements. Needs --public-key.",
            show_default=False,
        ),
        UNCOMMON,
    ] = None,
    public_key: Annotated[
        Path | None,
        typer.Option(
            "--public-key", metavar="FILE.pem", help="Ed25519 public key that verifies the attestation.", show_default=False
        ),
        UNCOMMON,
    ] = None,
    job: parameters.Job = None,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Print the values of the smallest classes. They are values of persons.")
    ] = False,
    all_models: Annotated[
        bool, typer.Option("--all", help="Also list models that are not required; without a requirement all models are listed.")
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
    json: parameters.Json = False,
    strict: parameters.Strict = False,
    quiet: parameters.QuietResult = False,
    *,
    options: Options,
    run: Run,
) -> None:
    """Measure a file under every privacy model; exit code 1 if a required model does not hold.

    NULL is a value like any other, in quasi-identifiers and in sensitive columns. The file is not changed.
    """
    from duckanon.checks import file as check_file

    observer = output.ConsoleObserver(quiet=quiet)
    document = check_file.check(
        source,
        job=job,
        options=options,
        run=run,
        manifest=manifest,
        attestation=attestation,
        public_key=public_key,
        show_values=show_values,
        observer=observer,
    )
    chosen = CheckFormat.json if json else format
    if not quiet or chosen is not CheckFormat.table:
        output.data(_printed(document, chosen, all_models=all_models))
    elif verdict := check_formats.verdict(document):
        output.data(*verdict)
    if document["status"] == "violated":
        output.error(*_failures(document))
        raise typer.Exit(ExitCode.NOT_MET)
    if document["status"] == "differs":
        output.error(
            f"{document['source']!r} is not the file of {str(manifest)!r}: its SHA-256 differs; ask for "
            "the original file, or check this one with --qi and --require"
        )
        raise typer.Exit(ExitCode.NOT_MET)
    if strict:
        output.refuse_warnings(observer, f"{document['source']!r} is checked")


def _failures(document: dict[str, Any]) -> list[str]:
    """One line for all models that fail, and one for each fault of the columns or under the policy."""
    failed = [
        summary.model_name(check) + (" by the distribution in this file" if check.get("reference") == "file" else "")
        for check in document["privacy"]
        if check.get("passed") is False
    ]
    lines = [f"{document['source']!r} does not satisfy {', '.join(failed)}"] if failed else []
    failing = [check for check in check_formats.rules(document) if check["passed"] is False]
    return lines + [f"{document['source']!r}: {check['message']}" for check in failing]


def _printed(document: dict[str, Any], format: CheckFormat, *, all_models: bool) -> str:
    if format in check_formats.WRITERS:
        return check_formats.WRITERS[format](document)
    if format is CheckFormat.json:
        return output.json(document)
    if format is CheckFormat.csv:
        heads = ["model", "variety", "column", "l", "k", "achieved", "achieved_without_suppressed"]
        heads += ["required", "passed", "failing_classes", "failing_rows"]
        heads += ["adversary"] if "adversaries" in document else []
        models = [check | {"variety": check_name(check).removesuffix(check["model"]).strip()} for check in document["privacy"]]
        return output.csv(heads, [[check.get(head) for head in heads] for check in models])
    required = [check for check in document["privacy"] if "required" in check]
    shown = document["privacy"] if all_models or not required else required
    return "\n".join(
        [_table(document, shown), "", *map(output.printable, _lines(document, shown)), *check_formats.verdict(document)]
    )


def _table(document: dict[str, Any], checks: Sequence[dict[str, Any]]) -> str:
    """The models, required models first. Figures without suppressed rows have a column only if there are suppressed rows."""
    has_suppressed, has_required = document["rows"]["suppressed"] > 0, any("required" in check for check in checks)
    has_others = document["rows"]["suppressed"] < document["rows"]["read"]
    heads = ["model", "column", "achieved"]
    heads += ["without suppressed"] if has_suppressed else []
    heads += ["required", "", "failing rows"] if has_required else []
    rows = []
    for check in checks:
        row = [
            summary.model_name(check, with_column=False),
            check["column"] or "",
            figure(check["achieved"], beside=check.get("required")),
        ]
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
    """The distributions that the models compare with: one line for each requirement by the source, one line for all by the file."""
    compared = [check for check in checks if "reference" in check]
    by_source = [check for check in compared if check["reference"] == "source" and "required" in check]
    lines = [f"{summary.model_name(check)}: {figure(check['achieved'])}{summary.references(check)}" for check in by_source]
    if models := list(dict.fromkeys(check["model"] for check in compared if check["reference"] == "file")):
        lines.append(
            f"{', '.join(models)}: compared with the distribution in this file; a release satisfies them by the distribution in its source, "
            "which --manifest reads from the saved recoding beside the manifest"
        )
    return lines


def _compared(comparison: dict[str, Any]) -> list[str]:
    """The comparison with the manifest."""
    lines = [
        f"the SHA-256 of the file matches the manifest of {comparison['release']!r}"
        if comparison["is_same_file"]
        else f"the SHA-256 of the file differs from the manifest of {comparison['release']!r}, which has {comparison['rows']['required']:,} rows"
    ]
    return lines + _unjudged(comparison)


def _attested(attestation: dict[str, Any]) -> list[str]:
    """The attestation of the file."""
    line = f"the signature is valid, and the SHA-256 of the file matches the attestation of {attestation['release']!r}"
    return [f"{line} ({attestation['attested']})", *_unjudged(attestation)]


def _unjudged(document: dict[str, Any]) -> list[str]:
    names = document["unjudged"]
    return [f"required, but cannot be checked with the file alone: {', '.join(names)}"] if names else []


def _uniques(unique: int, rows: int) -> str:
    if unique in (0, rows):
        return "every row is unique" if unique else "no row is unique"
    return f"{unique:,} of {rows:,} rows are unique"


def _known(name: str, seen: Mapping[str, Any]) -> str:
    """The classes of an adversary."""
    return (
        f"{name} knows {', '.join(seen['columns'])}: {seen['count']:,} classes of {seen['smallest']:,} to {seen['largest']:,} rows; "
        f"risk of a record: highest {figure(seen['risk']['highest'])}, average {figure(seen['risk']['average'])}"
    )


def _sets(name: str, seen: Mapping[str, Any]) -> list[str]:
    """The records that sets of few columns single out."""
    lines = [f"{name}: {seen['sets']:,} sets of {len(seen['columns']):,} quasi-identifiers"]
    return lines + (risk_lines.of_singled_out(seen["singled_out"]) if seen["singled_out"] is not None else [])


def _lines(document: dict[str, Any], checks: Sequence[dict[str, Any]]) -> list[str]:
    rows, risk, together = document["rows"], document["risk"], document["all_columns"]
    left = rows["suppressed"] > 0 and document["suppressed_rows_are"] != "one class"
    classes = document["classes_without_suppressed"] if left else document["classes"]
    of = "" if risk["unit"] == "rows" else f", counted by {risk['unit']}"
    lines = [
        f"{rows['read'] - rows['suppressed'] if left else rows['read']:,} rows in {classes['count']:,} classes of {classes['smallest']:,} to {classes['largest']:,} rows, "
        f"{classes['average']:,.1f} on average",
        f"not part of k: over all {together['columns']:,} columns, retained ones included, {_uniques(together['uniques'], rows['read'])}",
        f"{rows['suppressed']:,} rows are suppressed (* in every quasi-identifier)"
        + (f": they match any record, and count as {document['suppressed_rows_are']}" if rows["suppressed"] else ""),
        "NULL counts as a value"
        + (
            ": " + ", ".join(f"{name} {count:,} rows" for name, count in document["nulls"].items())
            if document["nulls"]
            else "; no rows have NULL"
        ),
        f"risk of a record{of}: highest {figure(risk['highest'])}, average {figure(risk['average'])}; records above "
        + ", ".join(f"{threshold}: {percent(share)}" for threshold, share in risk["records_at_risk"].items()),
        *risk_lines.of_persons(risk),
    ]
    for name, seen in document.get("adversaries", {}).items():
        lines += _sets(name, seen) if "sets" in seen else [_known(name, seen)]
    lines += _references(checks)
    lines += _compared(document["manifest"]) if "manifest" in document else []
    lines += _attested(document["attestation"]) if "attestation" in document else []
    lines += [check["message"] for check in check_formats.rules(document)]
    lines += [
        f"{classes_of['classes']:,} classes with {classes_of['rows']:,} rows have only one value of {name}"
        if classes_of["classes"]
        else f"no class has only one value of {name}"
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

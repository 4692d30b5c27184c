"""The commands about a release that exists: `duckanon explain`, `report`, `attest` and `register`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from duckanon.cli import output, parameters
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.formatting import figure
from duckanon.job.options import Run
from duckanon.reports import summary


@takes(MACHINE)
def explain(
    manifest: parameters.Manifest,
    row: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Explain only the N-th row of the input (1 is the first), and the changes that would keep it."
        ),
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            metavar="COLUMN=LABEL",
            help="Explain only one class, given by its label of each quasi-identifier; repeatable.",
        ),
    ] = None,
    source: parameters.MovedInput = None,
    json: Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")] = False,
    quiet: parameters.QuietResult = False,
    *,
    run: Run,
) -> None:
    """Explain a release: its generalization levels, the next best levels, the information loss, and why rows were suppressed.

    The input is counted again; nothing is written. The output contains labels of single rows: protect it like the input.
    """
    from duckanon.workflows import explain as explain_workflow

    observer = output.ConsoleObserver(quiet=quiet)
    document = explain_workflow.explain(manifest, source=source, row=row, labels=labels or (), run=run, observer=observer)
    output.data(output.json(document) if json else "\n".join(_lines(document)))


def _lines(document: Mapping[str, Any]) -> list[str]:
    outcome = next((document[key] for key in ("row", "class") if key in document), None)
    if outcome is not None:
        return [*map(output.printable, _outcome(outcome))]
    lines = [*map(output.printable, _why(document))]
    lines += ["", "Information loss by column", _columns(document["columns"])]
    lines += ["", *map(output.printable, _suppressed(document))]
    if document["runners_up"]:
        lines += ["", "Next best levels", _runners_up(document["runners_up"])]
    return [*lines, "", "Nearest other requirements", _alternatives(document["alternatives"])]


def _why(document: Mapping[str, Any]) -> list[str]:
    recoding, rows = document["recoding"], document["rows"]
    how = summary.search(recoding)
    if "levels" in recoding:
        shown = summary.levels(recoding["levels"])
    elif "partitions" in recoding:
        shown = f"{recoding['partitions']:,} partitions"
    else:
        shown = f"{len(recoding['passes']):,} passes"
    lost = document["lost_columns"]
    also = f" ({figure(document['loss_with_dropped'])} with {summary.dropped(lost)})" if lost else ""
    return [
        f"{document['release']}: {shown}; loss {figure(document['loss'])}{also}, {rows['suppressed']:,} rows suppressed; {how}"
    ]


def _outcome(outcome: Mapping[str, Any]) -> list[str]:
    which = f"row {outcome['row']:,}" if "row" in outcome else "this class"
    if outcome["status"] == "missing":
        return [f"{which} is dropped: it has missing values, and the job drops such rows"]
    if outcome["status"] == "outside":
        return [f"{which} is left out: it has values that the saved recoding does not cover"]
    if outcome["status"] == "isolated":
        return [f"{which} is suppressed: the release, alone or together with registered ones, would isolate it"]
    labels = ", ".join(f"{name}={'NULL' if label is None else label}" for name, label in outcome["class"].items())
    if outcome["status"] == "released":
        return [f"{which} is released, in the class {labels}, of {outcome['rows']:,} rows"]
    lines = [f"{which} is suppressed, in the class {labels}, of {outcome['rows']:,} rows"]
    for rule in outcome["rules"]:
        figures = (
            ""
            if rule["required"] is None
            else f" (achieved {figure(rule['achieved'], beside=rule['required'])}, required {rule['required']:,.9g})"
        )
        lines.append(f"  failed: {rule['rule']}{figures}")
    for number, change in enumerate(outcome["changes"]):
        what = "change with the least loss that keeps it" if number == 0 else "other change"
        lines.append(
            f"  {what}: {change['option']} ({change['change']}; loss {figure(change['loss'])}, {change['suppressed']:,} rows suppressed)"
        )
    if not outcome["changes"]:
        lines.append("  no change that was tried keeps it")
    return lines


def _columns(columns: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    is_weighted = any(column["weight"] != 1 for column in columns)
    for column in columns:
        lower = column.get("one_lower")
        rows.append(
            [
                column["column"],
                figure(column["loss"]),
                *([f"{column['weight']:.3g}"] if is_weighted else []),
                f"{column['share']:.0%}",
                f"{column['level']} of {column['height']}" if "level" in column else "",
                ""
                if lower is None or lower["suppressed"] is None
                else f"{lower['suppressed']:,}{'' if lower['feasible'] else ', too many'}",
            ]
        )
    heads = ["column", "loss", *(["weight", "weighted share"] if is_weighted else ["share"]), "level"]
    return output.table([*heads, "suppressed one level lower"], rows, right={1, 2, *([3] if is_weighted else [])})


def _suppressed(document: Mapping[str, Any]) -> list[str]:
    reasons = document["suppressed"]
    if not reasons:
        return ["No class was suppressed"]
    return ["Why classes were suppressed"] + [
        f"  {reason['reason']}: {reason['classes']:,} classes, {reason['rows']:,} rows" for reason in reasons
    ]


def _runners_up(nodes: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [summary.levels(node["levels"]), f"{node['suppressed']:,}", "satisfies" if node["satisfies"] else "fails", node["why"]]
        for node in nodes
    ]
    return output.table(["levels", "suppressed", "", "reason"], rows, right={1})


def _alternatives(alternatives: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [
            choice["change"],
            choice["option"],
            f"{'' if choice['exact'] else 'at most '}{figure(choice['loss'])}" if choice["feasible"] else "",
            "" if choice["suppressed"] is None else f"{choice['suppressed']:,}",
            summary.levels(choice["levels"] or {})
            if choice["feasible"]
            else "infeasible"
            if choice["exact"]
            else "nothing better found before the search ended",
        ]
        for choice in alternatives
    ]
    if not rows:
        return "none of those that were tried loses less"
    table = output.table(["change", "option", "loss", "suppressed", "levels"], rows, right={2, 3})
    limits = sorted({choice["stopped"] for choice in alternatives if choice["stopped"]})
    return (
        f"{table}\nat most: the search ended early, at its {' or '.join(limits)}; a longer one may lose less"
        if limits
        else table
    )


@takes(
    {
        **same("public_report", "public_manifest", "source", "comparison"),
        "overwrite": "Replace an existing report.",
        **same("quiet"),
        **MACHINE,
    }
)
def report(
    manifest: parameters.Manifest,
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
    source: parameters.MovedInput = None,
    comparison: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Output of duckanon compare --json; the report then shows its trade-off."),
    ] = None,
    quiet: parameters.Quiet = False,
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


@takes({"overwrite": "Replace an existing attestation."})
def attest(
    manifest: parameters.Manifest,
    key: Annotated[
        Path, typer.Option(metavar="FILE.pem", help="Ed25519 private key that signs (PEM, mode 0600).", show_default=False)
    ],
    target: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.json",
            help="File of the attestation; default: OUTPUT.attestation.json beside the release.",
            show_default=False,
        ),
    ] = None,
    *,
    run: Run,
) -> None:
    """Sign an attestation of a release, which `duckanon check` verifies without the source and without the manifest.

    It has the requirements, the result and the policy in an in-toto statement (DSSE envelope), and nothing that a public manifest does not have.
    """
    from duckanon.workflows import report as report_workflow

    written = report_workflow.attest(manifest, key, target, overwrite=run.overwrite)
    output.ConsoleObserver().note(f"{written}: share, with the release and the public key")


register_group = typer.Typer(
    name="register", help="List, compare and forget the releases of a register (`anonymize --register`).", no_args_is_help=True
)
File = Annotated[Path, typer.Argument(metavar="REGISTER", help="File of the register.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@register_group.command("list")
def list_releases(register: File, json: Json = False) -> None:
    """List the registered releases."""
    from duckanon.workflows import registration

    releases = registration.listed(register)
    if json:
        output.data(output.json(releases))
        return
    heads = ["number", "registered", "release", "input", "rows", "k", "of"]
    rows = [
        [
            str(each["number"]),
            each["registered"],
            each["release"],
            each["input"],
            f"{each['rows']:,}",
            str(each["k"]),
            each["counted"],
        ]
        for each in releases
    ]
    output.data(output.table(heads, rows, right={0, 4, 5}) if rows else "no releases")


@register_group.command("compare")
def compare(register: File, json: Json = False) -> None:
    """Show, for each release and each earlier one, the smallest intersection of two classes: how many records share both."""
    from duckanon.workflows import registration

    pairs = registration.compared(register)
    if json:
        output.data(output.json(pairs))
        return
    heads = ["release", "earlier release", "smallest intersection", "k"]
    rows = [
        [
            f"{pair['number']} {pair['release']}",
            f"{pair['earlier_number']} {pair['earlier'] or '(forgotten)'}",
            "none in common" if pair["smallest"] is None else f"{pair['smallest']:,} {pair['counted']}",
            str(pair["k"]),
        ]
        for pair in pairs
    ]
    output.data(output.table(heads, rows, right={2, 3}) if rows else "no release was compared with an earlier one")


@register_group.command("forget")
def forget(
    register: File,
    release: Annotated[str, typer.Argument(metavar="RELEASE", help="Number or file name of the release.", show_default=False)],
) -> None:
    """Delete a release and its values from the register. Later releases are not compared with it."""
    from duckanon.workflows import registration

    forgotten = registration.forget(register, release)
    output.data(
        f"release {forgotten['number']} ({forgotten['release']!r}) is forgotten; later releases are not compared with it"
    )

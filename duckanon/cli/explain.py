"""`duckanon explain`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from duckanon.cli import output, shared
from duckanon.cli.parameters import MACHINE, takes
from duckanon.formatting import figure
from duckanon.job.options import Run
from duckanon.reports import summary


@takes(MACHINE)
def explain(
    manifest: shared.Manifest,
    row: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Only the outcome of the N-th row of the input (1 is the first), and what would keep it."
        ),
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            metavar="COLUMN=LABEL",
            help="Only the outcome of a class, by its label of each quasi-identifier; repeatable.",
        ),
    ] = None,
    source: shared.MovedInput = None,
    json: Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")] = False,
    quiet: shared.Quiet = False,
    *,
    run: Run,
) -> None:
    """Explain a release: its generalization levels and the next best, what costs most, and why rows were suppressed.

    The input is counted again; nothing is written. The output has labels of single rows: store it as safely as the input.
    """
    from duckanon.workflows import explain as explain_workflow

    narrator = output.Narrator(quiet=quiet)
    document = explain_workflow.explain(manifest, source=source, row=row, labels=labels or (), run=run, observer=narrator)
    output.data(output.json(document) if json else "\n".join(_lines(document)))


def _lines(document: Mapping[str, Any]) -> list[str]:
    outcome = next((document[key] for key in ("row", "class") if key in document), None)
    if outcome is not None:
        return _fate(outcome)
    lines = _why(document)
    lines += ["", "What costs most", _columns(document["columns"])]
    lines += ["", *_suppressed(document)]
    if document["runners_up"]:
        lines += ["", "What came next", _runners_up(document["runners_up"])]
    return [*lines, "", "The nearest other promises", _alternatives(document["alternatives"])]


def _why(document: Mapping[str, Any]) -> list[str]:
    recoding, rows = document["recoding"], document["rows"]
    how = summary.search(recoding)
    if "levels" in recoding:
        shown = summary.levels(recoding["levels"])
    elif "partitions" in recoding:
        shown = f"{recoding['partitions']:,} partitions"
    else:
        shown = f"{len(recoding['passes']):,} passes"
    return [f"{document['release']}: {shown}; loss {document['loss']:.6g}, {rows['suppressed']:,} rows suppressed; {how}"]


def _fate(fate: Mapping[str, Any]) -> list[str]:
    which = f"row {fate['row']:,}" if "row" in fate else "this class"
    if fate["status"] == "missing":
        return [f"{which} is left out: it has missing values, and the job drops such rows"]
    if fate["status"] == "outside":
        return [f"{which} is left out: it has values that the frozen recoding does not cover"]
    labels = ", ".join(f"{name}={'NULL' if label is None else label}" for name, label in fate["class"].items())
    if fate["status"] == "released":
        return [f"{which} is released, in the class {labels}, of {fate['rows']:,} rows"]
    lines = [f"{which} is suppressed, in the class {labels}, of {fate['rows']:,} rows"]
    for rule in fate["rules"]:
        figures = (
            "" if rule["required"] is None else f" ({figure(rule['achieved'])}, where {rule['required']:,.9g} is asked for)"
        )
        lines.append(f"  it failed: {rule['rule']}{figures}")
    for number, change in enumerate(fate["changes"]):
        what = "the cheapest change that keeps it" if number == 0 else "or"
        lines.append(
            f"  {what}: {change['option']} ({change['change']}; loss {change['loss']:.6g}, {change['suppressed']:,} rows suppressed)"
        )
    if not fate["changes"]:
        lines.append("  nothing that was tried keeps it")
    return lines


def _columns(columns: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for column in columns:
        lower = column.get("one_lower")
        rows.append(
            [
                column["column"],
                f"{column['loss']:.4f}",
                f"{column['share']:.0%}",
                f"{column['level']} of {column['height']}" if "level" in column else "",
                ""
                if lower is None or lower["suppressed"] is None
                else f"{lower['suppressed']:,}{'' if lower['feasible'] else ', too many'}",
            ]
        )
    return output.table(["column", "loss", "share", "level", "suppressed one level lower"], rows, right={1, 2})


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
    return output.table(["levels", "suppressed", "", "why not"], rows, right={1})


def _alternatives(alternatives: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [
            choice["change"],
            choice["option"],
            f"{'' if choice['exact'] else 'at most '}{choice['loss']:.6g}" if choice["feasible"] else "",
            "" if choice["suppressed"] is None else f"{choice['suppressed']:,}",
            summary.levels(choice["levels"] or {})
            if choice["feasible"]
            else "infeasible"
            if choice["exact"]
            else "not decided in time",
        ]
        for choice in alternatives
    ]
    return output.table(["change", "option", "loss", "suppressed", "levels"], rows, right={2, 3})

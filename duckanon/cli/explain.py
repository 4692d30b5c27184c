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
    source: shared.MovedInput = None,
    json: Annotated[bool, typer.Option("--json", help="Print the explanation as JSON.")] = False,
    quiet: shared.QuietResult = False,
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

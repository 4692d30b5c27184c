"""`duckanon profile`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from duckanon.cli import output, shared
from duckanon.cli.output import Format
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.job.options import Options, Run


@takes(
    {
        **same("columns"),
        "missing": {"metavar": "'?'", "help": "A value that means missing (repeatable)."},
        **same("format", "json", "hipaa"),
        "overwrite": "Replace a job file that exists.",
        **same("quiet", "engine"),
        **MACHINE,
    }
)
def profile(
    source: shared.Input = None,
    write_job: Annotated[
        Path | None, typer.Option(metavar="JOB.yaml", help="Write the proposal as a job file, to look at, change and run.")
    ] = None,
    job: Annotated[
        Path | None, typer.Option(metavar="JOB.yaml", help="Job file whose roles stand; the rest is proposed.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="How the columns are printed.")] = Format.table,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    hipaa: Annotated[
        bool,
        typer.Option("--hipaa", help="Print the 18 identifiers of the HIPAA safe harbour, and the columns that may hold them."),
    ] = False,
    quiet: shared.Quiet = False,
    *,
    options: Options,
    run: Run,
) -> None:
    """Look at a table: types, distinct values, missing ones, how well columns tell rows apart, and a role for each.

    Distinction is the share of distinct values, separation the share of pairs of rows that differ.
    """
    from duckanon.workflows import profile as profile_workflow

    narrator = output.Narrator(quiet=quiet)
    document = profile_workflow.profile(source, job=job, options=options, run=run, write_job=write_job, observer=narrator)
    output.data(_checklist(document) if hipaa and not json else _printed(document, Format.json if json else format))
    if write_job is not None:
        narrator.note(f"{write_job}: the job; look at its roles, then: duckanon anonymize --job {write_job}")


def _printed(document: dict[str, Any], format: Format) -> str:
    if format is Format.json:
        return output.json(document)
    rows = [row | {"hierarchy": _hierarchy(row["hierarchy"])} for row in document["columns"]]
    if format is Format.csv:
        return output.csv(list(rows[0]), [list(row.values()) for row in rows])
    cells = [
        [
            row["column"],
            row["type"],
            "" if row["distinct_values"] is None else f"{'' if row['exact'] else '~'}{row['distinct_values']:,}",
            f"{row['missing']:,}",
            _share(row["distinction"]),
            _share(row["separation"]),
            row["role"],
            row["hierarchy"] or "",
        ]
        for row in rows
    ]
    heads = ["column", "type", "distinct", "missing", "distinction", "separation", "role", "hierarchy"]
    reasons: dict[str, list[str]] = {}
    for row in rows:
        reasons.setdefault(f"{row['role']}; {row['reason']}", []).append(row["column"])
    sets = [
        f"{', '.join(column_set['columns'])} together: distinction {column_set['distinction']:.4f}, separation {column_set['separation']:.4f}"
        for column_set in document["sets"]
    ]
    return "\n".join(
        [
            output.table(heads, cells, right={2, 3, 4, 5}),
            "",
            *(f"{', '.join(names)}: {reason}" for reason, names in reasons.items()),
            "",
            f"{document['rows']:,} rows",
            *sets,
        ]
    )


def _checklist(document: dict[str, Any]) -> str:
    rows = [
        [identifier["identifier"], identifier["name"], ", ".join(identifier["columns"]) or "no column by name or values"]
        for identifier in document["hipaa"]
    ]
    note = "45 CFR 164.514(b)(2)(i): a list to be gone through by somebody who knows the data; what stands in free text is not seen here"
    return "\n".join([output.table(["", "identifier", "columns"], rows), "", note])


def _hierarchy(hierarchy: Any) -> str | None:
    if isinstance(hierarchy, dict):
        parts = hierarchy.get("widths") or hierarchy.get("units") or hierarchy.get("below") or []
        return f"{hierarchy['kind']} {', '.join(str(part) for part in parts)}".strip()
    return None if hierarchy is None else str(hierarchy)


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.4f}"

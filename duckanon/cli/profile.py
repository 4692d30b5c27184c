"""The commands before a release: `duckanon demo`, `profile`, `compare` and `job`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from duckanon.choices import Algorithm, DemoTable
from duckanon.cli import output, parameters
from duckanon.cli.output import Format
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.errors import ExitCode, JobError
from duckanon.formatting import figure
from duckanon.job.options import Options, Run, every_name

_LABELS = 3
"""Labels of a value in the table."""


@takes(
    {
        "missing": {"metavar": "'?'", "help": "A value that means missing (repeatable)."},
        **same("set", "format", "json", "hipaa"),
        "overwrite": "Replace an existing job file or page.",
        **same("quiet", "engine"),
        **MACHINE,
    }
)
def profile(
    source: parameters.Input = None,
    write_job: Annotated[
        Path | None, typer.Option(metavar="JOB.yaml", help="Write the proposed roles to a job file, to review, edit and run.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write the profile as a page; labels in it may be values of the input."),
    ] = None,
    job: Annotated[
        Path | None, typer.Option(metavar="JOB.yaml", help="Job file with roles; duckanon proposes the other roles.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.table,
    json: parameters.Json = False,
    hipaa: Annotated[
        bool,
        typer.Option("--hipaa", help="Print the 18 identifiers of HIPAA Safe Harbor, and the columns that may contain them."),
    ] = False,
    quiet: parameters.QuietResult = False,
    *,
    options: Options,
    run: Run,
) -> None:
    """Profile a table: types, distinct values, missing values, distinction, separation, and a proposed role for each column.

    Distinction is the share of distinct values. Separation is the share of pairs of rows that differ.
    """
    from duckanon.reports import files
    from duckanon.workflows import profile as profile_workflow

    observer = output.ConsoleObserver(quiet=quiet)
    if report is not None:
        files.check_place(report, overwrite=run.overwrite)
    document = profile_workflow.profile(
        source, job=job, options=options, run=run, write_job=write_job, report=report, observer=observer
    )
    output.data(_checklist(document) if hipaa and not json else _printed(document, Format.json if json else format))
    if report is not None:
        from duckanon.reports.html.pages import profile_page

        output.write_page(report, profile_page(document), overwrite=run.overwrite)
        observer.note(f"{report}: the profile as a page")
    if write_job is not None:
        observer.note(f"{write_job}: job file; review its roles, then: {output.command('anonymize', '--job', write_job)}")


def _printed(document: dict[str, Any], format: Format) -> str:
    if format is Format.json:
        return output.json(document)
    rows = [row | {"hierarchy": _hierarchy(row["hierarchy"])} for row in document["columns"]]
    if format is Format.csv:
        lines = [row | {"labels": " → ".join(row["labels"] or ())} for row in rows]
        return output.csv(list(rows[0]), [list(row.values()) for row in lines])
    cells = [
        [
            row["column"],
            row["type"],
            "" if row["distinct_values"] is None else f"{'' if row['exact'] else '~'}{row['distinct_values']:,}",
            f"{row['missing']:,}",
            _share(row["distinction"]),
            _share(row["separation"]),
            row["role"],
            _shown(row["labels"]),
        ]
        for row in rows
    ]
    heads = ["column", "type", "distinct", "missing", "distinction", "separation", "role", "labels"]
    reasons: dict[str, list[str]] = {}
    for row in rows:
        reasons.setdefault(f"{row['role']}; {row['reason']}", []).append(row["column"])
    sets = [
        f"{', '.join(column_set['columns'])} together: distinction {figure(column_set['distinction'])}, separation {figure(column_set['separation'])}"
        for column_set in document["sets"]
    ]
    return "\n".join(
        [
            output.table(heads, cells, right={2, 3, 4, 5}),
            "",
            *(output.printable(f"{', '.join(names)}: {reason}") for reason, names in reasons.items()),
            "",
            f"{document['rows']:,} rows",
            *map(output.printable, sets),
        ]
    )


def _checklist(document: dict[str, Any]) -> str:
    rows = [
        [
            identifier["identifier"],
            identifier["name"],
            ", ".join(identifier["columns"]) or "no column matches by name or values",
        ]
        for identifier in document["hipaa"]
    ]
    note = "45 CFR 164.514(b)(2)(i): a person who knows the data must review this list; identifiers within free text are not detected"
    return "\n".join([output.table(["", "identifier", "columns"], rows), "", note])


def _shown(labels: Sequence[str] | None) -> str:
    """At most three labels of a value, the last one at the top."""
    labels = list(labels or ())
    return " → ".join(labels if len(labels) <= _LABELS else [*labels[: _LABELS - 1], "...", labels[-1]])


def _hierarchy(hierarchy: Any) -> str | None:
    if isinstance(hierarchy, dict):
        parts = hierarchy.get("widths") or hierarchy.get("units") or hierarchy.get("below") or []
        return f"{hierarchy['kind']} {', '.join(str(part) for part in parts)}".strip()
    return None if hierarchy is None else str(hierarchy)


def _share(share: float | None) -> str:
    return "" if share is None else figure(share)


def demo(
    kind: Annotated[
        DemoTable,
        typer.Argument(
            metavar="[adult|visits|survey]",
            help="Columns of UCI Adult, visits of patients (several rows each, with notes), or a survey (weights, codes of missing values).",
            show_default=False,
        ),
    ] = "adult",
    rows: Annotated[int, typer.Option(metavar="N", help="Number of rows to generate.")] = 30_000,
    target: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Parquet or CSV file; default: adult.parquet.", show_default=False),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
    quiet: parameters.Quiet = False,
) -> None:
    """Write a synthetic table of persons, to try `duckanon anonymize`.

    The same number of rows gives the same persons.
    """
    from duckanon.workflows import demo as demo_workflow

    observer = output.ConsoleObserver(quiet=quiet)
    target = target or Path(f"{kind}.parquet")
    written = demo_workflow.demo(target, rows, kind=kind, overwrite=overwrite, observer=observer)
    what = "synthetic rows" if kind == "visits" else "synthetic persons"
    observer.note(f"{target}: {written:,} {what}; next: {output.command('anonymize', target)}")


job_group = typer.Typer(name="job", help="Validate job files and print their schema.", no_args_is_help=True)


@job_group.command("schema")
def schema() -> None:
    """Print the JSON Schema of the job file, for an editor."""
    from duckanon.job import file

    output.data(output.json(file.schema()))


@job_group.command("validate")
def validate(path: Annotated[Path, typer.Argument(metavar="JOB.yaml", help="The job file.")]) -> None:
    """Print the faults of a job file, one line each; exit code 2 if there is a fault."""
    from duckanon.job import file

    faults = file.faults(path)
    for fault in faults:
        output.data(f"{path}:{fault.line}: {fault.message}")
    if faults:
        raise typer.Exit(ExitCode.USAGE)


@takes(
    {
        **same("qi", "sensitive"),
        "hierarchies": "A bundled set, a folder, or COLUMN=FILE; repeatable.",
        "missing": {"metavar": "'?'", "help": "A value that means missing (repeatable)."},
        "entity": "Column that identifies persons; `none` counts rows.",
        "time_limit": "Time limit of each search.",
        "target": "Outcome of a study, a released column: how many coefficients of a regression keep their sign, and how far means or shares move.",
        **same("set", "format", "as_json"),
        "overwrite": "Replace an existing report.",
        **same("quiet"),
    }
)
def compare(
    source: parameters.Input = None,
    algorithms: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help=f"Algorithms to compare: {', '.join(get_args(Algorithm))}.",
            autocompletion=parameters.completed("algorithms"),
        ),
    ] = None,
    k: Annotated[list[str] | None, typer.Option("--k", metavar="2,5,10", help="Each k to compare.")] = None,
    max_suppression: Annotated[list[str] | None, typer.Option(metavar="0,1%", help="Each limit to compare.")] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with tables and plots.")] = None,
    job: parameters.Job = None,
    format: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.table,
    as_json: parameters.Json = False,
    quiet: parameters.QuietResult = False,
    *,
    options: Options,
    run: Run,
) -> None:
    """Compare algorithms, k and suppression limits on one input, which is counted once; write no release."""
    from duckanon.reports import files
    from duckanon.workflows import compare as compare_workflow

    observer = output.ConsoleObserver(quiet=quiet)
    if report is not None:
        files.check_place(report, overwrite=run.overwrite)
    document = compare_workflow.compare(
        source,
        algorithms=every_name(algorithms),
        ks=[_whole(text) for text in every_name(k)],
        limits=every_name(max_suppression),
        job=job,
        options=options,
        run=run,
        report=report,
        observer=observer,
    )
    output.data(_compared(document, Format.json if as_json else format))
    if report is not None:
        from duckanon.reports.html.pages import comparison_page

        output.write_page(report, comparison_page(document), overwrite=run.overwrite)
        observer.note(f"{report}: tables and plots")
    if all(run["status"] == "infeasible" for run in document["runs"]):
        raise typer.Exit(ExitCode.NOT_MET)


def _compared(document: Mapping[str, Any], format: Format) -> str:
    if format is Format.json:
        return output.json(document)
    has_dropped = any("loss_with_dropped" in run for run in document["runs"])
    rows = [_row(run, has_dropped=has_dropped) for run in document["runs"]]
    if format is Format.csv:
        return output.csv(list(rows[0]), [list(row.values()) for row in rows])
    shown = [
        [_levels(run, named=False) if key == "levels" else _cell(value) for key, value in row.items()]
        for run, row in zip(document["runs"], rows, strict=True)
    ]
    words = {"algorithm", "limit", "status", "proven"}
    return output.table(list(rows[0]), shown, right={number for number, key in enumerate(rows[0]) if key not in words})


def _row(run: Mapping[str, Any], *, has_dropped: bool) -> dict[str, Any]:
    """A run as a flat row."""
    plain = ("algorithm", "k", "limit", "status")
    figures = ("height", "suppressed", "classes", "smallest")
    metrics = ("loss", "precision", "distortion", "discernibility", "average_class_size", "entropy")
    return (
        {key: run[key] for key in plain}
        | {"levels": _levels(run)}
        | {key: run[key] for key in (*figures, *metrics)}
        | ({"loss with dropped": run.get("loss_with_dropped")} if has_dropped else {})
        | {f"loss of {name}": loss for name, loss in run["loss_by_attribute"].items()}
        | {key: run[key] for key in ("coefficients", "signs_kept", "largest_difference") if key in run}
        | {"proven": "yes" if run["objective"]["proven"] else "no", "visited": run["visited"], "seconds": run["seconds"]}
    )


def _levels(run: Mapping[str, Any], *, named: bool = True) -> str:
    """The levels, with or without column names; for local recoding the number of regions."""
    if run["levels"] is not None:
        return " ".join(f"{name}={level}" if named else str(level) for name, level in run["levels"].items())
    return next(f"{run[regions]:,} {regions}" for regions in ("partitions", "passes") if regions in run)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 1_000 else f"{value:,.0f}"
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _whole(text: str) -> int:
    if not text.strip().isdecimal():
        raise JobError(f"--k {text!r} is not a whole number; write 2,5,10")
    return int(text)

"""`duckanon compare`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from duckanon.choices import Algorithm
from duckanon.cli import output, parameters
from duckanon.cli.output import Format
from duckanon.cli.parameters import same, takes
from duckanon.errors import ExitCode, JobError
from duckanon.job.options import Options, Run, every_name


@takes(
    {
        **same("qi"),
        "hierarchies": "A bundled set, a folder, or COLUMN=FILE; repeatable.",
        "missing": {"metavar": "'?'", "help": "A value that means missing (repeatable)."},
        "entity": "Column that identifies persons; `none` counts rows.",
        "time_limit": "Time limit of each search.",
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
    output.data(_printed(document, Format.json if as_json else format))
    if report is not None:
        from duckanon.reports.html.pages import comparison_page

        output.write_page(report, comparison_page(document), overwrite=run.overwrite)
        observer.note(f"{report}: tables and plots")
    if all(run["status"] == "infeasible" for run in document["runs"]):
        raise typer.Exit(ExitCode.NOT_MET)


def _printed(document: Mapping[str, Any], format: Format) -> str:
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

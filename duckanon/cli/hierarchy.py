"""`duckanon hierarchy`: list, show, check, build and convert hierarchies."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duckanon.cli import output
from duckanon.cli.output import Format
from duckanon.errors import ExitCode, JobError
from duckanon.job.options import every_name

if TYPE_CHECKING:
    from duckanon.hierarchy.inspection import Data
from duckanon.formatting import in_rows

group = typer.Typer(name="hierarchy", help="Make, show and check generalization hierarchies.", no_args_is_help=True)

_SPEC = "A YAML, CSV or Parquet file, or a bundled hierarchy such as adult/five-year/age."
_LINES = 40

DataOption = Annotated[
    str | None, typer.Option("--data", metavar="FILE", help="Data to apply the hierarchy to: Parquet, CSV, ...")
]
ColumnOption = Annotated[
    str | None, typer.Option("--column", metavar="C", help="Column of the data; default: the name of the hierarchy.")
]
MissingOption = Annotated[
    list[str] | None, typer.Option("--missing", metavar="'?'", help="A value that means missing (repeatable).")
]
NamesOption = Annotated[
    list[str] | None, typer.Option("--columns", metavar="A,B,C", help="Column names for a CSV file without a header.")
]
OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")]


@group.command("list")
def list_hierarchies(format: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.table) -> None:
    """List the bundled hierarchies with kind, number of levels above the values, and source."""
    from duckanon.hierarchy import inspection

    hierarchies = inspection.catalog()
    match format:
        case Format.json:
            output.data(output.json(hierarchies))
        case Format.csv:
            output.data(output.csv(list(hierarchies[0]), [list(entry.values()) for entry in hierarchies]))
        case Format.table:
            rows = [
                [entry["hierarchy"], entry["kind"], _count(entry["levels"]), "" if entry["nested"] else "not nested"]
                for entry in hierarchies
            ]
            sets = {entry["set"]: (entry["hierarchy"].rpartition("/")[0], entry["source_of_set"]) for entry in hierarchies}
            titles = [f"{name}: {title}\n  {source}" for title, (name, source) in sets.items()]
            output.data("\n".join([output.table(["hierarchy", "kind", "levels", ""], rows, right={2}), "", *titles]))


@group.command("show")
def show(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help=_SPEC)],
    data: DataOption = None,
    column: ColumnOption = None,
    missing: MissingOption = None,
    columns: NamesOption = None,
    format: Annotated[Format, typer.Option("--format", help="Output format; csv contains only the values.")] = Format.table,
    rows: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help=f"Number of values and groups to print; default: {_LINES} in a table, else all."),
    ] = None,
) -> None:
    """Print the labels of each value, and the number of groups and the smallest group of each level."""
    from duckanon.hierarchy import inspection

    limit = rows or (_LINES if format is Format.table else None)
    document = inspection.show(spec, _data(data, column, missing, columns), limit=limit)
    match format:
        case Format.json:
            output.data(output.json(document))
        case Format.csv:
            lines = [[*line["levels"], *([] if line["rows"] is None else [line["rows"]])] for line in document["values"]]
            height = len(document["levels"])
            heads = ["value", *(f"level_{level}" for level in range(1, height))]
            output.data(output.csv(heads if document["rows"] is None else [*heads, "rows"], lines))
        case Format.table:
            output.data(_tables(document, limit or _LINES, hint="; --rows N shows more, --format csv all"))


@group.command("check")
def check(
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC...", help=f"{_SPEC} A set or a folder selects all its hierarchies.")
    ],
    data: DataOption = None,
    column: ColumnOption = None,
    missing: MissingOption = None,
    columns: NamesOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document.")] = False,
) -> None:
    """Print the faults of hierarchies, one line each; exit code 2 if there is an error.

    With --data also print values of the data that the hierarchies do not cover, with their numbers of rows.
    """
    from duckanon.hierarchy import inspection

    document = inspection.check(specs, _data(data, column, missing, columns), strict=strict)
    if as_json:
        output.data(output.json(document))
    else:
        output.data("\n".join(output.printable(line) for hierarchy in document["hierarchies"] for line in _checked(hierarchy)))
    if not document["passed"]:
        raise typer.Exit(ExitCode.USAGE)


@group.command("build")
def build(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help=_SPEC)],
    target: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="A .csv or .parquet file.")],
    data: DataOption = None,
    column: ColumnOption = None,
    missing: MissingOption = None,
    columns: NamesOption = None,
    overwrite: OverwriteOption = False,
) -> None:
    """Write a hierarchy as a lookup table for some data. Each line has a value and its labels: level 1, ..., top."""
    from duckanon.hierarchy import conversion

    observer = output.ConsoleObserver()
    written = conversion.build(spec, _data(data, column, missing, columns), target, overwrite=overwrite, observer=observer)
    observer.note(f"{target}: {written:,} values")


@group.command("suggest")
def suggest(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The data: Parquet, CSV, JSON lines, FILE.duckdb::TABLE.")],
    column: ColumnOption = None,
    target: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT.yaml", help="File to write; default: standard output.")
    ] = None,
    missing: MissingOption = None,
    columns: NamesOption = None,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document.")] = False,
) -> None:
    """Print a hierarchy that fits the type and the values of a column, and the reason for it.

    Numbers are cut at round numbers near the quantiles, dates by calendar units, codes by their first characters.
    In other columns rare values share a label. Edit the suggestion, and inspect it with `duckanon hierarchy show`.
    """
    from duckanon import yaml_file
    from duckanon.hierarchy import conversion

    observer = output.ConsoleObserver()
    about = _data(source, column, missing, columns)
    assert about is not None
    suggested_for, counts, suggested = conversion.suggested(about, target, overwrite=overwrite, observer=observer)
    name, counted = suggested_for.name, f"{counts.values:,} values in {counts.rows:,} rows"
    if as_json:
        document = {"column": name, "hierarchy": suggested.content, "reason": suggested.reason}
        output.data(output.json(document))
        return
    if target is None:
        output.data(yaml_file.dumps(suggested.content).rstrip())
    observer.note(f"{name}, {counted}: {suggested.reason}")
    if target is not None:
        observer.note(f"{target}; next: {output.command('hierarchy', 'show', target, '--data', source, '--column', name)}")


@group.command("convert")
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help=_SPEC)],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A .yaml, .csv or .parquet file.")],
    overwrite: OverwriteOption = False,
) -> None:
    """Convert a hierarchy that lists its values to YAML, or to a table for other tools, without loss."""
    from duckanon.hierarchy import conversion

    observer = output.ConsoleObserver()
    written = conversion.convert(source, target, overwrite=overwrite, observer=observer)
    observer.note(f"{target}: {written:,} values")


def _data(
    source: str | None, column: str | None, missing: Sequence[str] | None, columns: Sequence[str] | None
) -> "Data | None":
    from duckanon.hierarchy.inspection import Data

    if source is None:
        if column is not None or missing or columns:
            raise JobError("--column, --missing and --columns need data; name it with --data FILE")
        return None
    return Data(source, column, tuple(missing or ()), tuple(every_name(columns)) or None)


def _checked(hierarchy: dict[str, Any]) -> list[str]:
    name = hierarchy["hierarchy"] if hierarchy["column"] is None else f"{hierarchy['hierarchy']}, column {hierarchy['column']}"
    if not hierarchy["faults"]:
        return [f"{name}: no faults"]
    order = ("error", "warning", "note")
    faults = sorted(hierarchy["faults"], key=lambda fault: order.index(fault["severity"]))
    places = ["" if fault["line"] is None else f"line {fault['line']}: " for fault in faults]
    lines = [f"  {fault['severity']}: {place}it {fault['message']}" for fault, place in zip(faults, places, strict=True)]
    return [f"{name}:", *lines]


def _tables(document: dict[str, Any], limit: int, *, hint: str = "") -> str:
    """Values, levels and groups as three tables; `hint` names the option that shows more values than `limit`."""
    if not document["levels"]:
        return f"{document['hierarchy']} covers no values"
    on_data = document["rows"] is not None
    height = len(document["levels"])
    heads = ["value", *(f"level {level}" for level in range(1, height)), *(["rows"] if on_data else [])]
    values = [
        [_label(label) for label in line["levels"]] + ([f"{line['rows']:,}"] if on_data else []) for line in document["values"]
    ]
    counted = document["levels"][0]["groups"]
    parts = [output.table(heads, values, right={height} if on_data else ())]
    if counted > len(values):
        parts.append(f"... {counted - len(values):,} more values{hint}")
    has_loss = document["levels"][0]["loss"] is not None
    heads = [
        "level",
        "groups",
        *(["in the data", "smallest group", "largest group"] if on_data else []),
        *(["loss"] if has_loss else []),
    ]
    levels = [
        [
            str(line["level"]),
            f"{line['groups']:,}",
            *([_count(line["groups_in_data"]), _rows(line["smallest_group"]), _rows(line["largest_group"])] if on_data else []),
            *([f"{line['loss']:g}"] if has_loss else []),
        ]
        for line in document["levels"]
    ]
    parts += ["", output.table(heads, levels, right=set(range(len(heads))))]
    groups = [
        [str(line["level"]), _label(line["label"]), f"{line['leaves']:,}", *([f"{line['rows']:,}"] if on_data else [])]
        for line in document["groups"]
    ]
    if groups:
        heads = ["level", "group", "values", *(["rows"] if on_data else [])]
        parts += ["", output.table(heads, groups, right={0, 2, 3})]
        total = sum(line["groups"] for line in document["levels"][1:-1])
        if total > limit:
            parts.append(f"... {total - limit:,} more groups")
    return "\n".join(parts)


def _label(label: str | None) -> str:
    return "NULL" if label is None else label if label.strip() == label != "" and label.isprintable() else repr(label)


def _rows(count: int | None) -> str:
    return "" if count is None else in_rows(count)


def _count(number: int | None) -> str:
    """A number as text; empty for None."""
    return "" if number is None else f"{number:,}"

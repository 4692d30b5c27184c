"""`duckanon hierarchy`: hierarchies listed, shown, checked, built and converted."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duckanon.cli import output
from duckanon.cli.hierarchy_tables import count, tables
from duckanon.cli.output import Format
from duckanon.errors import ExitCode, JobError
from duckanon.job.options import names

if TYPE_CHECKING:
    from duckanon.hierarchy.inspection import Data

group = typer.Typer(name="hierarchy", help="Make, look at and check generalization hierarchies.", no_args_is_help=True)

_SPEC = "A YAML, CSV or Parquet file, or a bundled hierarchy, as adult/five-year/age."
_LINES = 40

DataOption = Annotated[str | None, typer.Option("--data", metavar="FILE", help="The data to look at it on: Parquet, CSV, ...")]
ColumnOption = Annotated[
    str | None, typer.Option("--column", metavar="C", help="The data's column; by the hierarchy's name unless given.")
]
MissingOption = Annotated[
    list[str] | None, typer.Option("--missing", metavar="'?'", help="A value that means missing (repeatable).")
]
NamesOption = Annotated[str | None, typer.Option("--columns", metavar="A,B,C", help="Names for a CSV file without a header.")]
OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")]


@group.command("list")
def list_hierarchies(
    format: Annotated[Format, typer.Option("--format", help="How they are printed.")] = Format.table,
) -> None:
    """List the bundled hierarchies: kind, levels above the values, and where they come from."""
    from duckanon.hierarchy import inspection

    hierarchies = inspection.catalog()
    match format:
        case Format.json:
            output.data(output.json(hierarchies))
        case Format.csv:
            output.data(output.csv(list(hierarchies[0]), [list(entry.values()) for entry in hierarchies]))
        case Format.table:
            rows = [
                [entry["hierarchy"], entry["kind"], count(entry["levels"]), "" if entry["nested"] else "not nested"]
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
    format: Annotated[Format, typer.Option("--format", help="How it is printed; csv gives the values alone.")] = Format.table,
    rows: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=f"So many values and groups; {_LINES} in a table, else all.")
    ] = None,
) -> None:
    """Print what a hierarchy makes of each value, and how many groups each level has, how large the smallest is."""
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
            output.data(tables(document, limit or _LINES))


@group.command("check")
def check(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC...", help=f"{_SPEC} A set or a folder stands for all in it.")],
    data: DataOption = None,
    column: ColumnOption = None,
    missing: MissingOption = None,
    columns: NamesOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document.")] = False,
) -> None:
    """Print everything wrong with hierarchies, a line a fault; exit code 2 where there is an error.

    With --data it also finds values of the data that they do not place, with their rows.
    """
    from duckanon.hierarchy import inspection

    document = inspection.check(specs, _data(data, column, missing, columns), strict=strict)
    if as_json:
        output.data(output.json(document))
    else:
        output.data("\n".join(line for hierarchy in document["hierarchies"] for line in _checked(hierarchy)))
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
    """Write a hierarchy as a lookup table for some data: value, level 1, ..., top, a line a value."""
    from duckanon.hierarchy import conversion

    narrator = output.Narrator()
    written = conversion.build(spec, _data(data, column, missing, columns), target, overwrite=overwrite, observer=narrator)
    narrator.note(f"{target}: {written:,} values")


@group.command("suggest")
def suggest(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The data: Parquet, CSV, JSON lines, FILE.duckdb::TABLE.")],
    column: ColumnOption = None,
    target: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT.yaml", help="Where it goes; standard output unless given.")
    ] = None,
    missing: MissingOption = None,
    columns: NamesOption = None,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON document.")] = False,
) -> None:
    """Print a hierarchy that fits a column, by its type and its values, and why it is this one.

    Numbers are cut at round numbers near the quantiles, dates along the calendar, codes by their beginnings;
    of other values the rare ones share a label. It is a start: change it, and look at what it does with show.
    """
    from duckanon import yaml_file
    from duckanon.hierarchy.session import Workbench

    narrator = output.Narrator()
    about = _data(source, column, missing, columns)
    assert about is not None
    with Workbench(about, observer=narrator) as bench:
        suggested, counts, name = bench.suggested(), bench.counted, bench.column.name
        if target is not None:
            bench.write(suggested.content, target, overwrite=overwrite)
    counted = f"{counts.values:,} values in {counts.rows:,} rows"
    if as_json:
        document = {"column": name, "hierarchy": suggested.content, "reason": suggested.reason}
        output.data(output.json(document))
        return
    if target is None:
        output.data(yaml_file.dumps(suggested.content).rstrip())
    narrator.note(f"{name}, {counted}: {suggested.reason}")
    if target is not None:
        narrator.note(f"{target}; next: {output.command('hierarchy', 'show', target, '--data', source, '--column', name)}")


@group.command("wizard")
def wizard(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The data: Parquet, CSV, JSON lines, FILE.duckdb::TABLE.")],
    column: ColumnOption = None,
    target: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT.yaml", help="Where it goes; COLUMN.yaml unless given.")
    ] = None,
    missing: MissingOption = None,
    columns: NamesOption = None,
    overwrite: OverwriteOption = False,
) -> None:
    """Make a hierarchy by questions in the terminal, and see after every answer what it makes of the data.

    It starts from what suggest would give: values, levels, groups, and the smallest group on the data.
    """
    from duckanon.cli import wizard as questions
    from duckanon.hierarchy.conversion import check_place
    from duckanon.hierarchy.session import Workbench

    questions.check_terminal()
    narrator = output.Narrator()
    about = _data(source, column, missing, columns)
    assert about is not None
    with Workbench(about, observer=narrator) as bench:
        place = target or Path(f"{bench.column.name.replace('/', '_')}.yaml")
        check_place(place, (".yaml",), overwrite=overwrite)
        written = questions.run(bench, place, overwrite=overwrite)
    narrator.note(
        "nothing was written"
        if written is None
        else f"{place}; next: {output.command('anonymize', source, '--hierarchies', f'{bench.column.name}={place}')}"
    )


@group.command("convert")
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help=_SPEC)],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A .yaml, .csv or .parquet file.")],
    overwrite: OverwriteOption = False,
) -> None:
    """Write a hierarchy that lists its values as YAML, or as a table that other tools read; nothing of the table is lost."""
    from duckanon.hierarchy import conversion

    narrator = output.Narrator()
    written = conversion.convert(source, target, overwrite=overwrite, observer=narrator)
    narrator.note(f"{target}: {written:,} values")


def _data(source: str | None, column: str | None, missing: Sequence[str] | None, columns: str | None) -> "Data | None":
    from duckanon.hierarchy.inspection import Data

    if source is None:
        if column is not None or missing or columns is not None:
            raise JobError("--column, --missing and --columns say something of data; name it with --data FILE")
        return None
    return Data(source, column, tuple(missing or ()), None if columns is None else tuple(names(columns)))


def _checked(hierarchy: dict[str, Any]) -> list[str]:
    name = hierarchy["hierarchy"] if hierarchy["column"] is None else f"{hierarchy['hierarchy']}, column {hierarchy['column']}"
    if not hierarchy["faults"]:
        return [f"{name}: no faults"]
    order = ("error", "warning", "note")
    faults = sorted(hierarchy["faults"], key=lambda fault: order.index(fault["severity"]))
    places = ["" if fault["line"] is None else f"line {fault['line']}: " for fault in faults]
    lines = [f"  {fault['severity']}: {place}it {fault['message']}" for fault, place in zip(faults, places, strict=True)]
    return [f"{name}:", *lines]

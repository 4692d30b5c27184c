"""`duckanon sql`: the SQL templates, and the SQL export of a release."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from duckanon.cli import output, parameters
from duckanon.errors import UsageError

group = typer.Typer(name="sql", help="Print the SQL that duckanon runs, and the SQL export of a release.", no_args_is_help=True)


@group.command("list")
def list_templates() -> None:
    """List the templates, and what one row of each is."""
    from duckanon.engine import templates

    for name, row in templates.catalog().items():
        output.data(f"{name}\t{row}")


@group.command("show")
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A template, such as `release/recoded`.", autocompletion=parameters.completed("templates")
        ),
    ],
) -> None:
    """Print one template; `duckanon anonymize ... --workspace FILE.duckdb` keeps the statements of a run in `duckanon.steps`."""
    from duckanon.engine import templates

    output.data(templates.text(name))


@group.command("release")
def release(
    manifest: parameters.Manifest,
    dialect: Annotated[
        str,
        typer.Option(
            metavar="ENGINE",
            help="duckdb, spark, snowflake, bigquery, postgres or trino.",
            autocompletion=parameters.completed("dialects"),
        ),
    ] = "duckdb",
    table: Annotated[str, typer.Option(metavar="NAME", help="The table to release, such as `schema.name`.")] = "input",
    released: Annotated[
        str, typer.Option(metavar="NAME", help="The table of the release, for the statements that check it.")
    ] = "released",
    like: Annotated[
        str | None,
        typer.Option(
            metavar="INPUT", help="A table with the columns of the first input, if that input has moved. [default: that input]"
        ),
    ] = None,
    lookups: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the lookup tables to this folder as CSV instead of into the text. They contain original values.",
        ),
    ] = None,
    form: Annotated[
        Literal["sql", "dbt"],
        typer.Option("--as", help="The text, or a dbt project with models, tests and seeds in the folder of -o."),
    ] = "sql",
    folder: Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="The folder of --as dbt.")] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the files of this model in an existing folder.")
    ] = False,
) -> None:
    """Print the saved recoding of a release as SQL for a warehouse: the release, failing classes, and rows left out.

    The text and the dbt project contain original values: protect them like the input.
    """
    if form == "dbt":
        _write_dbt(manifest, folder, lookups, dialect=dialect, table=table, released=released, like=like, overwrite=overwrite)
        return
    if folder is not None or overwrite:
        raise UsageError(
            f"{'-o' if folder is not None else '--overwrite'} needs --as dbt; to save the text, redirect it: > release.sql"
        )
    from duckanon.export.script import export_sql

    output.data(export_sql(manifest, dialect=dialect, table=table, released=released, like=like, lookup_folder=lookups))


def _write_dbt(
    manifest: Path,
    folder: Path | None,
    lookups: Path | None,
    *,
    dialect: str,
    table: str,
    released: str,
    like: str | None,
    overwrite: bool,
) -> None:
    from duckanon.export.dbt import export_dbt

    if folder is None:
        raise UsageError("--as dbt writes a folder; name it with -o")
    if lookups is not None:
        raise UsageError("--as dbt writes the lookup tables as seeds; omit --lookups")
    written = export_dbt(manifest, folder, dialect=dialect, table=table, released=released, like=like, overwrite=overwrite)
    output.data("\n".join(map(str, written)))

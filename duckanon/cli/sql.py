"""`duckanon sql`: the SQL templates, and the SQL export of a release."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import completion, output, shared

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
        str, typer.Argument(metavar="NAME", help="A template, such as `release/recoded`.", autocompletion=completion.templates)
    ],
) -> None:
    """Print one template; `duckanon anonymize ... --sql` prints them rendered for a job."""
    from duckanon.engine import templates

    output.data(templates.text(name))


@group.command("release")
def release(
    manifest: shared.Manifest,
    dialect: Annotated[
        str,
        typer.Option(
            metavar="ENGINE", help="duckdb, spark, snowflake, bigquery, postgres or trino.", autocompletion=completion.dialects
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
) -> None:
    """Print the saved recoding of a release as SQL for a warehouse: the release, failing classes, and rows left out.

    The text contains original values: protect it like the input.
    """
    from duckanon.workflows.sql_export.script import export_sql

    output.data(export_sql(manifest, dialect=dialect, table=table, released=released, like=like, lookup_folder=lookups))

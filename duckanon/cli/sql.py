"""`duckanon sql`: the templates, as they are shipped."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import completion, output, shared

group = typer.Typer(name="sql", help="Look at the SQL that does the work.", no_args_is_help=True)


@group.command("list")
def list_templates() -> None:
    """List the templates, with what one row of each is."""
    from duckanon.engine import templates

    for name, row in templates.catalog().items():
        output.data(f"{name}\t{row}")


@group.command("show")
def show(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A template, as `release/recoded`.", autocompletion=completion.templates)
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
    table: Annotated[str, typer.Option(metavar="NAME", help="The table to release, as `schema.name`.")] = "input",
    released: Annotated[
        str, typer.Option(metavar="NAME", help="The table that the release becomes, for the statements that judge it.")
    ] = "released",
    like: Annotated[
        str | None,
        typer.Option(
            metavar="INPUT", help="A table with the columns of the first input, where that has moved. [default: that input]"
        ),
    ] = None,
    lookups: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write the lookup tables there as CSV, instead of into the text. Holds original values."
        ),
    ] = None,
) -> None:
    """Print the frozen recoding of a release as SQL for a warehouse: the release, its broken classes, its rows left out.

    The text holds original values: keep it where the input may lie.
    """
    from duckanon.workflows.sql_export.script import hand_over

    output.data(hand_over(manifest, dialect=dialect, table=table, released=released, like=like, lookup_folder=lookups))

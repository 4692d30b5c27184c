"""`duckanon sql`: the templates, as they are shipped."""

from typing import Annotated

import typer

from duckanon.cli import output

group = typer.Typer(help="Look at the SQL that does the work.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(group, name="sql")


@group.command("list")
def list_templates() -> None:
    """List the templates, with what one row of each is."""
    from duckanon import templates

    for name, row in templates.catalogue().items():
        output.data(f"{name}\t{row}")


@group.command("show")
def show(name: Annotated[str, typer.Argument(metavar="NAME", help="A template, as `release/recoded`.")]) -> None:
    """Print one template; `duckanon anonymize ... --sql` prints them rendered for a job."""
    from duckanon import templates

    output.data(templates.text(name))

"""`duckanon register`: the releases of a register."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output

group = typer.Typer(
    name="register",
    help="List, compare and forget the releases of a register (`anonymize --register`).",
    no_args_is_help=True,
)
File = Annotated[Path, typer.Argument(metavar="REGISTER", help="File of the register.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@group.command("list")
def list_releases(register: File, json: Json = False) -> None:
    """List the registered releases."""
    from duckanon.workflows import register as register_workflow

    releases = register_workflow.listed(register)
    if json:
        output.data(output.json(releases))
        return
    heads = ["number", "registered", "release", "input", "rows", "k", "of"]
    rows = [
        [
            str(each["number"]),
            each["registered"],
            each["release"],
            each["input"],
            f"{each['rows']:,}",
            str(each["k"]),
            each["counted"],
        ]
        for each in releases
    ]
    output.data(output.table(heads, rows, right={0, 4, 5}) if rows else "no releases")


@group.command("compare")
def compare(register: File, json: Json = False) -> None:
    """Show, for each release and each earlier one, the smallest intersection of two classes: how many records share both."""
    from duckanon.workflows import register as register_workflow

    pairs = register_workflow.compared(register)
    if json:
        output.data(output.json(pairs))
        return
    heads = ["release", "earlier release", "smallest intersection", "k"]
    rows = [
        [
            f"{pair['number']} {pair['release']}",
            f"{pair['earlier_number']} {pair['earlier'] or '(forgotten)'}",
            "none in common" if pair["smallest"] is None else f"{pair['smallest']:,} {pair['counted']}",
            str(pair["k"]),
        ]
        for pair in pairs
    ]
    output.data(output.table(heads, rows, right={2, 3}) if rows else "no release was compared with an earlier one")


@group.command("forget")
def forget(
    register: File,
    release: Annotated[str, typer.Argument(metavar="RELEASE", help="Number or file name of the release.", show_default=False)],
) -> None:
    """Delete a release and its values from the register. Later releases are not compared with it."""
    from duckanon.workflows import register as register_workflow

    forgotten = register_workflow.forget(register, release)
    output.data(
        f"release {forgotten['number']} ({forgotten['release']!r}) is forgotten; later releases are not compared with it"
    )

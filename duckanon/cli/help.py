"""Help in two lengths: `--help` shows the common options and the first sentence of each; `--help-all` shows everything."""

from copy import copy
from inspect import Parameter
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

UNCOMMON = "uncommon"
"""Marks a command's own parameter, in its annotation, as one that only `--help-all` shows."""

_MOST_EXAMPLES = 2


class Command(TyperCommand):
    """A command whose callback may list its uncommon parameters in its attribute `uncommon`."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the short help; the full help if no parameter is uncommon."""
        uncommon = getattr(self.callback, "uncommon", ())
        if not uncommon:
            super().format_help(ctx, formatter)
            return
        short = copy(self)
        short.params = [_shortened(parameter) for parameter in self.params if parameter.name not in {*uncommon, HELP_ALL.name}]
        heading, *examples = (self.epilog or "").split("\n\n")
        rest = f"{ctx.command_path} --help-all shows all options."
        short.epilog = "\n\n".join([heading, *examples[:_MOST_EXAMPLES], rest])
        TyperCommand.format_help(short, ctx, formatter)


def _shortened(parameter: Any) -> Any:
    """A parameter with the first sentence of its help, without its panel."""
    parameter = copy(parameter)
    parameter.rich_help_panel = None
    first, _, more = parameter.help.partition(". ")
    parameter.help = f"{first}." if more else first
    return parameter


def _show_all(ctx: typer.Context, is_requested: bool) -> None:
    if is_requested and not ctx.resilient_parsing:
        formatter = ctx.make_formatter()
        TyperCommand.format_help(ctx.command, ctx, formatter)  # type: ignore[arg-type]
        typer.echo(formatter.getvalue().rstrip("\n"))
        raise typer.Exit


HELP_ALL = Parameter(
    "help_all",
    Parameter.KEYWORD_ONLY,
    annotation=Annotated[
        bool,
        typer.Option("--help-all", help="Show all options and exit.", is_eager=True, callback=_show_all),
    ],
    default=False,
)
"""The parameter `--help-all` of a command that has uncommon options."""

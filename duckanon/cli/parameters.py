"""The parameters of a command, built from the declarations of its options. The command receives the values in `Options` and `Run`."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from inspect import Parameter
from types import EllipsisType
from typing import Annotated, Any

import typer

from duckanon.cli import completion
from duckanon.cli.help import HELP_ALL, UNCOMMON
from duckanon.engine.settings import Settings
from duckanon.job.options import Options, Run
from duckanon.option import Option, Panel, declared, values_of

Command = Callable[..., None]
Change = EllipsisType | str | Mapping[str, Any]
"""`...` for an option as declared, a help text for this command, or other values of `Option`."""


def same(*names: str) -> dict[str, Change]:
    """Options as declared."""
    return dict.fromkeys(names, ...)


MACHINE = same("threads", "memory_limit", "temp_directory")
"""The machine options of every command that uses a database."""


def takes(changes: Mapping[str, Change] | None = None, *, options: type[Options] = Options) -> Callable[[Command], Command]:
    """Add declared options to a command; the command receives their values as its arguments `options` and `run`.

    Without `changes` the command has every option, at the place of its parameter `options`. Otherwise it has the options that
    `changes` names. The order of `changes` is that of `--help`; it may also list a parameter of the command itself (`...`).
    """

    def decorate(command: Command) -> Command:
        own = dict(inspect.signature(command, eval_str=True).parameters)
        known = declared(options, Run, Settings)
        wanted = (
            dict.fromkeys(known, ...)
            if changes is None
            else {name: change for name, change in changes.items() if name not in own}
        )
        chosen = {name: _changed(known[name], change) for name, change in wanted.items()}
        made = {name: _parameter(field, has_panel=changes is None) for name, field in chosen.items()}
        places = [name for name in own if name not in (changes or ())] + list(changes or ())
        if changes is None:
            places[places.index("options") : places.index("run") + 1] = known
        parameters = {name: made.get(name) or own[name].replace(kind=Parameter.KEYWORD_ONLY) for name in places}

        @wraps(command)
        def run_command(**typed: Any) -> None:
            values = {name: field.read(text) for name, field in chosen.items() if (text := typed.pop(name)) not in (None, [])}
            typed.pop(HELP_ALL.name, None)
            run = Run(settings=Settings(**values_of(Settings, values)), **values_of(Run, values))
            received = {"options": options(**values_of(options, values)), "run": run}
            command(**typed, **{name: value for name, value in received.items() if name in own})

        # `options` and `run` are not parameters of the command line
        shown = [parameter for name, parameter in parameters.items() if name not in ("options", "run")]
        uncommon = {name for name, field in chosen.items() if not field.is_common}
        uncommon |= {name for name, parameter in own.items() if UNCOMMON in getattr(parameter.annotation, "__metadata__", ())}
        if uncommon:
            run_command.uncommon = uncommon  # type: ignore[attr-defined]
            shown.append(HELP_ALL)
        run_command.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
        return run_command

    return decorate


def _changed(field: Option, change: Change) -> Option:
    if isinstance(change, EllipsisType):
        return field
    return replace(field, **({"help": change} if isinstance(change, str) else change))


def _parameter(option: Option, *, has_panel: bool) -> Parameter:
    shown = typer.Option(
        option.flag,
        help=option.help,
        metavar=option.metavar,
        min=option.min,
        max=option.max,
        autocompletion=getattr(completion, option.completion) if option.completion else None,
        show_default=False,
        rich_help_panel=option.panel.value if option.panel and (has_panel or option.panel is Panel.MACHINE) else None,
    )
    typed: Any = option.type if option.words is None else option.words | None
    if option.takes_many or option.parse is not None:
        typed = (list[str] if option.takes_many else str) | None
    default = None if option.takes_many else option.default
    return Parameter(option.name, Parameter.KEYWORD_ONLY, annotation=Annotated[typed, shown], default=default)

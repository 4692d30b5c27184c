"""The parameters of commands: built from the declarations of options, or shared by several commands."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from inspect import Parameter
from pathlib import Path
from types import EllipsisType
from typing import Annotated, Any, get_args

import typer

from duckanon.choices import Algorithm
from duckanon.cli.help_text import HELP_ALL, UNCOMMON
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
        autocompletion=completed(option.completion) if option.completion else None,
        show_default=False,
        rich_help_panel=option.panel.value if option.panel and (has_panel or option.panel is Panel.MACHINE) else None,
    )
    typed: Any = option.type if option.words is None else option.words | None
    if option.takes_many or option.parse is not None:
        typed = (list[str] if option.takes_many else str) | None
    default = None if option.takes_many else option.default
    return Parameter(option.name, Parameter.KEYWORD_ONLY, annotation=Annotated[typed, shown], default=default)


INPUT_HELP = "Parquet, CSV, JSON, Arrow or SQLite (file, quoted pattern, folder), FILE.duckdb::TABLE, or - for standard input."
OUTPUT_HELP = (
    "Output: Parquet, CSV, FILE.duckdb::TABLE; - prints CSV. "
    "Default: NAME.anonymized beside INPUT, as CSV if INPUT is CSV or a spreadsheet, else as Parquet."
)

Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print only warnings and errors.")]
QuietResult = Annotated[bool, typer.Option("-q", "--quiet", help="Print only the result, warnings and errors.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Print the reasons of detected roles, and each statement.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Exit code 1 if there is a warning; the output is still written."), UNCOMMON
]
Input = Annotated[str | None, typer.Argument(metavar="INPUT", help=INPUT_HELP, show_default=False)]
Job = Annotated[Path | None, typer.Option(metavar="JOB.yaml", help="Job file; options override it.")]
Manifest = Annotated[
    Path,
    typer.Argument(
        metavar="MANIFEST", help="OUTPUT.manifest.json, beside the release and OUTPUT.recoding/.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
MovedInput = Annotated[str | None, typer.Option("--input", metavar="INPUT", help="The input, if it has moved since the run.")]


def completed(what: str) -> Callable[[str], list[str]]:
    """Complete the values of an option in a shell: those that begin with the typed text."""
    return lambda incomplete: [word for word in _known(what) if word.startswith(incomplete)]


def _known(what: str) -> Iterable[str]:
    """All values of an option that are not fixed; each import is only for a shell that asks."""
    match what:
        case "algorithms":
            return get_args(Algorithm)
        case "dialects":
            from duckanon.export.statements import DIALECTS

            return DIALECTS
        case "hierarchies":
            from duckanon.hierarchy.sets import bundled

            return (word for bundle in bundled() for word in (bundle.name, *map(bundle.reference, bundle.files)))
        case "models":
            from duckanon.privacy.registry import NAMES

            return (f"{name}=" for name in NAMES)
        case "policies":
            from duckanon.job.policy import PRESETS

            return PRESETS
        case _:
            from duckanon.engine.templates import catalog

            return catalog()

"""Help in two lengths, with examples, and what a mistyped option or value means."""

import re
from collections.abc import Mapping, Sequence
from copy import copy
from difflib import get_close_matches
from inspect import Parameter
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from duckanon.choices import REMOVED
from duckanon.errors import nearest
from duckanon.job import keys

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
        bool, typer.Option("--help-all", help="Show all options and exit.", is_eager=True, callback=_show_all)
    ],
    default=False,
)
"""The parameter `--help-all` of a command that has uncommon options."""


_MANIFEST = "adult.anonymized.parquet.manifest.json"

EXAMPLES: dict[str, Sequence[str]] = {
    "demo": ("duckanon demo", "duckanon demo visits", "duckanon demo --rows 1000000 -o people.csv"),
    "profile": (
        "duckanon profile adult.parquet",
        "duckanon profile adult.parquet --write-job job.yaml",
        "duckanon profile adult.parquet --hipaa",
    ),
    "job validate": ("duckanon job validate job.yaml",),
    "job schema": ("duckanon job schema > job.schema.json",),
    "hierarchy list": ("duckanon hierarchy list",),
    "hierarchy show": ("duckanon hierarchy show adult/five-year/age --data adult.parquet",),
    "hierarchy suggest": (
        "duckanon hierarchy suggest adult.parquet --column hours-per-week",
        "duckanon hierarchy suggest adult.parquet --column age -o age.yaml",
    ),
    "hierarchy check": ("duckanon hierarchy check age.yaml --data adult.parquet", "duckanon hierarchy check adult/five-year"),
    "hierarchy build": ("duckanon hierarchy build age.yaml --data adult.parquet -o age.csv",),
    "hierarchy convert": ("duckanon hierarchy convert age.csv age-tree.yaml",),
    "anonymize": (
        "duckanon anonymize adult.parquet --qi age,sex,race,marital-status --sensitive income --k 10 --max-suppression 1%",
        "duckanon anonymize adult.parquet --job job.yaml -o people.parquet --report people.html",
        "duckanon anonymize adult.parquet --qi age,sex --sensitive income --require distinct-l=2 --hierarchies adult/five-year -o two.csv",
        "duckanon anonymize adult.parquet --qi age,sex --hierarchies age=age.yaml --hierarchies adult/five-year --levels age=1,sex=0 --workspace work.duckdb -o leveled.parquet",
        "duckanon anonymize adult.parquet --qi age,sex --sensitive income --register releases.duckdb -o registered.parquet",
    ),
    "studio": ("duckanon studio adult.parquet", "duckanon studio adult.parquet --job job.yaml --no-browser"),
    "register list": ("duckanon register list releases.duckdb",),
    "register compare": ("duckanon register compare releases.duckdb",),
    "register forget": ("duckanon register forget releases.duckdb 1",),
    "check": (
        "duckanon check adult.anonymized.parquet --qi age,sex --sensitive income --require k=5 --require t=0.9",
        f"duckanon check adult.anonymized.parquet --manifest {_MANIFEST}",
    ),
    "risk": (
        "duckanon risk adult.anonymized.parquet --qi age,race,sex,marital-status --max-risk 0.2",
        "duckanon risk adult.parquet --qi age,sex,race,marital-status --set population-size=300000000",
    ),
    "explain": (f"duckanon explain {_MANIFEST}", f"duckanon explain {_MANIFEST} --row 17"),
    "report": (f"duckanon report {_MANIFEST}", f"duckanon report {_MANIFEST} --public-report public.html"),
    "attest": (f"duckanon attest {_MANIFEST} --key ed25519.pem",),
    "apply": (f"duckanon apply {_MANIFEST} adult.parquet -o again.parquet",),
    "compare": (
        "duckanon compare adult.parquet --qi age,sex,race --hierarchies adult/five-year --algorithms optimal,mondrian --k 2,5,10 --max-suppression 0,1%",
    ),
    "sql list": ("duckanon sql list",),
    "sql show": ("duckanon sql show release/recoded",),
    "sql release": (
        f"duckanon sql release {_MANIFEST} --dialect snowflake --table people_2027",
        f"duckanon sql release {_MANIFEST} --as dbt --table hr.people --released people_released -o dbt",
    ),
}
"""Examples by command; each example uses files that earlier examples write."""

_ENDS = (
    "Exit codes: 0 done, and the guarantee holds; 1 infeasible, not verified, a required model does not hold, or a warning with --strict; 2 options, job or hierarchy "
    "are wrong; 3 input, output or engine failed; 130 interrupted.",
    "Data goes to standard output, everything else to standard error. Environment: DUCKANON_KEY (key of pseudonyms), TMPDIR, NO_COLOR.",
    "First steps: duckanon demo && duckanon anonymize adult.parquet",
)


def show_examples(app: typer.Typer) -> None:
    """Add examples and exit codes to the help of the application and its commands."""
    app.info.epilog = "\n\n".join(_ENDS)
    for words, command in _commands(app):
        command.epilog = "\n\n".join(["Examples:", *(f"$ {line}" for line in EXAMPLES[words])])


def _commands(app: typer.Typer, above: str = "") -> list[tuple[str, typer.models.CommandInfo]]:
    commands = [(f"{above}{command.name}", command) for command in app.registered_commands]
    for group in app.registered_groups:
        if group.typer_instance is not None:
            commands += _commands(group.typer_instance, f"{above}{group.name or group.typer_instance.info.name} ")
    return commands


_REMOVED = {
    "wizard": "duckanon studio FILE makes a hierarchy on a page that shows its labels, duckanon hierarchy suggest prints one",
    "sql": "--workspace FILE.duckdb keeps the statements of a run in duckanon.steps",
}
"""Commands and options of earlier versions, and what replaces them."""


def option_hint(typed: str, command: Any) -> str:
    """The end of a message about an unknown option: what replaces it, or what is closest by its name, by its words or by its help; empty if nothing is."""
    word = typed.lstrip("-").casefold().replace("_", "-")
    options = {
        name.removeprefix("--"): parameter for parameter in command.params for name in parameter.opts if name.startswith("--")
    }
    if word not in options and word in _REMOVED:
        return f"; {_REMOVED[word]}"
    if word not in options and "set" in options and (setting := keys.former(word, options)) is not None:
        return f"; it is now a key of the job: --set {keys.shell_word(setting)}"
    if word not in options and "require" in options and (model := _model(word)) is not None:
        return f"; did you mean '--require {model}'?"
    near = [f"'--{name}'" for name in _closest(word, options)[:3]]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def value_hint(message: str) -> str:
    """The end of a message about a wrong word: what replaces a removed command, or the closest value of an option; empty if none is close."""
    if removed := next((hint for word, hint in _REMOVED.items() if f"command '{word}'" in message), None):
        return f"; {removed}"
    refused = re.search(r"'([^']+)' is not one of (.+)", message)
    if refused is not None and refused[1] in REMOVED:
        return f"; {refused[1]} was removed, use {REMOVED[refused[1]]}"
    near = nearest(refused[1], re.findall(r"'([^']+)'", refused[2])) if refused is not None else None
    return "" if near is None else f"; did you mean {near!r}?"


def _model(word: str) -> str | None:
    """The requirement that an option such as `--t` or `--l-diversity` means."""
    from duckanon.privacy.registry import NAMES, example

    models = {name: content["model"] for name, (content, _) in NAMES.items() if name != "k"}
    return next((example(name) for name, model in models.items() if word in (name, name.rpartition("-")[2], model)), None)


def _closest(word: str, options: Mapping[str, Any]) -> Sequence[str]:
    """The options that are closest by their names or, where none is close, by the first words of their help."""
    if word in options:
        return [word]
    if begun := sorted((name for name in options if len(word) > 2 and name.startswith(word)), key=len):
        return begun[:1]
    if spelled := get_close_matches(word, options, n=1, cutoff=0.65 if len(word) < 4 else 0.8):
        return spelled
    parts = word.split("-")
    shared = {name: [name not in parts, *map(parts.index, set(parts) & set(name.split("-")))] for name in options}
    if best := min((place for place in shared.values() if len(place) > 1), default=None):
        return [name for name, place in shared.items() if place == best]
    # all words of the option in the help, in whatever form; a flag does what its first word says
    stems = [re.compile(rf"\b{re.escape(part[:5])}") for part in parts if len(part) > 2]
    places: dict[str, int] = {}
    for name, parameter in options.items():
        text = re.split("[;:,.]", parameter.help or "")[0].casefold()
        matches = [stem.search(f"{name} {text}") for stem in stems]
        if matches and None not in matches and (not parameter.is_flag or stems[0].match(text)):
            places[name] = max(match.start() for match in matches if match is not None)
    return sorted(places, key=places.__getitem__)[:1]

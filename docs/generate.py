"""Writes the pages of `docs/reference/` that say what the code knows: `make reference`."""

import inspect
import json
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import typer
from typer.core import TyperOption

import duckanon
from docs.job_page import job
from docs.manifest_page import manifest
from docs.manifest_page import schema as schema_of
from docs.markdown import anchor, code, codes, definitions, fenced, page, prose, table
from docs.packages_drawing import packages_drawing
from duckanon import errors
from duckanon.cli.app import app
from duckanon.cli.help_text import EXAMPLES
from duckanon.engine.settings import Settings
from duckanon.errors import DuckanonError, ExitCode
from duckanon.job import file, policy
from duckanon.job.options import Options, Run
from duckanon.observers import WARNINGS
from duckanon.option import declared, docstrings
from duckanon.release.manifest_model.document import Manifest, PublicManifest

FOLDER = Path(__file__).parent / "reference"


def commands() -> str:
    """Every command, from what `--help` prints; an argument or option that an earlier command describes is only named."""
    described: dict[tuple[str, str, str], tuple[str, str]] = {}
    return page(
        "# Commands",
        "The [exit codes](errors.md#exit-codes) are the same for all commands. An option that several commands share is described once.",
        *(block for path, command in every_command() for block in _command(path, command, described)),
    )


def every_command() -> Iterator[tuple[str, Any]]:
    """Every command by what is typed for it, groups and their members too."""
    waiting = [("duckanon", typer.main.get_command(app))]
    while waiting:
        path, command = waiting.pop(0)
        yield path, command
        waiting[:0] = [(f"{path} {name}", below) for name, below in getattr(command, "commands", {}).items()]


def _command(path: str, command: Any, described: dict[tuple[str, str, str], tuple[str, str]]) -> Iterator[str]:
    """Its own options; those that an earlier command describes by what is shared, or by what is not, whichever is shorter."""
    first, *more = (inspect.cleandoc(command.help or "")).split("\n\n")
    yield f"{'#' * max(2, path.count(' ') + 1)} {path}"
    yield prose(" ".join([first, *more]))
    shown = [parameter for parameter in command.params if not parameter.hidden]
    places = {id(parameter): described.setdefault(_parameter(parameter), (path, _names(parameter)))[0] for parameter in shown}
    for panel in dict.fromkeys(["", *map(_panel, shown)]):
        own = [parameter for parameter in shown if _panel(parameter) == panel and places[id(parameter)] == path]
        if rows := [_parameter(parameter) for parameter in own]:
            yield f"**{panel}**" if panel else ""
            yield definitions((name, f"{meant} {given}".strip()) for name, given, meant in rows)
    if others := list(dict.fromkeys(place for place in places.values() if place != path)):
        taken = {_parameter(parameter) for parameter in shown}
        parts = []
        for place in others:
            names = [_names(parameter) for parameter in shown if places[id(parameter)] == place]
            without = [called for key, (owner, called) in described.items() if owner == place and key not in taken]
            link = f"[{place}](#{anchor(place)})"
            everything = f"all of {link}" + (f" but {', '.join(without)}" if without else "")
            parts.append(everything if len(names) > len(without) else f"{', '.join(names)} as for {link}")
        yield f"Also: {'; '.join(parts)}."
    if lines := EXAMPLES.get(path.removeprefix("duckanon "), ()):
        yield fenced("\n".join(lines), "sh")


def _panel(parameter: Any) -> str:
    """The group of options in the help; none for arguments and options without a group."""
    return parameter.rich_help_panel or ""


def _names(parameter: Any) -> str:
    is_option = isinstance(parameter, TyperOption)
    return codes([*parameter.opts, *parameter.secondary_opts]) if is_option else code(parameter.metavar)


def _parameter(parameter: Any) -> tuple[str, str, str]:
    """An argument or option: its names with its value, its default, its meaning."""
    value = _value(parameter) if isinstance(parameter, TyperOption) else ""
    is_plain = parameter.default not in (None, False) and parameter.show_default
    default = getattr(parameter.default, "value", parameter.default)
    given = "*Required.*" if parameter.required else f"Default: {code(str(default))}." if is_plain else ""
    return f"{_names(parameter)} {value}".strip(), given, prose(parameter.help or "")


def _value(option: TyperOption) -> str:
    """The value of an option: none for a flag, the words to choose from, or its metavar with its bounds."""
    annotation: Any = option.type_descriptor.annotation
    if option.is_flag:
        return ""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return code("|".join(member.value for member in annotation))
    words = [word for word in get_args(annotation) if isinstance(word, str)]
    bounds = [f"≥ {option.min}"] * (option.min is not None) + [f"≤ {option.max}"] * (option.max is not None)
    name = code("|".join(words) or option.metavar or "N")
    return f"{name} ({', '.join(bounds)})" if bounds else name


def error_classes() -> str:
    """The exit codes, and the classes of errors with theirs."""
    meanings = docstrings(ExitCode)
    errors_of_package = {error.__name__ for error in _below(DuckanonError)} & set(duckanon.__all__)
    return page(
        "# Errors and exit codes",
        "The command line prints the message of an error on stderr, one line per fault. A message shows no value of a record, except values that a "
        "hierarchy does not cover, and codes that look like missing values (`?`, `-9`).",
        "## Exit codes",
        table(
            ("code", "name", "meaning"),
            [(str(code_.value), code(code_.name), prose(meanings[code_.name])) for code_ in ExitCode],
        ),
        "## Classes",
        "In brackets: the exit code, and what the class derives from.",
        definitions(
            (f"{code(error.__name__)} ({error.exit_code.value}, {_bases(error)})", prose(inspect.getdoc(error) or ""))
            for error in _below(DuckanonError)
        ),
        f"Import all classes from `duckanon.errors`, or {codes(sorted(errors_of_package))} from `duckanon`. `GuaranteeError` and the classes derived "
        "from it have the attribute `manifest`.",
        "## Warnings",
        "The library raises a `duckanon.DuckanonWarning` with one of these codes; the manifest has them under `warning_codes`.",
        definitions((code(name), f"{meaning[0].upper()}{meaning[1:]}.") for name, meaning in WARNINGS.items()),
    )


def _below(parent: type[DuckanonError]) -> Iterator[type[DuckanonError]]:
    yield parent
    for child in parent.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _below(child)


def _bases(error: type[DuckanonError]) -> str:
    return codes(base.__name__ for base in error.__bases__)


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def keywords(*kinds: type[Any]) -> str:
    """The module with the type of the library's keyword arguments: type checkers read it, and cannot read declarations."""
    types = {name: option.keyword for name, option in declared(*kinds).items()}
    return "\n".join([_KEYWORDS, *(f"    {name}: {_annotation(option)}" for name, option in types.items()), ""])


_KEYWORDS = '''\
"""The keyword arguments of the functions; `make reference` writes this file from the declarations of the options."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict


class Keywords(TypedDict, total=False):
    """The options of the command line, by their names: `--max-suppression 1%` is `max_suppression="1%"`."""
'''


def _annotation(annotation: Any) -> str:
    """A type as source code."""
    if get_origin(annotation) in (Union, UnionType):
        return " | ".join(map(_annotation, get_args(annotation)))
    if arguments := get_args(annotation):
        return f"{get_origin(annotation).__name__}[{', '.join(map(_annotation, arguments))}]"
    return "None" if annotation is NoneType else str(annotation.__name__)


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "job.md": job,
    "errors.md": error_classes,
    "../explanation/packages.svg": packages_drawing,
    "manifest.md": manifest,
    "job.schema.json": lambda: _json(file.schema()),
    "policy.schema.json": lambda: _json(policy.schema()),
    "manifest.schema.json": lambda: _json(schema_of(Manifest, "duckanon manifest")),
    "public-manifest.schema.json": lambda: _json(schema_of(PublicManifest, "duckanon public manifest")),
}
"""What makes each generated page."""

FILES: dict[Path, Callable[[], str]] = {
    **{FOLDER / name: write for name, write in PAGES.items()},
    Path(duckanon.__file__).parent / "api" / "keywords.py": lambda: keywords(Options, Run, Settings),
}
"""What makes each generated file."""


if __name__ == "__main__":
    for path, write in FILES.items():
        path.write_text(write(), encoding="utf-8", newline="\n")

"""Writes the pages of `docs/reference/` that say what the code knows: `make reference`."""

import inspect
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import typer
from typer.core import TyperOption

import duckanon
from docs.job_page import job
from docs.manifest_page import manifest
from docs.manifest_page import schema as schema_of
from docs.markdown import anchor, code, codes, docstrings, fenced, page, prose, table
from docs.packages_drawing import packages_drawing
from duckanon import choices, errors
from duckanon.cli.app import app
from duckanon.cli.examples import EXAMPLES
from duckanon.engine import catalog
from duckanon.engine.settings import Settings
from duckanon.errors import DuckanonError, ExitCode
from duckanon.hierarchy import sets
from duckanon.hierarchy.spec import MODELS as KINDS
from duckanon.job import file, policy
from duckanon.job.accepted import CASES
from duckanon.job.options import Options, Run
from duckanon.option import declared
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.delta_presence import DeltaPresence
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.k_map import KMap
from duckanon.privacy.models.risk import AverageRisk, HighestRisk
from duckanon.privacy.registry import every_model_of, name_of
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.public import PublicManifest
from duckanon.workflows.sql_export.statements import DIALECTS

FOLDER = Path(__file__).parent / "reference"


def commands() -> str:
    """Every command, from what `--help` prints; an argument or option that an earlier command describes is only named."""
    described: dict[tuple[str, str, str], str] = {}
    return page(
        "# Commands",
        "This page has what `--help-all` prints. Every command has `-h` and `--help`. [Exit codes](errors.md#exit-codes) are the same for all commands. "
        "An option that several commands share is described once; the other commands name it and link to its description. "
        "The [glossary](glossary.md) defines equivalence class, quasi-identifier and other terms.",
        *(block for path, command in every_command() for block in _command(path, command, described)),
    )


def every_command() -> Iterator[tuple[str, Any]]:
    """Every command by what is typed for it, groups and their members too."""
    waiting = [("duckanon", typer.main.get_command(app))]
    while waiting:
        path, command = waiting.pop(0)
        yield path, command
        waiting[:0] = [(f"{path} {name}", below) for name, below in getattr(command, "commands", {}).items()]


def _command(path: str, command: Any, described: dict[tuple[str, str, str], str]) -> Iterator[str]:
    first, *more = (inspect.cleandoc(command.help or "")).split("\n\n")
    usage = command.collect_usage_pieces(command.make_context(path, [], resilient_parsing=True))
    yield f"{'#' * max(2, path.count(' ') + 1)} {path}"
    yield prose(" ".join([first, *more]))
    yield fenced(" ".join([path, *usage]))
    shown = [parameter for parameter in command.params if not parameter.hidden]
    places = {id(parameter): described.setdefault(_parameter(parameter), path) for parameter in shown}
    for panel in dict.fromkeys(["", *map(_panel, shown)]):
        own = [parameter for parameter in shown if _panel(parameter) == panel and places[id(parameter)] == path]
        if rows := [_parameter(parameter) for parameter in own]:
            yield f"**{panel}**" if panel else ""
            yield table(("option", "default", "meaning"), rows)
    if others := list(dict.fromkeys(place for place in places.values() if place != path)):
        names = (", ".join(_names(parameter) for parameter in shown if places[id(parameter)] == place) for place in others)
        links = (f"as for [{place}](#{anchor(place)})" for place in others)
        yield f"Also: {'; '.join(f'{listed} {link}' for listed, link in zip(names, links, strict=True))}."
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
    given = "required" if parameter.required else code(str(default)) if is_plain else ""
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


def workspace_relations() -> str:
    """Every relation of the catalog, in reading order."""
    blocks = [
        "# Relations",
        "`--workspace FILE.duckdb` keeps relations of a run, each with a comment that says what one row is. `from duckanon.relations` lists "
        "them in the order of this page. A name that ends in `<column>` stands for one relation per column. duckanon drops temporary relations after use; "
        "`duckanon.steps` has the statements that built them, and `duckanon sql list` names the templates. "
        "A workspace contains original values.",
    ]
    by_folder: dict[str, list[catalog.Relation]] = {}
    for relation in catalog.CATALOG:
        by_folder.setdefault(relation.folder, []).append(relation)
    for folder, relations in by_folder.items():
        kept = [(code(relation.name), prose(relation.row)) for relation in relations if relation.kept]
        temporary = codes(relation.name for relation in relations if not relation.kept)
        blocks += [
            f"## {folder}",
            table(("relation", "one row is"), kept) if kept else "",
            f"Temporary: {temporary}." if temporary else "",
        ]
    return page(*blocks)


def error_classes() -> str:
    """The exit codes, and the classes of errors with theirs."""
    meanings = docstrings(ExitCode)
    errors_of_package = {error.__name__ for error in _below(DuckanonError)} & set(duckanon.__all__)
    return page(
        "# Errors and exit codes",
        "Every error that duckanon raises on purpose derives from `DuckanonError`. The command line prints the message on stderr, one line per "
        "fault, and ends with the exit code of the error class. A message shows no value of a record, except values that a hierarchy does not "
        "cover, and codes that look like missing values (`?`, `-9`).",
        "## Exit codes",
        table(
            ("code", "name", "meaning"),
            [(str(code_.value), code(code_.name), prose(meanings[code_.name])) for code_ in ExitCode],
        ),
        "## Classes",
        table(
            ("class", "exit code", "derives from", "meaning"),
            [
                (code(error.__name__), str(error.exit_code.value), _bases(error), prose(inspect.getdoc(error) or ""))
                for error in _below(DuckanonError)
            ],
        ),
        f"Import all classes from `duckanon.errors`, or {codes(sorted(errors_of_package))} from `duckanon`. `GuaranteeError` and the classes derived "
        "from it have the attribute `manifest`: the document of the run, as `--json` prints it.",
    )


def _below(parent: type[DuckanonError]) -> Iterator[type[DuckanonError]]:
    yield parent
    for child in parent.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _below(child)


def _bases(error: type[DuckanonError]) -> str:
    return codes(base.__name__ for base in error.__bases__)


def names() -> str:
    """Every word that options and jobs choose from."""
    words = []
    for name, meaning in docstrings(choices).items():
        if (values := get_args(getattr(choices, name))) and name != "Algorithm":
            options = codes(_options_of(name))
            words.append((codes(values), options, "" if options else prose(meaning)))
    models = {name_of(model): model for model in MODELS_OF_REQUIRE}
    return page(
        "# Names to choose from",
        "The words that options and [job files](job.md) take. [Commands](commands.md) describes the options. More about algorithms: [searches](../explanation/searches.md), "
        "[local recoding](../explanation/local-recoding.md); objectives: [metrics](metrics.md#objectives); models: "
        "[privacy models](privacy-models.md); hierarchies: [hierarchies](../how-to/hierarchies.md).",
        "## Words",
        table(("words", "option", "meaning"), words),
        "## Algorithms",
        table(
            ("`--algorithm`", "what it does"), [(code(name), prose(_first_line(name))) for name in get_args(choices.Algorithm)]
        ),
        "## Privacy models",
        table(
            ("`--require`", "`privacy` in a job"),
            [(code(f"{name}={','.join(model.PARAMETERS).upper()}"), codes(_in_a_job(model))) for name, model in models.items()],
        ),
        "## Risks to accept",
        "`--accept CASE` accepts a case for all columns, `--accept CASE@COLUMN` for one. Summary, manifest, report and attestation state it.",
        table(
            ("`--accept`", "what it means"),
            [(code(case), prose(f"{meaning[0].upper()}{meaning[1:]}.")) for case, meaning in CASES.items()],
        ),
        "## Kinds of hierarchies",
        table(("`kind`", "what it is"), [(code(kind), prose(model.WHAT)) for kind, model in KINDS.items()]),
        "## Bundled hierarchies",
        table(
            ("set", "columns", "what it is"),
            [(code(bundle.name), codes(bundle.columns), prose(bundle.title)) for bundle in sets.bundled()],
        ),
        "`duckanon hierarchy list` prints the source of each set.",
        "## Dialects of SQL",
        f"`--dialect` of `duckanon sql release` takes {codes(DIALECTS)}.",
    )


def _first_line(algorithm: str) -> str:
    module = "automatic" if algorithm == "auto" else f"algorithms.{algorithm}"
    return (inspect.getdoc(import_module(f"duckanon.search.{module}")) or "").splitlines()[0]


MODELS_OF_REQUIRE: tuple[PrivacyModel, ...] = (
    KAnonymity(k=1),
    *every_model_of("", has_hierarchy=True),
    KMap(k=1),
    DeltaPresence(low=Decimal(0), high=Decimal(1)),
    AverageRisk(risk=Decimal(1)),
    HighestRisk(risk=Decimal(1)),
)
"""A model for every name of `--require`."""


def _in_a_job(model: PrivacyModel) -> list[str]:
    return [f"{key}: {value}" for key, value in {"model": type(model).model_fields["model"].default, **model.variety}.items()]


def _options_of(name: str) -> dict[str, None]:
    """The options that take the words of a choice."""
    return {
        parameter.opts[-1]: None
        for _, command in every_command()
        for parameter in command.params
        if isinstance(parameter, TyperOption) and parameter.type_descriptor.annotation == getattr(choices, name)
    }


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
    "relations.md": workspace_relations,
    "errors.md": error_classes,
    "choices.md": names,
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

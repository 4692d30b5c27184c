"""Writes the pages of `docs/reference/` that say what the code knows: `make reference`."""

import inspect
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import typer
from typer.core import TyperOption

import duckanon
from docs.job_page import job
from docs.manifest_page import manifest
from docs.manifest_page import schema as schema_of
from docs.markdown import code, codes, fenced, page, prose, said_in, table
from docs.packages_drawing import packages_drawing
from duckanon import choices, errors
from duckanon.cli.app import app
from duckanon.cli.examples import EXAMPLES
from duckanon.engine import catalog, templates
from duckanon.engine.settings import Settings
from duckanon.errors import DuckanonError, ExitCode
from duckanon.hierarchy import sets
from duckanon.hierarchy.spec import MODELS as KINDS
from duckanon.job import file
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
from duckanon.workflows.sql_export.script import DIALECTS

FOLDER = Path(__file__).parent / "reference"


def commands() -> str:
    """Every command, from what `--help` prints."""
    return page(
        "# Commands",
        "What `--help-all` says, of every command. `-h` and `--help` are options of each, and show the common options of one that has "
        "`--help-all`; what a command does with data is said in the pages of this documentation, and [exit codes](errors.md#exit-codes) are the same for all.",
        *(block for path, command in every_command() for block in _command(path, command)),
    )


def every_command() -> Iterator[tuple[str, Any]]:
    """Every command by what is typed for it, groups and their members too."""
    waiting = [("duckanon", typer.main.get_command(app))]
    while waiting:
        path, command = waiting.pop(0)
        yield path, command
        waiting[:0] = [(f"{path} {name}", below) for name, below in getattr(command, "commands", {}).items()]


def _command(path: str, command: Any) -> Iterator[str]:
    first, *more = (inspect.cleandoc(command.help or "")).split("\n\n")
    usage = command.collect_usage_pieces(command.make_context(path, [], resilient_parsing=True))
    yield f"{'#' * max(2, path.count(' ') + 1)} {path}"
    yield prose(first)
    yield fenced(" ".join([path, *usage]))
    yield from map(prose, more)
    shown = [parameter for parameter in command.params if not parameter.hidden]
    for panel in dict.fromkeys(["Arguments", "Options", *map(_panel, shown)]):
        if rows := [_parameter(parameter) for parameter in shown if _panel(parameter) == panel]:
            yield f"**{panel}**"
            yield table((panel.lower().rstrip("s") if panel == "Arguments" else "option", "value", "default", "meaning"), rows)
    if lines := EXAMPLES.get(path.removeprefix("duckanon "), ()):
        yield "**Examples**"
        yield fenced("\n".join(lines), "sh")


def _panel(parameter: Any) -> str:
    return parameter.rich_help_panel or ("Options" if isinstance(parameter, TyperOption) else "Arguments")


def _parameter(parameter: Any) -> tuple[str, str, str, str]:
    is_option = isinstance(parameter, TyperOption)
    names = codes([*parameter.opts, *parameter.secondary_opts]) if is_option else code(parameter.metavar)
    is_plain = parameter.default not in (None, False) and parameter.show_default
    default = getattr(parameter.default, "value", parameter.default)
    given = "required" if parameter.required else code(str(default)) if is_plain else ""
    return names, _value(parameter) if is_option else "", given, prose(parameter.help or "")


def _value(option: TyperOption) -> str:
    """What is written behind an option: nothing, one of some words, or what its metavar stands for."""
    annotation: Any = option.type_descriptor.annotation
    if option.is_flag:
        return ""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return codes(one.value for one in annotation)
    words = [word for word in get_args(annotation) if isinstance(word, str)]
    bounds = [f"at least {option.min}"] * (option.min is not None) + [f"at most {option.max}"] * (option.max is not None)
    return codes(words) if words else ", ".join([code(option.metavar or "N"), *bounds])


def sql_templates() -> str:
    """Every template, by folder, from its three header lines."""
    blocks = [
        "# SQL templates",
        "All data work is done by these: one SELECT each, rendered with the names and numbers of a job. `duckanon sql show FOLDER/NAME` prints "
        "one; `--sql` of a command prints them as a job renders them. What is in brackets is read by some jobs only. Those of `spark` stand "
        "in for the ones of the same name where a cluster needs other words. [Relations](relations.md) says which of their results a "
        "workspace keeps.",
    ]
    for folder, found in groupby(sorted(templates.catalog(), key=_folder), key=_folder):
        rows = []
        for name in found:
            builds, reads, row = (line.partition(": ")[2] for line in templates.text(name).splitlines()[:3])
            rows.append((code(name.rpartition("/")[2]), code(builds), prose(reads), prose(row)))
        blocks += [f"## {folder}", table(("template", "builds", "reads", "one row"), rows)]
    return page(*blocks)


def _folder(template: str) -> str:
    return template.rpartition("/")[0]


def workspace_relations() -> str:
    """Every relation of the catalog, in reading order."""
    blocks = [
        "# Relations",
        "`--workspace FILE.duckdb` keeps the relations of a run, each with a comment that says what one row is; `from duckanon.relations` lists "
        "them in this order, those that the run made. A name that ends in `<column>` is one relation for each column that is meant. "
        "What is not kept is dropped as soon as it has served, and stands in `duckanon.steps` with the statement that made it. "
        "A workspace holds original values.",
    ]
    by_folder: dict[str, list[catalog.Relation]] = {}
    for relation in catalog.CATALOG:
        by_folder.setdefault(relation.folder, []).append(relation)
    for folder, found in by_folder.items():
        rows = [(code(one.name), prose(one.row), "yes" if one.kept else "") for one in found]
        blocks += [f"## {folder}", table(("relation", "one row", "kept"), rows)]
    return page(*blocks)


def error_classes() -> str:
    """The exit codes, and the classes of errors with theirs."""
    meanings = said_in(ExitCode)
    errors_of_package = {one.__name__ for one in _below(DuckanonError)} & set(duckanon.__all__)
    return page(
        "# Errors and exit codes",
        "Every error that duckanon raises on purpose derives from `DuckanonError`. The command line prints its message on stderr, a line a "
        "fault, without a value of any record except those that a hierarchy does not cover, and ends with the exit code of its class.",
        "## Exit codes",
        table(
            ("code", "name", "meaning"),
            [(str(code_.value), code(code_.name), prose(meanings[code_.name])) for code_ in ExitCode],
        ),
        "## Classes",
        fenced("\n".join(_tree(DuckanonError))),
        table(
            ("class", "exit code", "also a", "meaning"),
            [
                (code(one.__name__), str(one.exit_code.value), _builtin(one), prose(inspect.getdoc(one) or ""))
                for one in _below(DuckanonError)
            ],
        ),
        f"All stand in `duckanon.errors`, and {codes(sorted(errors_of_package))} in `duckanon` itself. Of `GuaranteeError` and what is below it, "
        "`manifest` holds the document of the run, as `--json` prints it.",
    )


def _below(parent: type[DuckanonError]) -> Iterator[type[DuckanonError]]:
    yield parent
    for child in parent.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _below(child)


def _tree(parent: type[DuckanonError], indent: str = "") -> Iterator[str]:
    yield indent + parent.__name__
    for child in parent.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _tree(child, indent + "    ")


def _builtin(error: type[DuckanonError]) -> str:
    return codes(base.__name__ for base in error.__bases__ if base.__module__ == "builtins" and base is not Exception)


def names() -> str:
    """Every word that options and jobs choose from."""
    said = {name: told for name, told in said_in(choices).items() if get_args(getattr(choices, name))}
    words = [(codes(get_args(getattr(choices, name))), prose(told), codes(_options_of(name))) for name, told in said.items()]
    models = {name_of(model): model for model in MODELS_OF_REQUIRE}
    return page(
        "# Names to choose from",
        "The words that options and job files take. What algorithms do is told in [searches](../explanation/searches.md) and "
        "[local recoding](../explanation/local-recoding.md), what objectives minimize in [metrics](metrics.md#objectives), what models "
        "ask for in [privacy models](privacy-models.md), and how hierarchies are written in [hierarchies](../how-to/hierarchies.md). "
        "The keys of jobs that take them stand in [the job file](job.md).",
        "## Words",
        table(("words", "what they say", "options"), words),
        "## Algorithms",
        table(
            ("`--algorithm`", "what it does"), [(code(name), prose(_first_line(name))) for name in get_args(choices.Algorithm)]
        ),
        "## Privacy models",
        "As `--require` writes them, and as `privacy` of a job does.",
        table(
            ("`--require`", "in a job"),
            [(code(f"{name}={','.join(model.PARAMETERS).upper()}"), codes(_in_a_job(model))) for name, model in models.items()],
        ),
        "## Kinds of hierarchies",
        table(("`kind`", "what it is"), [(code(kind), prose(model.WHAT)) for kind, model in KINDS.items()]),
        "## Bundled hierarchies",
        table(
            ("set", "columns", "what it is", "source"),
            [(code(one.name), codes(one.columns), prose(one.title), prose(one.source)) for one in sets.bundled()],
        ),
        "## Dialects of SQL",
        f"`--dialect` of `duckanon sql release` takes {codes(DIALECTS)}.",
    )


def _first_line(algorithm: str) -> str:
    return (inspect.getdoc(import_module(f"duckanon.search.algorithms.{algorithm}")) or "").splitlines()[0]


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
    types = {name: one.keyword for name, one in declared(*kinds).items()}
    return "\n".join([_KEYWORDS, *(f"    {name}: {_annotation(one)}" for name, one in types.items()), ""])


_KEYWORDS = '''\
"""The keyword arguments of the functions; `make reference` writes this file from the declarations of the options."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict


class Keywords(TypedDict, total=False):
    """The options of the command line, by their names: `--max-suppression 1%` is `max_suppression="1%"`."""
'''


def _annotation(one: Any) -> str:
    """A type as source code."""
    if get_origin(one) in (Union, UnionType):
        return " | ".join(map(_annotation, get_args(one)))
    if arguments := get_args(one):
        return f"{get_origin(one).__name__}[{', '.join(map(_annotation, arguments))}]"
    return "None" if one is NoneType else str(one.__name__)


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "job.md": job,
    "templates.md": sql_templates,
    "relations.md": workspace_relations,
    "errors.md": error_classes,
    "choices.md": names,
    "../explanation/packages.svg": packages_drawing,
    "manifest.md": manifest,
    "job.schema.json": lambda: _json(file.schema()),
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

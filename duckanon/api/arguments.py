"""Keyword arguments of the functions, sorted into `Options` and `Run`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any

from duckanon import yaml_file
from duckanon.engine.scratch import Scratch
from duckanon.errors import HierarchyError, JobError, did_you_mean
from duckanon.hierarchy.spec import checked
from duckanon.job import keys
from duckanon.job.options import Options, Run, joined
from duckanon.option import Option, declared, origins, values_of

_KINDS: Mapping[frozenset[Any], tuple[tuple[type, ...], str]] = {
    frozenset({str, Sequence}): ((str, Iterable), "a text or a list"),
    frozenset({str, Sequence, Mapping}): ((str, Iterable), "a text, a list, or a mapping by column"),
    frozenset({str, Path, Sequence, Mapping}): ((str, Path, Iterable), "a file, a list, or a mapping by column"),
    frozenset({Mapping}): ((Mapping,), "a mapping by column"),
    frozenset({int}): ((Integral,), "a whole number"),
    frozenset({bool}): ((bool,), "True or False"),
    frozenset({str, Path}): ((str, Path), "a path"),
    frozenset({str}): ((str,), "a text"),
}
"""The types that a keyword accepts, and their name in a message. Fractions, limits and fixed values are checked with the job."""


def split_arguments(
    keywords: Mapping[str, Any], given: Options | None, run: Run | None, scratch: Scratch
) -> tuple[Options, Run]:
    """Options and run settings; keywords override `given` and `run`. Raises `JobError` for an unknown keyword.

    Hierarchies that are not files are written to files in `scratch`.
    """
    require_type("options", given, Options, "duckanon.Options")
    require_type("run", run, Run, "duckanon.Run")
    given, run = given or Options(), run or Run()
    known = declared(type(given), type(run), type(run.settings))
    if unknown := next((name for name in keywords if name not in known), None):
        replacement = did_you_mean(unknown, known)
        if (setting := keys.former(unknown.replace("_", "-"), [name.replace("_", "-") for name in known])) is not None:
            replacement = f"; it is now a key of the job: set={dict(keys.parsed_setting(setting))}"
        raise JobError(
            f"no such argument: {unknown!r}{replacement}; arguments are named like the options of the command line, with _ for -"
        )
    for name, value in keywords.items():
        kinds = origins(known[name].keyword)
        if needed := _KINDS.get(frozenset(kinds)):
            require_type(name, value, *needed)
            if isinstance(value, Mapping) and Mapping not in kinds:
                raise JobError(f"{name} needs {needed[1]}, not {type(value).__name__}")
    values = {name: _converted(known[name], value, scratch) for name, value in keywords.items()}
    settings = replace(run.settings, **values_of(type(run.settings), values))
    return replace(given, **values_of(type(given), values)), replace(run, settings=settings, **values_of(type(run), values))


def require_type(name: str, value: object, kinds: type | tuple[type, ...], words: str) -> None:
    """Raise `JobError` for an argument of another type. None is allowed; True is not a number."""
    is_odd = isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,))
    if value is not None and (is_odd or not isinstance(value, kinds)):
        raise JobError(f"{name} needs {words}, not {type(value).__name__}")


def _converted(option: Option, value: Any, scratch: Scratch) -> Any:
    """The field value of a keyword: a text as a list or path, a mapping as items, None as the default."""
    if value is None:
        return option.default
    if isinstance(value, Mapping) and option.name == "hierarchies":
        return tuple(_files(value, scratch))
    if isinstance(value, Mapping) and option.name == "adversary":
        return tuple(f"{name}={columns if isinstance(columns, str) else joined(columns)}" for name, columns in value.items())
    if option.kind is Sequence and isinstance(value, str) and option.parse is not None:
        return tuple(option.parse(value))
    if option.kind is Sequence:
        return (str(value),) if isinstance(value, str | Path) else tuple(_item(option, item) for item in value)
    if option.kind is Path:
        return Path(value)
    return str(value) if isinstance(value, Path) else value


def _item(option: Option, item: Any) -> Any:
    """An item of a list; raises `JobError` if it is not a text."""
    if item is None and option.name == "missing":
        return None
    require_type(f"each of {option.name}", item, (str, Path) if Path in origins(option.keyword) else str, "a text")
    if item is None:
        raise JobError(f"each of {option.name} needs a text, not None")
    return str(item)


def _files(hierarchies: Mapping[str, Any], scratch: Scratch) -> Iterable[str]:
    """Yield `COLUMN=FILE` for each hierarchy; a hierarchy that is a mapping or the rows of a value table is written to a file."""
    for number, (column, hierarchy) in enumerate(hierarchies.items()):
        if not isinstance(hierarchy, str | Path):
            if not isinstance(hierarchy, Mapping | Sequence) or not all(isinstance(line, str | Sequence) for line in hierarchy):
                raise JobError(
                    f"the hierarchy of {column!r} must be a file, a mapping or a list of rows, not {type(hierarchy).__name__}"
                )
            content = (
                hierarchy if isinstance(hierarchy, Mapping) else {"kind": "table", "rows": [list(line) for line in hierarchy]}
            )
            try:
                checked(dict(content))
            except HierarchyError as error:
                raise HierarchyError(f"the hierarchy of {column!r}: {error}") from error
            hierarchy = scratch.path / f"hierarchy_{number}.yaml"
            hierarchy.write_text(yaml_file.dumps(dict(content)), encoding="utf-8")
        yield f"{column}={hierarchy}"

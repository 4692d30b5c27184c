"""Keyword arguments of the functions, sorted into what is asked of a release and how it is carried out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from numbers import Integral
from pathlib import Path
from typing import Any, TypedDict

from duckanon import yaml_file
from duckanon.engine.protocol import Settings
from duckanon.engine.scratch import Scratch
from duckanon.errors import HierarchyError, JobError, did_you_mean
from duckanon.hierarchy.spec import checked
from duckanon.job import options
from duckanon.job.options import Options
from duckanon.job.prepare import Run

Names = str | Sequence[str]
"""A list of columns, or a text of them as the command line takes it: `age,sex`."""


class Asked(TypedDict, total=False):
    """The options of the command line, by their names: `--max-suppression 1%` is `max_suppression="1%"`."""

    qi: Names
    sensitive: Names
    identifying: Names
    keep: Names
    hierarchies: str | Path | Sequence[str] | Mapping[str, Any]
    """Sets, folders and `COLUMN=FILE`; or by column a file, a bundled hierarchy, or the hierarchy itself as in a job file."""
    k: int | None
    k_column: str | None
    entity: str | None
    require: str | Sequence[str]
    max_suppression: str | float | None
    suppress: str | None
    protect: Names
    missing: str | Sequence[str | None]
    missing_policy: str | None
    levels: Mapping[str, int]
    max_loss: Mapping[str, float | str]
    algorithm: str | None
    objective: str | None
    aggregate: str | None
    refine: bool | None
    time_limit: float | None
    max_nodes: int | None
    others: str | None
    shuffle: bool | None
    partition_by: Names
    population: str | Path | None
    population_size: int | None
    policy: str | None
    decide_on: str | None
    cut: Mapping[str, str]
    microaggregate: Mapping[str, str]
    pseudonym: Names
    mask: str | Sequence[str] | Mapping[str, Any]
    """`phone=2`, or by column how many of its last characters are left; True for none."""
    shift: Mapping[str, Any]
    shift_by: str | None
    release: str | None
    pseudonym_scope: str | None
    linkable: bool | None
    median: str | None
    show_extremes: bool | None
    columns: Names
    all_nodes: bool
    overwrite: bool
    dry_run: bool
    report: str | Path | None
    public_report: str | Path | None
    public_manifest: str | Path | None
    key_file: str | Path | None
    threads: int | None
    memory_limit: str | None
    temp_directory: str | Path | None
    workspace: str | Path | None
    engine: str
    collect_limit: int


_NAMES = ("qi", "sensitive", "identifying", "keep", "partition_by", "pseudonym", "protect", "columns")
_LISTS = ("require", "missing", "mask", "hierarchies")
_PATHS = ("report", "public_report", "public_manifest", "key_file", "temp_directory", "workspace")
_KINDS: Mapping[tuple[str, ...], tuple[tuple[type, ...], str]] = {
    (*_NAMES, "require", "missing"): ((str, Iterable), "a text or a list"),
    ("mask",): ((str, Iterable), "a text, a list, or a mapping by column"),
    ("hierarchies",): ((str, Path, Iterable), "a file, a list, or a mapping by column"),
    ("levels", "max_loss", "cut", "microaggregate", "shift"): ((Mapping,), "a mapping by column"),
    ("k", "population_size", "max_nodes", "threads", "collect_limit"): ((Integral,), "a whole number"),
    ("all_nodes", "overwrite", "dry_run", "refine", "shuffle", "show_extremes", "linkable"): ((bool,), "True or False"),
    (*_PATHS, "population"): ((str, Path), "a path"),
    ("engine", "memory_limit"): ((str,), "a text"),
}
"""What is no more than handed on by others must be right here."""


def sorted_out(asked: Mapping[str, Any], given: Options | None, run: Run | None, scratch: Scratch) -> tuple[Options, Run]:
    """What is asked for and how; keywords win over what is `given` as a whole. Raises `JobError` for an unknown one.

    Hierarchies that are no files become files in `scratch`.
    """
    demand("options", given, Options, "duckanon.Options")
    demand("run", run, Run, "duckanon.Run")
    run = run or Run()
    known = [*Asked.__annotations__]
    if unknown := next((name for name in asked if name not in known), None):
        raise JobError(
            f"no such argument: {unknown!r}{did_you_mean(unknown, known)}; those of the command line are known, with _ for -"
        )
    for names, (kinds, words) in _KINDS.items():
        for name in names:
            demand(name, asked.get(name), kinds, words)
            if isinstance(asked.get(name), Mapping) and "mapping" not in words:
                raise JobError(f"{name} needs {words}, and what was given is {type(asked[name]).__name__}")
    fit = {name: _fit(name, value, scratch) for name, value in asked.items()}
    settings = replace(run.settings, **_of(Settings, fit))
    return replace(given or Options(), **_of(Options, fit)), replace(run, settings=settings, **_of(Run, fit))


def demand(name: str, value: object, kinds: type | tuple[type, ...], words: str) -> None:
    """Raises `JobError` for an argument of another kind; None is none, and True is no number."""
    is_odd = isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,))
    if value is not None and (is_odd or not isinstance(value, kinds)):
        raise JobError(f"{name} needs {words}, and what was given is {type(value).__name__}")


def _of(kind: type[Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in asked.items() if name in names}


def _fit(name: str, value: Any, scratch: Scratch) -> Any:
    if value is None and name in (*_NAMES, *_LISTS):
        return ()
    if name == "hierarchies" and isinstance(value, Mapping):
        return tuple(_files(value, scratch))
    if name in _NAMES and isinstance(value, str):
        return tuple(options.names(value))
    if name == "mask" and isinstance(value, Mapping):
        return tuple(f"{column}={last}" if last is not True else column for column, last in value.items())
    if name in (*_NAMES, *_LISTS):
        return (str(value),) if isinstance(value, str | Path) else tuple(_item(name, item) for item in value)
    if value is not None and name in _PATHS:
        return Path(value)
    if value is not None and name == "population":
        return str(value)
    return value


def _item(name: str, item: Any) -> Any:
    """An item of a list; raises `JobError` where it is no text."""
    if item is None and name == "missing":
        return None
    demand(f"each of {name}", item, (str, Path) if name == "hierarchies" else str, "a text")
    if item is None:
        raise JobError(f"each of {name} needs a text, and None was given")
    return str(item)


def _files(hierarchies: Mapping[str, Any], scratch: Scratch) -> Iterable[str]:
    """Each hierarchy by its column and a file: one that is given as a content, or as the lines of a value table, is written."""
    for number, (column, said) in enumerate(hierarchies.items()):
        if not isinstance(said, str | Path):
            if not isinstance(said, Mapping | Sequence) or not all(isinstance(line, str | Sequence) for line in said):
                raise JobError(
                    f"the hierarchy of {column!r} is no file, mapping or list of lines; what was given is {type(said).__name__}"
                )
            content = said if isinstance(said, Mapping) else {"kind": "table", "rows": [list(line) for line in said]}
            try:
                checked(dict(content))
            except HierarchyError as error:
                raise HierarchyError(f"the hierarchy of {column!r}: {error}") from error
            said = scratch.path / f"hierarchy_{number}.yaml"
            said.write_text(yaml_file.dumps(dict(content)), encoding="utf-8")
        yield f"{column}={said}"

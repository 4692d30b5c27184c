"""The models of hierarchy files: one per kind, selected by the key `kind`; and the lines of a file that faults are about."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from importlib import import_module
from operator import or_
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from duckanon import yaml_file
from duckanon.errors import HierarchyError, did_you_mean
from duckanon.hierarchy import kinds
from duckanon.hierarchy.base import Functional, ListedHierarchy, Spec, exact_to_plain
from duckanon.hierarchy.kinds.levels import Levels
from duckanon.hierarchy.kinds.redaction import Redaction
from duckanon.hierarchy.kinds.table import Table
from duckanon.hierarchy.lookup import HierarchyFault, check_size, lines_of


def _kinds() -> Iterator[tuple[str, type[Spec]]]:
    """The classes in `duckanon/hierarchy/kinds` that define a `kind`."""
    for module in iter_modules(kinds.__path__, f"{kinds.__name__}."):
        for value in vars(import_module(module.name)).values():
            is_own = isinstance(value, type) and issubclass(value, Spec) and value.__module__ == module.name
            if is_own and "kind" in value.model_fields:
                yield value.model_fields["kind"].default, value


MODELS: dict[str, type[Spec]] = dict(sorted(_kinds()))
"""The model of each kind, by name."""

if TYPE_CHECKING:
    AnySpec = Spec
else:
    AnySpec = reduce(or_, MODELS.values())
HierarchySpec = Annotated[AnySpec, Field(discriminator="kind")]

_ADAPTER: TypeAdapter[Spec] = TypeAdapter(HierarchySpec)
_TAGS = {tag for model in MODELS.values() for tag in model.TAGS}
YAML = (".yaml", ".yml")
TABLES = (".csv", ".txt", ".tsv", ".parquet")


def load(path: Path) -> Spec:
    """The spec in a YAML file, or that of a CSV or Parquet file; raises `HierarchyError`."""
    if not path.is_file():
        raise HierarchyError(f"no such hierarchy file: {str(path)!r}; name a CSV, Parquet or YAML file, or a bundled hierarchy")
    if path.suffix.casefold() not in YAML:
        check_size(path)
        return Table(file=path)
    file = yaml_file.read(path, "hierarchy", HierarchyError, as_text=True)
    if not isinstance(file.content, dict):
        raise HierarchyError(f"hierarchy {str(path)!r} is not a mapping; it needs at least `kind: {'|'.join(MODELS)}`")
    if twice := next(file.repeated(), None):
        line, key = twice
        raise HierarchyError(f"hierarchy {str(path)!r}, line {line}: the key {key!r} occurs twice; keep one")
    content = dict(file.content)
    if isinstance(content.get("file"), str):
        content["file"] = path.parent / content["file"]
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError as error:
        place, message = _fault(error, content)
        raise HierarchyError(f"hierarchy {str(path)!r}, line {file.line(place)}: {message}") from error


def files_of(path: Path) -> list[Path]:
    """The file of a hierarchy, and the file with its values that it names; a hierarchy with faults names none."""
    if path.suffix.casefold() not in YAML or not path.is_file():
        return [path]
    try:
        spec = load(path)
    except HierarchyError:
        return [path]
    return [path, spec.file] if isinstance(spec, ListedHierarchy) and spec.file is not None else [path]


def checked(content: dict[str, Any]) -> Spec:
    """The spec of a mapping; raises `HierarchyError` with the first fault."""
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError as error:
        raise HierarchyError(_fault(error, content)[1]) from error


def misfits(content: dict[str, Any]) -> list[tuple[list[str], str]]:
    """The place (keys, and indexes in lists) and the description of each fault of a mapping; empty if `checked` accepts it."""
    try:
        _ADAPTER.validate_python(content)
    except ValidationError as error:
        described = [_described(fault, content) for fault in error.errors()]
        return list({tuple(place): (place, message) for place, message in reversed(described)}.values())[::-1]
    return []


def content_of(spec: Spec) -> dict[str, Any]:
    """The mapping of a spec; `checked` converts it back."""
    plain = spec.model_dump(exclude_defaults=True)
    return {"kind": spec.kind, **{key: exact_to_plain(value) for key, value in plain.items() if key != "kind"}}


def shared_content(spec: Spec) -> dict[str, Any]:
    """The properties of a spec, as `content_of` returns them, that a value table cannot store."""
    return {key: value for key, value in content_of(spec).items() if key in Spec.model_fields}


def _fault(error: ValidationError, content: dict[str, object]) -> tuple[list[str], str]:
    """The place and description of the first fault. A misspelt key comes before the missing key it causes."""
    return _described(min(error.errors(), key=lambda candidate: candidate["type"] != "extra_forbidden"), content)


def _described(fault: Mapping[str, Any], content: Mapping[str, object]) -> tuple[list[str], str]:
    place = [part for part in yaml_file.place(fault["loc"], MODELS) if part not in _TAGS]
    key = ".".join(place)
    if fault["type"] in ("union_tag_invalid", "union_tag_not_found"):
        if "kind" not in content:
            return [], f"it has no kind; add `kind: {'|'.join(MODELS)}`"
        return ["kind"], f"kind {content['kind']!r} is unknown{did_you_mean(str(content['kind']), MODELS)}"
    if fault["type"] == "extra_forbidden":
        return place, f"unknown key {key!r}{did_you_mean(place[-1], _known_keys(str(content['kind']), place[:-1]))}"
    description = yaml_file.described(fault)
    return place, f"{key}: {description}" if key else description


def _known_keys(kind: str, place: Sequence[str]) -> Iterable[str]:
    model = MODELS[kind].PARTS.get(place[0]) if place else MODELS[kind]
    return model.model_fields if model is not None else ()


def located(faults: Sequence[HierarchyFault], spec: Spec, file: Path | None, column: str) -> list[HierarchyFault]:
    """The faults, each with the line of its value, or of the nearest spelling, if the file is text."""
    listing = spec.file if isinstance(spec, ListedHierarchy) and spec.file is not None else None
    try:
        if listing is not None and listing.suffix.casefold() != ".parquet":
            wanted = {text for fault in faults for text in (fault.value, fault.nearest) if text is not None}
            numbers = lines_of(listing, column, wanted)
            return [_at(fault, numbers) for fault in faults]
        if isinstance(spec, Functional | Redaction):
            return list(faults)
        if listing is None and file is not None and file.suffix.casefold() in YAML:
            content = yaml_file.read(file, "hierarchy", HierarchyError, as_text=True)
            return [_at(fault, _lines(content, _place(fault, spec), isinstance(spec, Levels))) for fault in faults]
    except (HierarchyError, OSError, csv.Error):
        # the file was deleted after it was read, or has a cell too long for Python's reader; report the faults without lines
        return list(faults)
    return list(faults)


def _place(fault: HierarchyFault, spec: Spec) -> tuple[str, ...]:
    """The part of a YAML file that a fault is about."""
    if not isinstance(spec, Levels) or fault.level is None:
        return ()
    return ("levels", str(fault.level if spec.lists_values else max(0, fault.level - 1)))


def _lines(content: yaml_file.YamlFile, place: tuple[str, ...], is_parted: bool) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for text, line in content.texts(place):
        for part in text.split(",") if is_parted else [text]:
            numbers.setdefault(part.strip(), []).append(line)
    return numbers


def _at(fault: HierarchyFault, lines: dict[str, list[int]]) -> HierarchyFault:
    for text in (fault.value, fault.nearest):
        if text is not None and text in lines:
            return replace(fault, line=lines[text][-1])
    return fault

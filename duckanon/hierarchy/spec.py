"""A hierarchy file as a model: one a kind, told apart by `kind`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from duckanon import validation, yaml_file
from duckanon.errors import HierarchyError, did_you_mean
from duckanon.hierarchy.base import Flat, HierarchyModel, Spec, exact_to_plain
from duckanon.hierarchy.bounds import IntervalRange
from duckanon.hierarchy.calendar import Dates
from duckanon.hierarchy.codes import TAGS, Codes
from duckanon.hierarchy.grouping import LabelGroup
from duckanon.hierarchy.intervals import Interval, Intervals
from duckanon.hierarchy.listed import HierarchyTree, Levels, Table
from duckanon.hierarchy.ordered import Order, Priority
from duckanon.hierarchy.rare import Rare
from duckanon.hierarchy.redaction import Redaction

AnySpec = Table | HierarchyTree | Levels | Intervals | Order | Redaction | Codes | Dates | Priority | Rare | Flat
HierarchySpec = Annotated[AnySpec, Field(discriminator="kind")]

_ADAPTER: TypeAdapter[AnySpec] = TypeAdapter(HierarchySpec)
MODELS: dict[str, type[Spec]] = {
    "table": Table,
    "tree": HierarchyTree,
    "levels": Levels,
    "intervals": Intervals,
    "order": Order,
    "redaction": Redaction,
    "codes": Codes,
    "dates": Dates,
    "priority": Priority,
    "rare": Rare,
    "flat": Flat,
}
YAML = (".yaml", ".yml")
TABLES = (".csv", ".txt", ".tsv", ".parquet")
_LARGEST_TABLE = 1 << 30


def load(path: Path) -> AnySpec:
    """The spec in a YAML file, or the one that a CSV or Parquet file stands for; raises `HierarchyError`."""
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
        raise HierarchyError(f"hierarchy {str(path)!r}, line {line}: {key!r} is said twice; keep one")
    content = dict(file.content)
    if isinstance(content.get("file"), str):
        content["file"] = path.parent / content["file"]
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError as error:
        place, message = _fault(error, content)
        raise HierarchyError(f"hierarchy {str(path)!r}, line {file.line(place)}: {message}") from error


def check_size(path: Path) -> None:
    """Raises `HierarchyError` for a file that is too large to be a hierarchy."""
    if path.is_file() and (size := path.stat().st_size) > _LARGEST_TABLE:
        raise HierarchyError(
            f"hierarchy {str(path)!r} has {size / 2**30:.1f} GiB, more than 1; it lists each value once, so is this the data itself?"
        )


def checked(content: dict[str, Any]) -> AnySpec:
    """The spec of a mapping; raises `HierarchyError` with its first fault."""
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError as error:
        raise HierarchyError(_fault(error, content)[1]) from error


def content_of(spec: AnySpec) -> dict[str, Any]:
    """The mapping that stands for a spec: `checked` gives the spec again."""
    plain = spec.model_dump(exclude_defaults=True)
    return {"kind": spec.kind, **{key: exact_to_plain(value) for key, value in plain.items() if key != "kind"}}


def shared_content(spec: AnySpec) -> dict[str, Any]:
    """What a spec says beside its labels, as `content_of`: what a value table cannot hold."""
    return {key: value for key, value in content_of(spec).items() if key in Spec.model_fields}


def _fault(error: ValidationError, content: dict[str, object]) -> tuple[list[str], str]:
    """Place and description of the first fault, a misspelt key before what is missing for it."""
    fault = min(error.errors(), key=lambda candidate: candidate["type"] != "extra_forbidden")
    place = [part for part in validation.place(fault["loc"], MODELS) if part not in TAGS]
    key = ".".join(place)
    if fault["type"] in ("union_tag_invalid", "union_tag_not_found"):
        if "kind" not in content:
            return [], f"it has no kind; say `kind: {'|'.join(MODELS)}`"
        return ["kind"], f"kind {content['kind']!r} is unknown{did_you_mean(str(content['kind']), MODELS)}"
    if fault["type"] == "extra_forbidden":
        return place, f"unknown key {key!r}{did_you_mean(place[-1], _known_keys(str(content['kind']), place[:-1]))}"
    said = validation.described(fault)
    return place, f"{key}: {said}" if key else said


def _known_keys(kind: str, place: Sequence[str]) -> Iterable[str]:
    if not place:
        return MODELS[kind].model_fields
    parts: dict[str, type[HierarchyModel]] = {"intervals": Interval, "groups": LabelGroup, "range": IntervalRange}
    return parts[place[0]].model_fields if place[0] in parts else ()

"""What a hierarchy file may say: one model a kind."""

import csv
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from duckanon.delimiters import consistent
from duckanon.errors import HierarchyError, did_you_mean

Domain = Literal["listed", "data"]
"""Which leaves a loss counts: all that the hierarchy lists, or those present in the data."""


class Spec(BaseModel):
    """What every kind shares."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    domain: Domain = "listed"


class Table(Spec):
    """A value table: value, level 1, ..., top; a two-column file may also hold child, parent pairs."""

    kind: Literal["table"] = "table"
    file: Path


class Tree(Spec):
    """Child, parent pairs."""

    kind: Literal["tree"] = "tree"
    file: Path


class Intervals(Spec):
    """Whole numbers in intervals [low, low + width) of growing width, low a multiple of the width from `origin`."""

    kind: Literal["intervals"] = "intervals"
    widths: list[Annotated[int, Field(ge=1, le=2**62)]] = Field(min_length=1, max_length=62)
    origin: Annotated[int, Field(ge=-(2**62), le=2**62)] = 0
    top: str = "*"

    @field_validator("widths")
    @classmethod
    def _nested(cls, widths: list[int]) -> list[int]:
        for narrow, wide in pairwise(widths):
            if wide <= narrow or wide % narrow:
                raise ValueError(
                    f"width {wide} is no larger multiple of width {narrow}, so its intervals would cut through narrower ones"
                )
        return widths


HierarchySpec = Annotated[Table | Tree | Intervals, Field(discriminator="kind")]

_ADAPTER: TypeAdapter[Table | Tree | Intervals] = TypeAdapter(HierarchySpec)
_MODELS: dict[str, type[Spec]] = {"table": Table, "tree": Tree, "intervals": Intervals}
_KINDS = tuple(_MODELS)
_YAML = (".yaml", ".yml")
_LARGEST_YAML = 1 << 20
_HEAD_CHARACTERS = 1 << 16


def load(path: Path) -> Table | Tree | Intervals:
    """The spec in a YAML file, or the one that a CSV or Parquet file stands for; raises `HierarchyError`."""
    if not path.is_file():
        raise HierarchyError(f"no such hierarchy file: {str(path)!r}; name a CSV, Parquet or YAML file, or a bundled hierarchy")
    if path.suffix.casefold() not in _YAML:
        return Table(file=path)
    if path.stat().st_size > _LARGEST_YAML:
        raise HierarchyError(f"hierarchy {str(path)!r} is larger than 1 MiB of YAML; keep large value tables as CSV or Parquet")
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise HierarchyError(f"hierarchy {str(path)!r} is not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict):
        raise HierarchyError(f"hierarchy {str(path)!r} is not a mapping; it needs at least `kind: {'|'.join(_KINDS)}`")
    if isinstance(content.get("file"), str):
        content["file"] = path.parent / content["file"]
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError as error:
        raise HierarchyError(f"hierarchy {str(path)!r}: {_fault(error, content)}") from error


def _fault(error: ValidationError, content: dict[str, object]) -> str:
    fault = min(error.errors(), key=lambda candidate: candidate["type"] != "extra_forbidden")
    key = ".".join(str(part) for part in fault["loc"] if part not in _KINDS)
    if fault["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return f"kind {content.get('kind')!r} is unknown{did_you_mean(str(content.get('kind')), _KINDS)}"
    if fault["type"] == "extra_forbidden":
        return f"unknown key {key!r}{did_you_mean(key, _MODELS[str(content['kind'])].model_fields)}"
    return f"{key}: {fault['msg'].removeprefix('Value error, ')}"


class Dialect(BaseModel):
    """How a CSV hierarchy file is written."""

    delimiter: str
    header: bool
    columns: int


def dialect_of(path: Path, column: str) -> Dialect:
    """The delimiter (`;` or `,`) that fits the first lines, and whether a header leads."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = "".join(file.readlines(_HEAD_CHARACTERS))
    except UnicodeDecodeError as error:
        raise HierarchyError(f"hierarchy {str(path)!r} is not UTF-8 text; save it as UTF-8, or as Parquet") from error
    delimiter = consistent(first, ";,") or (";" if ";" in first.partition("\n")[0] else ",")
    cells = next(csv.reader(StringIO(first), delimiter=delimiter), [])
    header = bool(cells) and cells[0].strip().casefold() in ("value", "child", column.casefold())
    return Dialect(delimiter=delimiter, header=header, columns=len(cells))

"""What a hierarchy file may say: one model a kind."""

import csv
from decimal import Decimal
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from duckanon.delimiters import consistent
from duckanon.errors import HierarchyError, did_you_mean

Unit = Literal["hour", "day", "month", "quarter", "year", "decade", "century"]
_UNITS = get_args(Unit)

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


class Functional(Spec):
    """A kind that places every value of a type by a rule, whether the data holds it or not."""

    top: str = "*"


class Intervals(Functional):
    """Numbers in intervals [low, low + width) of growing width, low a multiple of the width from `origin`."""

    kind: Literal["intervals"] = "intervals"
    widths: list[Annotated[Decimal, Field(gt=0, le=2**62, decimal_places=9)]] = Field(min_length=1, max_length=62)
    origin: Annotated[Decimal, Field(ge=-(2**62), le=2**62, decimal_places=9)] = Decimal(0)

    @field_validator("widths")
    @classmethod
    def _nested(cls, widths: list[Decimal]) -> list[Decimal]:
        for narrow, wide in pairwise(widths):
            if wide <= narrow or wide % narrow:
                raise ValueError(
                    f"width {wide} is no larger multiple of width {narrow}, so its intervals would cut through narrower ones"
                )
        return widths

    @property
    def places(self) -> int:
        """Decimal places of the bounds."""
        return max(-int(number.normalize().as_tuple().exponent) for number in (*self.widths, self.origin, Decimal(1)))


class Dates(Functional):
    """Dates and timestamps by growing parts of the calendar."""

    kind: Literal["dates"] = "dates"
    units: list[Unit] = Field(min_length=1)

    @field_validator("units")
    @classmethod
    def _growing(cls, units: list[Unit]) -> list[Unit]:
        for narrow, wide in pairwise(units):
            if _UNITS.index(wide) <= _UNITS.index(narrow):
                raise ValueError(
                    f"{wide} does not hold whole units of {narrow}; name them from the narrowest: {', '.join(_UNITS)}"
                )
        return units


class Flat(Functional):
    """Any value, and above it the top alone."""

    kind: Literal["flat"] = "flat"


AnySpec = Table | Tree | Intervals | Dates | Flat
HierarchySpec = Annotated[AnySpec, Field(discriminator="kind")]

_ADAPTER: TypeAdapter[AnySpec] = TypeAdapter(HierarchySpec)
_MODELS: dict[str, type[Spec]] = {"table": Table, "tree": Tree, "intervals": Intervals, "dates": Dates, "flat": Flat}
_KINDS = tuple(_MODELS)
_YAML = (".yaml", ".yml")
_LARGEST_YAML = 1 << 20
_HEAD_CHARACTERS = 1 << 16


def load(path: Path) -> AnySpec:
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
        return checked(content)
    except HierarchyError as error:
        raise HierarchyError(f"hierarchy {str(path)!r}: {error}") from error


def checked(content: dict[str, Any]) -> AnySpec:
    """The spec of a mapping; raises `HierarchyError` with its first fault."""
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError as error:
        raise HierarchyError(_fault(error, content)) from error


def content_of(spec: AnySpec) -> dict[str, Any]:
    """The mapping that stands for a spec: `checked` gives the spec again."""
    plain = spec.model_dump(exclude_defaults=True)
    return {"kind": spec.kind, **{key: exact_to_plain(value) for key, value in plain.items() if key != "kind"}}


def exact_to_plain(value: Any) -> Any:
    """What YAML writes in place of exact numbers and paths, in mappings and lists too."""
    match value:
        case dict():
            return {key: exact_to_plain(item) for key, item in value.items()}
        case list():
            return [exact_to_plain(item) for item in value]
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case Path():
            return str(value)
    return value


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

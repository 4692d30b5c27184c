"""The base classes and the types of all hierarchy kinds."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.lookup import MOST_LEVELS as MOST_LEVELS
from duckanon.hierarchy.lookup import HierarchyFault, Lookup

Domain = Literal["listed", "data"]
"""The leaves that a loss counts: all that the hierarchy lists, or those present in the data."""


def _as_label(value: Any) -> Any:
    if value is None:
        raise ValueError("an empty entry is not a label; write 'null' in quotes if you mean that text")
    if isinstance(value, str) and ("\0" in value or any("\ud800" <= character <= "\udfff" for character in value)):
        raise ValueError(f"{value!a} contains a character that tables cannot store")
    if isinstance(value, bool | float):
        raise ValueError(f"{value!r} is not text; write it in quotes")  # noqa: TRY004
    return str(value) if isinstance(value, int | date) else value


Label = Annotated[str, BeforeValidator(_as_label)]
"""A value or a label, as text."""


class HierarchyModel(BaseModel):
    """A part of a hierarchy file. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Spec(HierarchyModel):
    """The keys that every kind accepts."""

    WHAT: ClassVar[str]
    """The kind in a few words."""
    PARTS: ClassVar[Mapping[str, type[HierarchyModel]]] = {}
    """The models of the keys whose values are mappings."""
    TAGS: ClassVar[tuple[str, ...]] = ()
    """Tags that distinguish the forms of a key. They do not occur in files."""

    REPEATS_VALUES: ClassVar[bool] = False
    """Whether a value may be its own label on several levels."""

    if TYPE_CHECKING:
        kind: str

    domain: Domain = "listed"
    loss: list[Annotated[Decimal, Field(ge=0, le=1)]] | None = Field(default=None, min_length=2, max_length=MOST_LEVELS + 1)
    """The loss of each level from level 0 to the top, if declared; `distortion` is the mean of these losses."""
    missing: Literal["value", "top"] = "value"
    """Missing values, including NULL: kept as values of their own, or generalized to the top at every level."""
    floor: bool = False
    """Whether a legal floor (`grouped` prefixes, values outside `snap`) holds at level 0, too. Only redaction and intervals have one."""
    nested: bool = True
    """False loads a hierarchy although its levels are not nested."""
    source: str | None = None
    """The source of the hierarchy."""

    @field_validator("loss")
    @classmethod
    def _growing_loss(cls, loss: list[Decimal] | None) -> list[Decimal] | None:
        for level, (below, above) in enumerate(pairwise(loss or [])):
            if above < below:
                raise ValueError(f"level {level + 1} loses {above}, less than the {below} of level {level} below it")
        return loss

    @model_validator(mode="after")
    def _floored(self) -> Self:
        if self.floor and not self.has_floor:
            raise ValueError("floor: needs labels that hold at every level: `grouped` (redaction) or `range.snap` (intervals)")
        return self

    @property
    def has_floor(self) -> bool:
        """Whether some labels can hold at every level."""
        return False

    @abstractmethod
    def lookup(self, engine: Engine, column: Column) -> Lookup:
        """Describe how the lookup table of a column is made. Opens what the hierarchy lists and reads no row of the input.

        Raises `HierarchyError` if the hierarchy does not fit the column's type or cannot be read.
        """

    def listing_faults(self, engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
        """The faults of the listed values that prevent a check of the lookup table."""
        yield from lookup.faults

    @property
    def is_listing(self) -> bool:
        """Whether the hierarchy lists its values itself, so that it needs no data."""
        return False

    @property
    def lists_groups(self) -> bool:
        """Whether it lists its values and their groups. Then it declares redundant levels and values absent from the data itself."""
        return self.is_listing

    @property
    def growing_label(self) -> str | None:
        """The label that covers more values on each level by design."""
        return None

    @property
    def regrouped_levels(self) -> set[int]:
        """The levels on which each group contains a single group of the level below, for any data."""
        return set()


Top = Annotated[Label, Field(min_length=1)]
"""The label of the last level."""


class Functional(Spec):
    """A kind that maps every value of a type by a rule, whether or not the data contains the value."""

    top: Top = "*"


class ListedHierarchy(Spec):
    """A kind that lists its values; `top` adds a level with that label above."""

    file: Path | None = None
    """The file with the values, relative to the folder of the hierarchy file."""
    top: Top | None = None
    """The label of an additional top level."""

    PLACES: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _given_once(self) -> "ListedHierarchy":
        given = [name for name in self.PLACES if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"give its values with one of {', '.join(self.PLACES)}{'' if not given else f', not {len(given)}'}"
            )
        return self

    @property
    def is_listing(self) -> bool:
        return True


def parts_of(members: Any) -> Any:
    """Return a list unchanged, split a text at its commas, and make an empty entry an empty list."""
    if members is None:
        return []
    if isinstance(members, str):
        return [part for text in members.split(",") if (part := text.strip())]
    return members if isinstance(members, list) else [members]


def exact_to_plain(value: Any) -> Any:
    """Convert exact numbers, dates and paths to what YAML can write, in mappings and lists too."""
    match value:
        case dict():
            return {key: exact_to_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [exact_to_plain(item) for item in value]
        case Decimal():
            if value == value.to_integral_value():
                return int(value)
            return float(value) if Decimal(str(float(value))) == value else str(value)
        case Path():
            return str(value)
        case datetime():
            return value.isoformat(sep=" ")
        case date():
            return value.isoformat()
    return value

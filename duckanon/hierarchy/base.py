"""What every kind of hierarchy shares."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.lookup import HierarchyFault, Lookup

MOST_LEVELS = 100
"""Above the values; a lattice of more says nothing, and a file of more is no hierarchy."""

Domain = Literal["listed", "data"]
"""Which leaves a loss counts: all that the hierarchy lists, or those present in the data."""


def _as_label(value: Any) -> Any:
    if value is None:
        raise ValueError("an empty place is no label; write 'null' in quotes where that is meant")
    if isinstance(value, str) and ("\0" in value or any("\ud800" <= character <= "\udfff" for character in value)):
        raise ValueError(f"{value!a} holds a character that no table can hold")
    if isinstance(value, bool | float):
        raise ValueError(f"{value!r} is not the text that was meant; write it in quotes")  # noqa: TRY004
    return str(value) if isinstance(value, int | date) else value


Label = Annotated[str, BeforeValidator(_as_label)]
"""A value or a label, as text."""


class HierarchyModel(BaseModel):
    """A part of a file that people write: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Spec(HierarchyModel):
    """What every kind may say."""

    WHAT: ClassVar[str]
    """The kind in a few words."""
    PARTS: ClassVar[Mapping[str, type[HierarchyModel]]] = {}
    """The models of the keys that hold mappings."""
    TAGS: ClassVar[tuple[str, ...]] = ()
    """What tells the forms of a key apart, and stands in no file."""

    REPEATS_VALUES: ClassVar[bool] = False
    """Whether a value may stand for itself on several levels."""

    if TYPE_CHECKING:
        kind: str

    domain: Domain = "listed"
    loss: list[Annotated[Decimal, Field(ge=0, le=1)]] | None = Field(default=None, min_length=2, max_length=MOST_LEVELS + 1)
    """What each level loses, from level 0 to the top, where its author says so; `distortion` averages it."""
    missing: Literal["value", "top"] = "value"
    """Missing values, NULL among them: values of their own, or generalized to the top at every level."""
    nested: bool = True
    """False loads a hierarchy whose levels are not nested, on purpose."""
    source: str | None = None
    """Where it comes from."""

    @field_validator("loss")
    @classmethod
    def _growing_loss(cls, loss: list[Decimal] | None) -> list[Decimal] | None:
        for level, (below, above) in enumerate(pairwise(loss or [])):
            if above < below:
                raise ValueError(f"level {level + 1} loses {above}, less than the {below} of level {level} below it")
        return loss

    @abstractmethod
    def lookup(self, engine: Engine, column: Column) -> Lookup:
        """How the lookup table of a column is made; opens what the hierarchy lists and reads no row of the input.

        Raises `HierarchyError` where the hierarchy does not fit the column's type or cannot be read.
        """

    def listing_faults(self, engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
        """What is wrong with what it lists, and keeps its lookup table from being checked."""
        yield from lookup.faults

    @property
    def is_listing(self) -> bool:
        """Whether it lists its values itself, and needs no data to be looked at."""
        return False

    @property
    def lists_groups(self) -> bool:
        """Whether it lists its values and their groups, so that a redundant level, or a value that the data lacks, is its own."""
        return self.is_listing

    @property
    def growing_label(self) -> str | None:
        """The label that takes in more values on each level, and is meant to."""
        return None

    @property
    def regrouped_levels(self) -> set[int]:
        """The levels whose groups hold a single group of the level below each, whatever the data."""
        return set()


Top = Annotated[Label, Field(min_length=1)]
"""The label of the last level."""


class Functional(Spec):
    """A kind that places every value of a type by a rule, whether the data holds it or not."""

    top: Top = "*"


def exact_to_plain(value: Any) -> Any:
    """What YAML writes in place of exact numbers, dates and paths, in mappings and lists too."""
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

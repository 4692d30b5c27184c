"""The columns of a recoding: quasi-identifiers as declared and with built hierarchies, and sensitive columns."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from duckanon.engine.protocol import Column
from duckanon.hierarchy.base import Spec
from duckanon.lattice import Lattice, Node


@dataclass(frozen=True)
class Ordering:
    """The order of a column's values, for algorithms that cut ranges."""

    measure: Literal["number", "time", "rank"]
    """The unit of a range's width: numbers, time, or ranks in the order."""
    values: tuple[str, ...] = ()
    """The values in their order, if it differs from the order of the type."""
    type: str | None = None
    """The column type of the earlier release whose cuts are reused."""


@dataclass(frozen=True)
class QuasiIdentifier:
    """A quasi-identifier as declared: its column, its hierarchy, and the bounds and weight of the search."""

    column: Column
    hierarchy: Spec
    hierarchy_name: str
    min_level: int = 0
    max_level: int | None = None
    weight: Fraction = Fraction(1)
    file: Path | None = None
    """The hierarchy's file, if it has one."""
    max_loss: Fraction | None = None
    """The largest information loss of the column that is allowed."""
    ordering: Ordering | None = None
    """The order, if the algorithm cuts ranges of the column instead of using its hierarchy."""

    @property
    def name(self) -> str:
        return self.column.name


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier whose hierarchy is built: `max_level` is set and the height is known."""

    column: Column
    height: int
    min_level: int
    max_level: int
    weight: Fraction
    is_retyped: bool
    """Whether level 0 shows a label for some values (the top for missing values, a legal floor), so that the column is text at every level."""
    is_nested: bool = True
    """False if values with one label can have different labels on the next level. Then the search cannot infer from level to level."""
    losses: tuple[Fraction, ...] | None = None
    """The loss of each level, if the hierarchy declares losses."""
    rule: Spec | None = None
    """The hierarchy as a rule that gives the same labels for any data, if it is a rule."""
    max_loss: Fraction | None = None
    """The largest information loss of the column that is allowed."""
    ordering: Ordering | None = None
    """The order, if the algorithm cuts ranges of the column instead of using its hierarchy."""
    lists_leaves: bool = False
    """Whether the leaves are the values that the hierarchy lists, and not those in the data."""

    @property
    def name(self) -> str:
        return self.column.name

    def key(self, level: int) -> str:
        """The column of `combinations` that holds the label codes of a level."""
        return f"{self.name}_{level}"


@dataclass(frozen=True)
class Sensitive:
    """A sensitive column: the declared order of its values, and its hierarchy if a distance needs one."""

    column: Column
    order: tuple[str, ...] = ()
    hierarchy: QuasiIdentifier | None = None
    needs_order: bool = False
    """Whether a required distance uses the order of its values."""
    null_is_value: bool = False
    """Whether a missing value is only read as a value; else models must also hold without missing values."""

    @property
    def name(self) -> str:
        return self.column.name


def lattice_of(attributes: Sequence[Attribute]) -> Lattice:
    """The lattice between the minimum and maximum levels of the attributes."""
    return Lattice(tuple(a.min_level for a in attributes), tuple(a.max_level for a in attributes))


def levels_of(attributes: Sequence[Attribute], node: Node) -> dict[str, int]:
    """The levels of a node by attribute name."""
    return {attribute.name: level for attribute, level in zip(attributes, node, strict=True)}


def topped_columns(declared: Sequence[QuasiIdentifier]) -> list[str]:
    """The columns whose hierarchies map missing values to the top."""
    return [qi.name for qi in declared if qi.hierarchy.missing == "top"]


def counted_values(sensitive: Sequence[str], protected: Sequence[str], quasi_identifiers: Collection[str]) -> list[str]:
    """The columns, beside the quasi-identifiers, whose values are counted for each combination of quasi-identifier values."""
    return list(dict.fromkeys([*sensitive, *(name for name in protected if name not in quasi_identifiers)]))

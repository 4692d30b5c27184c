"""The columns that a recoding is about: quasi-identifiers as declared and with their hierarchies built, and sensitive columns."""

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
    """What the width of a range is taken in: numbers, time, or places in the order."""
    values: tuple[str, ...] = ()
    """The values in their order, where it is not their own."""
    type: str | None = None
    """The type of the column that an earlier release was cut by, whose cuts are followed."""


@dataclass(frozen=True)
class QuasiIdentifier:
    """A quasi-identifier as declared: its column, its hierarchy, the bounds and the weight of the search."""

    column: Column
    hierarchy: Spec
    hierarchy_name: str
    min_level: int = 0
    max_level: int | None = None
    weight: Fraction = Fraction(1)
    file: Path | None = None
    """The file that the hierarchy stands in, where there is one."""
    max_loss: Fraction | None = None
    """The release may lose no more of the column."""
    ordering: Ordering | None = None
    """Where ranges of it are cut instead of going along the hierarchy."""

    @property
    def name(self) -> str:
        return self.column.name


@dataclass(frozen=True)
class Attribute:
    """A quasi-identifier whose hierarchy is built: `max_level` is settled, heights are known."""

    column: Column
    height: int
    min_level: int
    max_level: int
    weight: Fraction
    is_retyped: bool
    """Whether level 0 shows the top's label for missing values, so that the column is text at every level."""
    is_nested: bool = True
    """False where labels of a level may part on the next one, so that nothing follows from level to level."""
    losses: tuple[Fraction, ...] | None = None
    """What each level loses, where the hierarchy says so."""
    rule: Spec | None = None
    """The hierarchy as a rule that gives the same labels whatever the data, where it is one."""
    max_loss: Fraction | None = None
    """The release may lose no more of the column."""
    ordering: Ordering | None = None
    """Where ranges of it are cut instead of going along the hierarchy."""
    lists_leaves: bool = False
    """Whether the hierarchy's leaves are those that it lists, and not those that the data has."""

    @property
    def name(self) -> str:
        return self.column.name

    def key(self, level: int) -> str:
        """The column of `combinations` with the label codes of a level."""
        return f"{self.name}_{level}"


@dataclass(frozen=True)
class Sensitive:
    """A sensitive column: the order that its values are declared in, and its hierarchy, where a distance needs one."""

    column: Column
    order: tuple[str, ...] = ()
    hierarchy: QuasiIdentifier | None = None
    needs_order: bool = False
    """Whether a distance is required that goes along the order of its values."""

    @property
    def name(self) -> str:
        return self.column.name


def lattice_of(attributes: Sequence[Attribute]) -> Lattice:
    """The nodes between the attributes' least and greatest levels."""
    return Lattice(tuple(a.min_level for a in attributes), tuple(a.max_level for a in attributes))


def levels_of(attributes: Sequence[Attribute], node: Node) -> dict[str, int]:
    """A node by the names of its attributes."""
    return {attribute.name: level for attribute, level in zip(attributes, node, strict=True)}


def topped_columns(declared: Sequence[QuasiIdentifier]) -> list[str]:
    """The columns whose hierarchies send missing values to the top."""
    return [qi.name for qi in declared if qi.hierarchy.missing == "top"]


def counted_values(sensitive: Sequence[str], protected: Sequence[str], quasi_identifiers: Collection[str]) -> list[str]:
    """The columns beside the quasi-identifiers whose values are counted in each set of theirs."""
    return list(dict.fromkeys([*sensitive, *(name for name in protected if name not in quasi_identifiers)]))

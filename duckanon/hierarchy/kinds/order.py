"""Ordered values, in which neighbours are grouped by sizes."""

from itertools import pairwise
from typing import ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal, render
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import Label, Spec, Top
from duckanon.hierarchy.grouping import Cycle, Duplicates, Function, Groups, LabelFunction, LabelGroup, common_prefix_sql
from duckanon.hierarchy.lookup import Lookup, has_values, listed_rows, lookup_statement

_LONGEST_LABEL = 10_000
_MOST_VALUES = 2**62


class Order(Spec):
    """Values in the given order, or in the order of the column's type, in groups whose sizes repeat."""

    WHAT = "values in an order, grouped by sizes"
    PARTS: ClassVar = {"groups": LabelGroup}

    kind: Literal["order"] = "order"
    values: list[Label] | None = Field(None, min_length=1)
    """All values in order; by default the values of the data, in the order of their type."""
    groups: Groups = Field([])
    function: Function = "set"
    duplicates: Duplicates = "refuse"
    top: Top = "*"

    @field_validator("values")
    @classmethod
    def _once(cls, values: list[str] | None) -> list[str] | None:
        ordered = sorted(values or [])
        if twice := next((value for value, following in pairwise(ordered) if value == following), None):
            raise ValueError(f"{twice!r} is listed twice; keep one")
        return values

    @model_validator(mode="after")
    def _labelled_once(self) -> "Order":
        length = 1
        for level, cycle in enumerate(self.cycles, start=1):
            length *= cycle.length
            if length > _MOST_VALUES:
                raise ValueError(f"the groups of level {level} contain more values than a column can have; use smaller groups")
        if self.values is not None and self.duplicates == "refuse":
            count = len(self.values)
            for level, cycle in enumerate(self.cycles, start=1):
                count = cycle.part_at(count - 1) + 1
                for label in cycle.repeated(0, count - 1):
                    raise ValueError(
                        f"label {label!r} of level {level} would be the label of several groups; give each its own label, or set `duplicates: number`"
                    )
        return self

    @property
    def shows_data(self) -> bool:
        """Whether its labels show values of the data, even to readers without the data."""
        return self.values is None and bool(self.groups)

    @property
    def cycles(self) -> tuple[Cycle, ...]:
        """The repeating sequence of groups of each level above the values."""
        return tuple(Cycle.of(level, [group.size for group in level], self.function) for level in self.groups)

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        listed = listed_rows(engine, column, list(enumerate(self.values)) if self.values else None)
        cycles = self.cycles
        labels = [self._label(level, cycle) for level, cycle in enumerate(cycles, start=1)]
        sorted_by = (
            "cell_1"
            if not column.is_numeric
            else f"try_cast(cell_1 as {'hugeint' if column.is_whole else column.type})"
            if column.is_number
            else None
        )
        is_sorted = any("sort_key" in label for label in labels)
        parameters = {"grid": cycles, "top": self.top, "labels": labels, "sorted_by": sorted_by if is_sorted else "null"}
        groups = len(cycles)
        if self.groups and (self.values is not None or has_values(engine, column)):
            self._check_label_lengths(engine, column)
        return Lookup(lookup_statement("order", column, **parameters), groups + 1, listed, top=self.top, groups=groups)

    @property
    def is_listing(self) -> bool:
        return self.values is not None

    @property
    def regrouped_levels(self) -> set[int]:
        return {level for level, cycle in enumerate(self.cycles, start=1) if set(cycle.lengths) == {1}}

    def _label(self, level: int, cycle: Cycle) -> str:
        """The SQL of the label of a group, by its index in the cycle."""
        part = f"part_{level}"
        whens = [f"when {place} then {self._named(cycle, place, part)}" for place in range(cycle.size)]
        return f"case {cycle.place_sql(part)} {' '.join(whens)} end"

    def _named(self, cycle: Cycle, place: int, part: str) -> str:
        name = cycle.names[place]
        if isinstance(name, str):
            return cycle.numbered_sql(name, place, part, 0) if self.duplicates == "number" else literal(name)
        match name.name:
            case "set":
                return "'{' || string_agg(text, ', ' order by position) || '}'"
            case "prefix":
                return f"string_agg(left(text, {name.length}), '-' order by position)"
            case "common-prefix":
                return common_prefix_sql("min(text)", "max(text)", "max(length(text))", name.fill)
        order = "position" if name.name == "bounds" else "sort_key, text"
        return f"'[' || first(text order by {order}) || ', ' || last(text order by {order}) || ']'"

    def _check_label_lengths(self, engine: Engine, column: Column) -> None:
        """Raise `HierarchyError` if labels that list their values would be too long to read or to store."""
        [lengths] = engine.query(render("hierarchy/checks/label_lengths", column=column.name, grid=self.cycles))
        for level, (cycle, length) in enumerate(zip(self.cycles, lengths, strict=True), start=1):
            lists = any(isinstance(name, LabelFunction) and name.name in ("set", "prefix") for name in cycle.names)
            if lists and length > _LONGEST_LABEL:
                raise HierarchyError(
                    f"labels of level {level} of the hierarchy of column {column.name!r} would list their values in {length:,} characters, "
                    f"more than {_LONGEST_LABEL:,}; use `function: bounds`, or smaller groups"
                )

"""The description of a lookup table, and the faults of a hierarchy."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, render

if TYPE_CHECKING:
    from duckanon.hierarchy.base import Spec

Severity = Literal["error", "warning", "note"]
"""An error rejects the hierarchy, a warning rejects it only in strict mode, a note never does."""


@dataclass(frozen=True)
class HierarchyFault:
    """One finding about a hierarchy, written as a predicate: "lists 'a' twice; keep one line"."""

    severity: Severity
    message: str
    level: int | None = None
    value: str | None = None
    """The value, member or label concerned."""
    rows: int | None = None
    """The rows of the data concerned."""
    nearest: str | None = None
    """The nearest correct spelling."""
    line: int | None = None
    """The line of the value in the hierarchy's file."""
    is_of_data: bool = False
    """Whether the fault is due to the data, so that the hierarchy itself may be correct."""


@dataclass(frozen=True)
class Lookup:
    """How to make `lookup_<column>`, and what is known about it in advance."""

    statement: Statement
    height: int
    """The number of the top level."""
    listed: Statement | None = None
    """The listed rows that it reads in addition to the values of the data."""
    top: str = "*"
    """The label of a missing value if no other value shows the hierarchy's top."""
    rule: "Spec | None" = None
    """The spec if it gives the same labels for any data; None if only a value table does."""
    groups: int = 0
    """The number of levels, from level 1 on, for which it stores the number of the group with the label."""
    relabels: bool = False
    """Whether level 0 may show a label instead of the value."""
    faults: tuple[HierarchyFault, ...] = ()
    """Faults of the listing itself. The lookup can then only be used to find more faults."""


def lookup_statement(template: str, column: Column, **parameters: Any) -> Statement:
    """The statement of a template in `sql/hierarchy/kinds` that makes `lookup_<column>`."""
    exact_type, type = _printed_types(column)
    return render(
        f"hierarchy/kinds/{template}",
        f"lookup_{column.name}",
        column=column.name,
        exact_type=exact_type,
        type=type,
        **parameters,
    )


def _printed_types(column: Column) -> tuple[str | None, str | None]:
    """A type in which a listed text is compared with the value of the column's type that it means, and that type; None for text."""
    if column.is_number and not column.is_floating:
        return "double", column.type
    if column.is_date:
        return ("timestamp" if column.type == "DATE" else column.type), column.type
    return (column.type, column.type) if column.is_floating or column.type == "BOOLEAN" else (None, None)


def topped(lookup: Lookup, column: Column, top: str | None) -> Lookup:
    """Add a level with one label at the top, if `top` is given."""
    if top is None:
        return lookup
    statement = lookup_statement("topped", column, below=lookup.statement.sql, height=lookup.height, top=top)
    return replace(lookup, statement=statement, height=lookup.height + 1, top=top)

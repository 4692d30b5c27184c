"""A lookup table to be made, and the faults that may be found on the way."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, render

if TYPE_CHECKING:
    from duckanon.hierarchy.base import Spec

Severity = Literal["error", "warning", "note"]
"""An error refuses the hierarchy; a warning does where it is asked to be strict; a note never."""


@dataclass(frozen=True)
class HierarchyFault:
    """One thing to be said of a hierarchy, as what it does: "lists 'a' twice; keep one line"."""

    severity: Severity
    message: str
    level: int | None = None
    value: str | None = None
    """The value, member or label that it is about."""
    rows: int | None = None
    """Rows of the data that it touches."""
    nearest: str | None = None
    """The nearest right spelling."""
    line: int | None = None
    """Where the value stands in the hierarchy's file."""
    is_of_data: bool = False
    """Whether the data shows it, and the hierarchy itself may be as it was meant."""


@dataclass(frozen=True)
class Lookup:
    """How `lookup_<column>` is made, and what is known of it before."""

    statement: Statement
    height: int
    """The number of the top level."""
    listed: Statement | None = None
    """What it reads beside the values of the data."""
    top: str = "*"
    """What a missing value reads where no other value shows the hierarchy's own top."""
    rule: "Spec | None" = None
    """The spec that gives the same labels whatever the data; None where only a value table does."""
    groups: int = 0
    """On so many levels, from 1 on, it knows the number of the group beside the label."""
    faults: tuple[HierarchyFault, ...] = ()
    """What is wrong with the listing itself, so that the lookup is good for finding more faults only."""


def lookup_statement(template: str, column: Column, **parameters: Any) -> Statement:
    """The statement of a template in `sql/hierarchy/kinds` that makes `lookup_<column>`."""
    return render(f"hierarchy/kinds/{template}", f"lookup_{column.name}", column=column.name, **parameters)


def topped(lookup: Lookup, column: Column, top: str | None) -> Lookup:
    """The same with a level of one label above, where there is a label for it."""
    if top is None:
        return lookup
    statement = lookup_statement("topped", column, below=lookup.statement.sql, height=lookup.height, top=top)
    return replace(lookup, statement=statement, height=lookup.height + 1, top=top)

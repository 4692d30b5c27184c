"""A lookup table to be made, and the faults that may be found on the way."""

from dataclasses import dataclass
from typing import Literal

from duckanon.engine.templates import Statement
from duckanon.hierarchy.spec import AnySpec

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
    rule: AnySpec | None = None
    """The spec that gives the same labels whatever the data; None where only a value table does."""
    groups: int = 0
    """On so many levels, from 1 on, it knows the number of the group beside the label."""
    faults: tuple[HierarchyFault, ...] = ()
    """What is wrong with the listing itself, so that the lookup is good for finding more faults only."""

"""The lookup table of a hierarchy: its description, the faults of a hierarchy, and the relations that are built from it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from duckanon.dataset.values import code_type
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, HierarchyError

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


def rule_statement(
    column: Column, labels: Sequence[str], cell: str = "text as code", condition: str = "", ranged: Sequence[int] = ()
) -> Statement:
    """The statement of a rule: the SQL of its labels from level 0 on, of text and one more cell, for the texts that meet a condition.

    Texts without a label on a level of `ranged` are not covered.
    """
    return lookup_statement("rule", column, labels=labels, cell=cell, condition=condition, ranged=ranged)


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


@contextmanager
def reading(column: Column) -> Iterator[None]:
    """Raise `HierarchyError` if a statement about the hierarchy of a column fails."""
    try:
        yield
    except EngineError as error:
        raise HierarchyError(f"hierarchy of column {column.name!r} cannot be read: {error}") from error


def create_lookup(engine: Engine, column: Column, lookup: Lookup) -> None:
    """Create `lookup_<column>`, unchecked."""
    with reading(column):
        engine.create_table(lookup.statement)


def drop_lookup(engine: Engine, column: Column) -> None:
    """Drop the relations that `Spec.lookup` and `create_lookup` made."""
    engine.drop(f"lookup_{column.name}")
    engine.drop(f"listed_{column.name}")


def create_relations(engine: Engine, column: Column, lookup: Lookup, domain: str) -> None:
    """Create `hierarchy_`, `labels_` and `levels_<column>` from a checked `lookup_<column>`."""
    name, height, lowest = column.name, lookup.height, 0 if lookup.relabels else 1
    about = {"domain": domain, "top": lookup.top, "lowest": lowest}
    # a level has at most as many labels as there are values
    most = engine.create_table(render("hierarchy/hierarchy", f"hierarchy_{name}", column=name, height=height, **about))
    engine.create_table(render("hierarchy/labels", f"labels_{name}", column=name, height=height, code_type=code_type(most)))
    engine.create_table(render("hierarchy/levels", f"levels_{name}", column=name, height=height))
    engine.drop(f"lookup_{name}")

"""Build the relations of one quasi-identifier from its hierarchy."""

from duckanon.engine.codes import code_type
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, HierarchyError
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.faults import queried
from duckanon.hierarchy.lookup import Lookup


def covers(engine: Engine, column: Column, spec: Spec) -> bool:
    """Whether a hierarchy fits the column's type and covers every value of `values_<column>`."""
    try:
        create_lookup(engine, column, spec.lookup(engine, column))
        return not queried(engine, "uncovered_values", column)
    except HierarchyError:
        return False
    finally:
        drop_lookup(engine, column)


def create_lookup(engine: Engine, column: Column, lookup: Lookup) -> None:
    """Create `lookup_<column>`, unchecked."""
    try:
        engine.create_table(lookup.statement)
    except EngineError as error:
        raise HierarchyError(f"hierarchy of column {column.name!r} cannot be read: {error}") from error


def drop_lookup(engine: Engine, column: Column) -> None:
    """Drop the relations that `Spec.lookup` and `create_lookup` made."""
    engine.drop(f"lookup_{column.name}")
    engine.drop(f"listed_{column.name}")


def create_relations(engine: Engine, column: Column, lookup: Lookup, domain: str) -> None:
    """Create `hierarchy_`, `labels_` and `levels_<column>` from a checked `lookup_<column>`."""
    for statement in relation_statements(column, lookup, domain, code_type(_placed(engine, column))):
        engine.create_table(statement)
    engine.drop(f"lookup_{column.name}")


def relation_statements(column: Column, lookup: Lookup, domain: str, code: str) -> list[Statement]:
    """The statements of `create_relations`, in order."""
    name, height = column.name, lookup.height
    return [
        render(
            "hierarchy/hierarchy",
            f"hierarchy_{name}",
            column=name,
            height=height,
            domain=domain,
            top=lookup.top,
            lowest=0 if lookup.relabels else 1,
        ),
        render("hierarchy/labels", f"labels_{name}", column=name, height=height, code_type=code),
        render("hierarchy/levels", f"levels_{name}", column=name, height=height),
    ]


def _placed(engine: Engine, column: Column) -> int:
    """An upper bound of the number of labels on one level: listed values plus values in the data."""
    [(count,)] = engine.query(render("hierarchy/value_count", column=column.name))
    return int(count)

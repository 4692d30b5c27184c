"""From a spec to the relations of one quasi-identifier, every fault named before the search begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.errors import EngineError, HierarchyError, nearest
from duckanon.hierarchy.spec import AnySpec, Dates, Flat, Intervals, Tree, dialect_of
from duckanon.source.location import escaped
from duckanon.templates import Statement, render

_EXAMPLES = 3
_CODE_TYPES = ((2**8, "utinyint"), (2**16, "usmallint"), (2**32, "uinteger"))


@dataclass(frozen=True)
class Lookup:
    """How `lookup_<column>` is made: the statement, the number of the top level, and the file that it reads, opened."""

    statement: Statement
    height: int
    listed: Statement | None = None
    top: str = "*"
    """What a missing value reads where no other value shows the hierarchy's own top."""


def code_type(count: int) -> str:
    """The smallest integer type that holds the codes of `count` things."""
    return next((name for limit, name in _CODE_TYPES if count <= limit), "ubigint")


def plan_lookup(engine: Engine, column: Column, spec: AnySpec) -> Lookup:
    """Opens the hierarchy's file and says how the lookup table is made; reads no row of the input."""
    match spec:
        case Intervals():
            return _intervals(column, spec)
        case Dates():
            if not column.is_date:
                raise HierarchyError(
                    f"dates need a date or timestamp, but column {column.name!r} is {column.type}; give it a value table"
                )
            return Lookup(_lookup("dates", column, {"units": spec.units, "top": spec.top}), len(spec.units) + 1, top=spec.top)
        case Flat():
            return Lookup(_lookup("flat", column, {"top": spec.top}), 1, top=spec.top)
    listed = _listed(column, spec.file)
    cells = _open(engine, column, spec.file, listed)
    if isinstance(spec, Tree) or _holds_pairs(engine, column, cells):
        height = _check_tree(engine, column, cells)
        return Lookup(_lookup("tree", column, {"cells": cells, "height": height}), height, listed)
    return Lookup(_lookup("table", column, {"cells": cells}), len(cells) - 1, listed)


def covers(engine: Engine, column: Column, spec: AnySpec) -> bool:
    """Whether a hierarchy places every value of `values_<column>`; raises `HierarchyError` where it does not fit the type."""
    create_lookup(engine, column, spec)
    uncovered = _faults(engine, "uncovered_values", column)
    drop_lookup(engine, column)
    return not uncovered


def create_lookup(engine: Engine, column: Column, spec: AnySpec) -> None:
    """Makes `lookup_<column>`, unchecked."""
    engine.create_table(plan_lookup(engine, column, spec).statement)


def drop_lookup(engine: Engine, column: Column) -> None:
    """Forgets what `create_lookup` made."""
    engine.drop(f"lookup_{column.name}")
    engine.drop(f"listed_{column.name}")


def check_lookup(engine: Engine, column: Column, height: int, source: str) -> None:
    """Every value once, labels nested, one single top, the data covered; raises `HierarchyError` with the first faults."""
    where = f"hierarchy {source!r} of column {column.name!r}"
    if repeated := _faults(engine, "repeated_values", column):
        examples = _examples([value for value, _ in repeated])
        raise HierarchyError(f"{where} lists {len(repeated)} values more than once: {examples}; keep one line a value")
    if uncovered := _faults(engine, "uncovered_values", column):
        raise HierarchyError(f"{where} does not cover {_uncovered(engine, column, uncovered)}")
    if split := _faults(engine, "split_labels", column, height=height):
        level, label, one, other = split[0]
        raise HierarchyError(
            f"{where} is not nested: {label!r} on level {level} parts into {one!r} and {other!r} on level {level + 1} "
            f"({len(split)} such labels); give each label one parent"
        )
    tops = _faults(engine, "top_labels", column, height=height)
    if len(tops) > 1:
        examples = _examples([label for label, _ in tops])
        raise HierarchyError(f"{where} ends in {len(tops)} labels, {examples}; add a last level with one label, say '*'")


def create_relations(engine: Engine, column: Column, lookup: Lookup, domain: str) -> None:
    """Makes `hierarchy_`, `labels_` and `levels_<column>` from a checked `lookup_<column>`."""
    for statement in relation_statements(column, lookup, domain, code_type(_placed(engine, column))):
        engine.create_table(statement)
    engine.drop(f"lookup_{column.name}")


def relation_statements(column: Column, lookup: Lookup, domain: str, code: str) -> list[Statement]:
    """The statements behind `create_relations`, in order."""
    name, height = column.name, lookup.height
    return [
        render("hierarchy/hierarchy", f"hierarchy_{name}", column=name, height=height, domain=domain, top=lookup.top),
        render("hierarchy/labels", f"labels_{name}", column=name, height=height, code_type=code),
        render("hierarchy/levels", f"levels_{name}", column=name, height=height),
    ]


def _intervals(column: Column, spec: Intervals) -> Lookup:
    if not column.is_number:
        raise HierarchyError(f"intervals need numbers, but column {column.name!r} is {column.type}; give it a value table")
    whole = column.is_whole and spec.places == 0
    bound_type = "hugeint" if spec.places == 0 else f"decimal(38, {spec.places})"
    parameters = {"whole": whole, "bound_type": bound_type, "top": spec.top}
    numbers = {"widths": [f"{width:f}" for width in spec.widths], "origin": f"{spec.origin:f}"}
    return Lookup(_lookup("intervals", column, parameters | numbers), len(spec.widths) + 1, top=spec.top)


def _lookup(kind: str, column: Column, parameters: Mapping[str, Any]) -> Statement:
    return render(f"hierarchy/kinds/{kind}", f"lookup_{column.name}", column=column.name, **parameters)


def _listed(column: Column, path: Path) -> Statement:
    if not path.is_file():
        raise HierarchyError(f"hierarchy of column {column.name!r}: no such file: {str(path)!r}")
    relation = f"listed_{column.name}"
    if path.suffix.casefold() == ".parquet":
        return render("hierarchy/listed", relation, path=escaped(path.absolute()), delimiter=None)
    dialect = dialect_of(path, column.name)
    return render(
        "hierarchy/listed",
        relation,
        path=escaped(path.absolute()),
        delimiter=dialect.delimiter,
        header=dialect.header,
        columns={f"cell_{number}": "varchar" for number in range(dialect.columns)},
    )


def _open(engine: Engine, column: Column, path: Path, statement: Statement) -> list[str]:
    """Makes the view `listed_<column>`; gives the names of its cells."""
    try:
        cells = [cell.name for cell in engine.describe(statement)]
        engine.create_view(statement)
    except EngineError as error:
        raise HierarchyError(f"hierarchy {str(path)!r} of column {column.name!r} cannot be read: {error}") from error
    if len(cells) < 2:
        raise HierarchyError(
            f"hierarchy {str(path)!r} of column {column.name!r} has one column; it needs the value and at least its top, parted by ';' or ','"
        )
    return cells


def _holds_pairs(engine: Engine, column: Column, cells: list[str]) -> bool:
    return len(cells) == 2 and bool(_faults(engine, "inner_parents", column, cells=cells))


def _check_tree(engine: Engine, column: Column, cells: list[str]) -> int:
    """The height of a tree of pairs; raises `HierarchyError` where it is none."""
    where = f"hierarchy of column {column.name!r}"
    if parents := _faults(engine, "two_parents", column, cells=cells):
        child, one, other = parents[0]
        raise HierarchyError(f"{where}: {child!r} has two parents, {one!r} and {other!r}; keep one")
    if unrooted := _faults(engine, "unrooted_nodes", column, cells=cells):
        raise HierarchyError(
            f"{where}: {_examples([node for (node,) in unrooted])} run in a circle; give one of them a parent outside it"
        )
    [(height,)] = _faults(engine, "tree_height", column, cells=cells)
    return int(height)


def _faults(engine: Engine, check: str, column: Column, **parameters: Any) -> list[tuple[Any, ...]]:
    try:
        return engine.query(render(f"hierarchy/checks/{check}", column=column.name, **parameters))
    except EngineError as error:
        raise HierarchyError(f"hierarchy of column {column.name!r} cannot be read: {error}") from error


def _placed(engine: Engine, column: Column) -> int:
    """An upper bound of the labels on one level: values listed and values present."""
    [(count,)] = engine.query(render("hierarchy/value_count", column=column.name))
    return int(count)


def _uncovered(engine: Engine, column: Column, uncovered: list[tuple[Any, ...]]) -> str:
    known = [value for (value,) in engine.query(render("hierarchy/known_values", column=column.name))]
    named = []
    for text, rows in uncovered[:_EXAMPLES]:
        near = nearest(text, known)
        named.append(f"{text!r} ({rows:,} rows{f', did you mean {near!r}?' if near else ''})")
    rest = f" and {len(uncovered) - _EXAMPLES} more" if len(uncovered) > _EXAMPLES else ""
    return f"{', '.join(named)}{rest}; add a line for each, or send it to the top with --missing TOKEN --missing-policy top"


def _examples(values: list[Any]) -> str:
    shown = ", ".join(repr(value) for value in values[:_EXAMPLES])
    return f"{shown}, ..." if len(values) > _EXAMPLES else shown

"""From a spec to the relations of one quasi-identifier."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from duckanon.dataset.marks import FOLDED_MARKS
from duckanon.engine.codes import code_type
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS, Flat
from duckanon.hierarchy.calendar import Dates
from duckanon.hierarchy.codes import Codes
from duckanon.hierarchy.faults import queried, tree_faults
from duckanon.hierarchy.grouping import LabelFunction
from duckanon.hierarchy.intervals import Intervals
from duckanon.hierarchy.listed import HierarchyTree, Levels, Table
from duckanon.hierarchy.listing import has_values, listed_rows, opened
from duckanon.hierarchy.lookup import Lookup
from duckanon.hierarchy.ordered import Order, Priority
from duckanon.hierarchy.rare import Rare
from duckanon.hierarchy.redaction import Redaction
from duckanon.hierarchy.spec import AnySpec

_LONGEST_LABEL = 10_000


def plan_lookup(engine: Engine, column: Column, spec: AnySpec) -> Lookup:
    """Opens what the hierarchy lists and says how the lookup table is made; reads no row of the input.

    Raises `HierarchyError` where the hierarchy does not fit the column's type or cannot be read.
    """
    match spec:
        case Flat():
            return Lookup(_lookup("flat", column, {"top": spec.top}), 1, top=spec.top, rule=spec)
        case Intervals():
            return _intervals(column, spec)
        case Dates():
            return _dates(column, spec)
        case Redaction():
            return _redaction(engine, column, spec)
        case Codes():
            return _codes(column, spec)
        case Rare():
            about = {"below": spec.below, "label": spec.label, "top": spec.top}
            return Lookup(_lookup("rare", column, about), len(spec.below) + 1, top=spec.top)
        case Order():
            return _order(engine, column, spec)
        case Priority():
            return _priority(engine, column, spec)
        case Levels():
            rows = [(*member, number) for number, member in enumerate(spec.members)]
            listed = listed_rows(engine, column, rows)
            return Lookup(_lookup("levels", column, {"height": spec.height}), spec.height, listed)
        case HierarchyTree():
            lookup = _tree(engine, column, *opened(engine, column, spec.file, spec.edges))
        case Table():
            cells, listed = opened(engine, column, spec.file, spec.rows or [])
            if spec.file is not None and len(cells) == 2 and queried(engine, "inner_parents", column, cells=cells):
                lookup = _tree(engine, column, cells, listed)
            else:
                lookup = Lookup(_lookup("table", column, {"cells": cells}), len(cells) - 1, listed)
    return lookup if spec.top is None else _topped(lookup, column, spec.top)


def covers(engine: Engine, column: Column, spec: AnySpec) -> bool:
    """Whether a hierarchy fits a column's type, and places every value of `values_<column>`."""
    try:
        create_lookup(engine, column, plan_lookup(engine, column, spec))
        return not queried(engine, "uncovered_values", column)
    except HierarchyError:
        return False
    finally:
        drop_lookup(engine, column)


def create_lookup(engine: Engine, column: Column, lookup: Lookup) -> None:
    """Makes `lookup_<column>`, unchecked."""
    try:
        engine.create_table(lookup.statement)
    except EngineError as error:
        raise HierarchyError(f"hierarchy of column {column.name!r} cannot be read: {error}") from error


def drop_lookup(engine: Engine, column: Column) -> None:
    """Forgets what `plan_lookup` and `create_lookup` made."""
    engine.drop(f"lookup_{column.name}")
    engine.drop(f"listed_{column.name}")


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
    grid = spec.grid
    is_number = grid.scale.unit == "number"
    if not (column.is_text or (column.is_number if is_number else column.is_date)):
        wanted = "numbers" if is_number else "dates"
        raise HierarchyError(
            f"intervals of {wanted} do not fit column {column.name!r}, which is {column.type}; give it a value table"
        )
    parameters = {
        "grid": grid,
        "top": spec.top,
        "read": _read(column),
        "is_whole_number": column.is_whole,
        "may_exceed": not is_number or not column.is_whole or column.type.endswith("HUGEINT") or grid.scale.places > 0,
        "whole": grid.is_closed and (grid.scale.unit == "day" or (column.is_whole and not grid.scale.places)),
        "number_labels": spec.duplicates == "number",
        "marks": FOLDED_MARKS if is_number and column.is_text else (),
    }
    groups = len(grid.cycles)
    return Lookup(_lookup("intervals", column, parameters), groups + 1, top=spec.top, rule=spec, groups=groups)


def _dates(column: Column, spec: Dates) -> Lookup:
    if not (column.is_date or column.is_text):
        raise HierarchyError(
            f"dates need a date or timestamp, but column {column.name!r} is {column.type}; give it a value table"
        )
    label, snap, _ = spec.range.ends if spec.range else ((None, None),) * 3
    least, beyond, below, above = (None if end is None else str(end) for end in (*label, *snap))
    ends = {
        "least": least,
        "beyond": beyond,
        "below": below if below != least else None,
        "above": above if above != beyond else None,
    }
    parameters = {"units": spec.units, "patterns": spec.patterns, "top": spec.top, "read": _read(column), **ends}
    units = len(spec.units)
    return Lookup(_lookup("dates", column, parameters), units + 1, top=spec.top, rule=spec, groups=units)


def _read(column: Column) -> str:
    """What holds a date or a number: the text, where the column is one."""
    return "text" if column.is_text else "value"


def _redaction(engine: Engine, column: Column, spec: Redaction) -> Lookup:
    length = spec.length if spec.length is not None else max(1, _longest(engine, column)[0], *(spec.steps or ()))
    steps = spec.steps or list(range(1, length + 1))
    if len(steps) > MOST_LEVELS:
        raise HierarchyError(
            f"a level for each of {length:,} characters is more than {MOST_LEVELS} levels; "
            f"say which with `steps: [2, 5, {length}]`, or whether column {column.name!r} is a code at all"
        )
    top = spec.top or (None if steps[-1] == length else "*")
    shown = {"align": spec.align, "redact": spec.redact, "character": spec.character, "pad": spec.pad or spec.character}
    parameters = {"length": length, "steps": steps, "top": top, "grouped": spec.grouped or {}, **shown}
    return Lookup(
        _lookup("redaction", column, parameters),
        len(steps) + (top is not None),
        top=top or spec.character * length,
        rule=spec.model_copy(update={"length": length}),
    )


def _codes(column: Column, spec: Codes) -> Lookup:
    levels = [
        {"number": number, "kept": level if isinstance(level, int) else None, "ranges": list(spec.beginnings(number))}
        for number, level in enumerate(spec.levels, start=1)
    ]
    digits = spec.digits if column.is_number else None
    about = {"levels": levels, "ignore": spec.ignore, "digits": digits, "other": spec.other, "top": spec.top}
    return Lookup(_lookup("codes", column, about), len(levels) + 1, top=spec.top, rule=spec)


def _order(engine: Engine, column: Column, spec: Order) -> Lookup:
    listed = listed_rows(engine, column, list(enumerate(spec.values)) if spec.values else None)
    parameters = {
        "grid": spec.cycles,
        "top": spec.top,
        "number_type": _number_type(column),
        "holds_numbers": column.holds_numbers,
        "number_labels": spec.duplicates == "number",
    }
    groups = len(spec.cycles)
    if spec.groups and (spec.values is not None or has_values(engine, column)):
        _check_label_lengths(engine, column, spec)
    return Lookup(_lookup("order", column, parameters), groups + 1, listed, top=spec.top, groups=groups)


def _check_label_lengths(engine: Engine, column: Column, spec: Order) -> None:
    """Raises `HierarchyError` where labels that list their values would be longer than anybody reads, or memory holds."""
    [lengths] = engine.query(render("hierarchy/checks/label_lengths", column=column.name, grid=spec.cycles))
    for level, (cycle, length) in enumerate(zip(spec.cycles, lengths, strict=True), start=1):
        lists = any(isinstance(name, LabelFunction) and name.name in ("set", "prefix") for name in cycle.names)
        if lists and length > _LONGEST_LABEL:
            raise HierarchyError(
                f"labels of level {level} of the hierarchy of column {column.name!r} would list their values in {length:,} characters, "
                f"more than {_LONGEST_LABEL:,}; choose `function: bounds`, or smaller groups"
            )


def _number_type(column: Column) -> str | None:
    """The type in which numbers keep their order, None for other columns."""
    if not column.is_number:
        return None
    return "hugeint" if column.is_whole else column.type


def _priority(engine: Engine, column: Column, spec: Priority) -> Lookup:
    if spec.priorities is None:
        listed, present = listed_rows(engine, column, None), _longest(engine, column)[1]
    else:
        rows = [(priority, value) for value, priority in spec.priorities.items()]
        listed, present = listed_rows(engine, column, rows), len(rows)
    height = max(1, min(spec.levels, present))
    parameters = {"keep": spec.keep, "height": height, "top": spec.top}
    return Lookup(_lookup("priority", column, parameters), height, listed, top=spec.top)


def _tree(engine: Engine, column: Column, cells: list[str], listed: Statement) -> Lookup:
    height, faults = tree_faults(engine, column, cells)
    if faults:
        return Lookup(
            render("hierarchy/kinds/leaves", f"lookup_{column.name}", column=column.name, cells=cells), 0, listed, faults=faults
        )
    return Lookup(_lookup("tree", column, {"cells": cells, "height": height}), height, listed)


def _topped(lookup: Lookup, column: Column, top: str) -> Lookup:
    """The same with a level of one label above."""
    below = lookup.statement.sql
    statement = render(
        "hierarchy/kinds/topped", f"lookup_{column.name}", column=column.name, below=below, height=lookup.height, top=top
    )
    return replace(lookup, statement=statement, height=lookup.height + 1, top=top)


def _lookup(kind: str, column: Column, parameters: Mapping[str, Any]) -> Statement:
    return render(f"hierarchy/kinds/{kind}", f"lookup_{column.name}", column=column.name, **parameters)


def _longest(engine: Engine, column: Column) -> tuple[int, int]:
    """Characters of the longest value, and the number of values."""
    if not has_values(engine, column):
        raise HierarchyError(
            f"how many levels column {column.name!r} gets depends on the data here; "
            "give a redaction its `length`, and a priority its `priorities`"
        )
    [(characters, present)] = engine.query(render("hierarchy/longest_value", column=column.name))
    return int(characters), int(present)


def _placed(engine: Engine, column: Column) -> int:
    """An upper bound of the labels on one level: values listed and values present."""
    [(count,)] = engine.query(render("hierarchy/value_count", column=column.name))
    return int(count)

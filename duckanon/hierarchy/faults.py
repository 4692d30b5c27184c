"""What can be wrong with a hierarchy: everything at once, each with the value, its rows and the nearest spelling."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import EngineError, HierarchyError, nearest
from duckanon.formatting import in_rows
from duckanon.hierarchy.base import MOST_LEVELS
from duckanon.hierarchy.listed import Levels
from duckanon.hierarchy.lookup import HierarchyFault, Lookup, Severity
from duckanon.hierarchy.spec import AnySpec

_MOST_ALIKE = 10
_EXAMPLES = 3
_TO_THE_TOP = "send it to the top with --missing TOKEN --missing-policy top"

Row = tuple[Any, ...]


def queried(engine: Engine, check: str, column: Column, **parameters: Any) -> list[Row]:
    """The rows of one check; no rows, it holds."""
    try:
        return engine.query(render(f"hierarchy/checks/{check}", column=column.name, **parameters))
    except EngineError as error:
        raise HierarchyError(f"hierarchy of column {column.name!r} cannot be read: {error}") from error


def tree_faults(engine: Engine, column: Column, cells: Sequence[str]) -> tuple[int, tuple[HierarchyFault, ...]]:
    """The height of a tree of pairs, and what keeps it from being one."""
    found = list(
        _some(
            queried(engine, "two_parents", column, cells=cells),
            lambda row: HierarchyFault(
                "error", f"gives {said_of(row[0])} two parents, {said_of(row[1])} and {said_of(row[2])}; keep one", value=row[0]
            ),
            "gives {} more nodes two parents",
        )
    )
    if found:
        # a tree whose ways meet again may have more ways than can be walked
        return 0, tuple(found)
    [(height,)] = queried(engine, "tree_height", column, cells=cells, most=MOST_LEVELS)
    if height > MOST_LEVELS:
        return 0, (HierarchyFault("error", f"has more than {MOST_LEVELS} levels; is it a tree of groups at all?"),)
    if unrooted := queried(engine, "unrooted_nodes", column, cells=cells):
        circle = examples([node for (node,) in unrooted])
        found.append(
            HierarchyFault(
                "error", f"lets {circle} run in a circle; give one of them a parent outside it", value=unrooted[0][0]
            )
        )
    return int(height), tuple(found)


def errors(engine: Engine, column: Column, lookup: Lookup, spec: AnySpec) -> list[HierarchyFault]:
    """Whatever refuses a hierarchy, by its listing and its `lookup_<column>`, against `values_<column>`."""
    found = list(lookup.faults)
    if isinstance(spec, Levels):
        found += _level_faults(engine, column, lookup)
        found += unread(engine, column, "error")
    is_sound = not found
    if not isinstance(spec, Levels):
        found += _repeated(engine, column)
    found += _uncovered(engine, column, lookup)
    if is_sound and spec.nested:
        found += _split(engine, column, lookup)
    if is_sound:
        found += _tops(engine, column, lookup)
    if lookup.groups:
        found += _shared(engine, column, lookup)
    if not lookup.faults and spec.loss is not None and len(spec.loss) != lookup.height + 1:
        found.append(
            HierarchyFault(
                "error", f"has {lookup.height + 1} levels, 0 to {lookup.height}, but {len(spec.loss)} numbers under `loss`"
            )
        )
    return found


def refusal(where: str, faults: Sequence[HierarchyFault]) -> HierarchyError:
    """The error of a hierarchy with these faults: one line for one, a line each for several."""
    said = [fault.message if fault.line is None else f"{fault.message} (line {fault.line})" for fault in faults]
    if len(said) == 1:
        return HierarchyError(f"{where} {said[0]}")
    return HierarchyError(f"{where} has {len(said)} faults:", *(f"  it {one}" for one in said))


def _level_faults(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    """What a listing of groups and members lacks to be one tree."""
    empty: dict[int, list[str]] = {}
    for level, label in queried(engine, "empty_groups", column):
        empty.setdefault(level, []).append(label)
    for level, labels in empty.items():
        yield HierarchyFault(
            "error",
            f"names no members for {examples(labels)} on level {level}; write them as LABEL: [MEMBERS], or numbers as kind intervals",
            level=level,
            value=labels[0],
        )
    orphans = queried(engine, "orphans", column, height=lookup.height)
    rows_of = {(level, label): rows for level, label, rows in orphans}
    yield from (
        HierarchyFault(
            "error",
            f"names no parent on level {level + 1} for {said_of(label)} of level {level}{_in_rows(rows)}; put it into a group there",
            level=level,
            value=label,
            rows=rows,
        )
        for level, label, rows in orphans
        if level + 1 not in empty
    )
    known: dict[int, list[str]] = {}
    for level, label, member, found_on in queried(engine, "unknown_members", column):
        if level not in known:
            known[level] = [
                text for (text,) in engine.query(render("hierarchy/level_labels", column=column.name, level=level - 1))
            ]
        near = nearest(member, known[level])
        rows = rows_of.get((level - 1, near or ""))
        if found_on is not None and found_on < level - 1:
            said = f"skips a level: {said_of(member)} in {said_of(label)} on level {level} is a label of level {found_on}, not of level {level - 1}"
        else:
            said = f"puts {said_of(member)} into {said_of(label)} on level {level}, but level {level - 1} has no such label{_meant(near, rows)}"
        yield HierarchyFault("error", said, level=level, value=member, rows=rows, nearest=near)
    for level, member, one, other, times in queried(engine, "repeated_members", column):
        said = f"gives {said_of(member)} of level {level - 1} two parents, {said_of(one)} and {said_of(other)}; keep one"
        if level == 0 or one == other:
            said = f"lists {said_of(member)} {times} times on level {level}; keep one"
        yield HierarchyFault("error", said, level=level, value=member)


def unread(engine: Engine, column: Column, severity: Severity) -> Iterator[HierarchyFault]:
    """What is listed for a column of numbers and reads as none."""
    yield from _some(
        queried(engine, "unread_numbers", column) if column.is_number else [],
        lambda row: HierarchyFault(
            severity, f"lists {said_of(row[0])}, which is no number, for a column of {column.type}: stray text?", value=row[0]
        ),
        "lists {} more values that are no numbers",
        severity=severity,
    )


def _repeated(engine: Engine, column: Column) -> Iterator[HierarchyFault]:
    yield from _some(
        queried(engine, "repeated_values", column),
        lambda row: HierarchyFault("error", f"lists {said_of(row[0])} {row[1]} times; keep one line a value", value=row[0]),
        "lists {} more values more than once",
    )


def _tops(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    tops = [label for label, _ in queried(engine, "top_labels", column, height=lookup.height)]
    if len(tops) == 1 and not tops[0]:
        yield HierarchyFault("error", "has no label on its last level, as after a trailing ';'; give it one, say '*'")
    elif len(tops) > 1:
        said = f'ends in {len(tops)} labels, {examples(tops)}; add a last level with one label, or say `top: "*"`'
        yield HierarchyFault("error", said)


def _split(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    def told(row: Row) -> HierarchyFault:
        level, label, one, other = row
        [(rows,)] = queried(engine, "label_rows", column, level=level, label=label)
        said = (
            f"is not nested: {said_of(label)} on level {level} parts into {said_of(one)} and {said_of(other)} on level {level + 1}"
            f"{_in_rows(rows)}; give each label one parent, or load it as it is with `nested: false`"
        )
        return HierarchyFault("error", said, level=level, value=label, rows=rows)

    yield from _some(queried(engine, "split_labels", column, height=lookup.height), told, "parts {} more labels so")


def _uncovered(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    uncovered = queried(engine, "uncovered_values", column)
    known: list[str] = []
    if uncovered and lookup.rule is None:
        known = [value for (value,) in engine.query(render("hierarchy/known_values", column=column.name))]
    numbers = {number: value for value in known if (number := _number(value)) is not None} if column.is_number else {}

    def told(row: Row) -> HierarchyFault:
        text, rows = row
        number = _number(text)
        same = numbers.get(number) if number is not None else None
        near = same or nearest(text, known)
        if lookup.rule is not None:
            meant, way = ", outside its kind or its range", f"widen it, or {_TO_THE_TOP}"
        elif same:
            meant, way = f", listed as {said_of(same)}", "list it as the column prints it"
        else:
            meant, way = f", did you mean {said_of(near)}?" if near else "", f"add it, or {_TO_THE_TOP}"
        said = f"does not cover {said_of(text)} ({in_rows(rows)}{meant}); {way}"
        return HierarchyFault("error", said, level=0, value=text, rows=rows, nearest=near, is_of_data=True)

    yield from _some(uncovered, told, "does not cover {} more values", is_of_data=True)


def _shared(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    yield from _some(
        queried(engine, "shared_labels", column, groups=lookup.groups),
        lambda row: HierarchyFault(
            "error",
            f"gives groups of level {row[0]} one label, {said_of(row[1])}: that of {said_of(row[2])} and that of {said_of(row[3])}; "
            "choose another label function, or a label for each",
            level=row[0],
            value=row[1],
        ),
        "gives {} more labels to several groups each",
    )


def _some(
    rows: Sequence[Row],
    told: Callable[[Row], HierarchyFault],
    more: str,
    severity: Severity = "error",
    *,
    is_of_data: bool = False,
) -> Iterator[HierarchyFault]:
    """A fault a row, and one for the rest where there are many."""
    yield from map(told, rows[:_MOST_ALIKE])
    if len(rows) > _MOST_ALIKE:
        yield HierarchyFault(severity, more.format(f"{len(rows) - _MOST_ALIKE:,}"), is_of_data=is_of_data)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def counted(count: int, noun: str) -> str:
    """A number of things, in words for one."""
    return f"a {noun}" if count == 1 else f"{count:,} {noun}s"


def _in_rows(rows: int) -> str:
    return f" ({in_rows(rows)})" if rows else ""


def _meant(near: str | None, rows: int | None) -> str:
    return f" (did you mean {said_of(near)}{f', {in_rows(rows)}' if rows else ''}?)" if near else ""


def said_of(value: Any) -> str:
    """A value in quotes, on one line whatever it holds."""
    if value is None:
        return "NULL"
    return f"'{value}'" if str(value).isprintable() else repr(value)


def examples(values: Sequence[Any]) -> str:
    """The first few values, each in quotes."""
    shown = ", ".join(said_of(value) for value in values[:_EXAMPLES])
    return f"{shown}, ..." if len(values) > _EXAMPLES else shown

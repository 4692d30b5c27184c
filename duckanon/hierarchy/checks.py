"""Checks of a hierarchy: all of its errors, warnings about what is probably unintended, and notes, each with the nearest spelling."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any
from unicodedata import combining, normalize

from duckanon.dataset.missing import USUAL_MISSING_TOKENS
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import ident, literal, render
from duckanon.errors import HierarchyError
from duckanon.formatting import in_rows
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.lookup import HierarchyFault, Lookup, Severity, create_lookup, drop_lookup, reading

_MOST_ALIKE = 10
_EXAMPLES = 3
_MOST_COMPARED = 10_000
"""Listed values that are compared with one that is not covered."""
_TO_THE_TOP = "generalize it to the top with --missing TOKEN --set missing.policy=top"

Row = tuple[Any, ...]


def queried(engine: Engine, check: str, column: Column, **parameters: Any) -> list[Row]:
    """The rows of one check. No rows mean that the check passed."""
    with reading(column):
        return engine.query(render(f"hierarchy/checks/{check}", column=column.name, **parameters))


def uncovered_values(engine: Engine, column: Column) -> list[Row]:
    """The values of the data that the lookup table does not cover, as values and as text, with their rows."""
    with reading(column):
        return engine.query(render("dataset/outside", f"outside_{column.name}", column=column.name))


def _listed_values(engine: Engine, column: Column, condition: str, order: str = "value", most: int | None = None) -> list[Row]:
    """The values of the lookup table that meet a condition."""
    return queried(engine, "listed_values", column, condition=condition, order=order, most=most)


def covers(engine: Engine, column: Column, spec: Spec) -> bool:
    """Whether a hierarchy fits the column's type and covers every value of `values_<column>`."""
    try:
        create_lookup(engine, column, spec.lookup(engine, column))
        return not uncovered_values(engine, column)
    except HierarchyError:
        return False
    finally:
        drop_lookup(engine, column)


def errors(
    engine: Engine, column: Column, lookup: Lookup, spec: Spec, *, has_missing_tokens: bool = True, is_checked: bool = False
) -> list[HierarchyFault]:
    """The errors of a hierarchy, from its listing and from `lookup_<column>` compared with `values_<column>`.

    `has_missing_tokens` is False for a sensitive column, which cannot declare missing tokens; messages then do not advise them.
    With `is_checked`, only uncovered values are looked for, because this run has already checked the hierarchy.
    """
    uncovered = list(_uncovered(engine, column, lookup, f", or {_TO_THE_TOP}" if has_missing_tokens else ""))
    if is_checked:
        return uncovered
    faults = list(spec.listing_faults(engine, column, lookup))
    is_sound = not faults
    if is_sound or lookup.faults:
        faults += _repeated(engine, column)
    faults += uncovered
    if is_sound and spec.nested:
        faults += _split(engine, column, lookup)
    if is_sound:
        faults += _tops(engine, column, lookup)
    if lookup.groups:
        faults += _shared(engine, column, lookup)
    if not lookup.faults and spec.loss is not None and len(spec.loss) != lookup.height + 1:
        faults.append(
            HierarchyFault(
                "error", f"has {lookup.height + 1} levels, 0 to {lookup.height}, but {len(spec.loss)} numbers under `loss`"
            )
        )
    return faults


def refusal(where: str, faults: Sequence[HierarchyFault]) -> HierarchyError:
    """The error of a hierarchy with these faults: one line for a single fault, a line for each of several."""
    messages = [fault.message if fault.line is None else f"{fault.message} (line {fault.line})" for fault in faults]
    if len(messages) == 1:
        return HierarchyError(f"{where} {messages[0]}")
    return HierarchyError(f"{where} has {len(messages)} faults:", *(f"  it {message}" for message in messages))


def unread(engine: Engine, column: Column, severity: Severity) -> Iterator[HierarchyFault]:
    """Faults for listed values that are not numbers, for a column of numbers."""
    yield from alike(
        _listed_values(engine, column, "try_cast(value as double) is null", "length(value) desc, value")
        if column.is_number
        else [],
        lambda row: HierarchyFault(
            severity,
            f"lists {quoted(row[0])}, which is not a number, but the column is {column.type}; is this stray text?",
            value=row[0],
        ),
        "lists {} more values that are not numbers",
        severity=severity,
    )


def _repeated(engine: Engine, column: Column) -> Iterator[HierarchyFault]:
    yield from alike(
        queried(engine, "repeated_values", column),
        lambda row: HierarchyFault("error", f"lists {quoted(row[0])} {row[1]} times; keep one line per value", value=row[0]),
        "lists {} more values more than once",
    )


def _tops(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    tops = [label for label, _ in queried(engine, "top_labels", column, height=lookup.height)]
    if len(tops) == 1 and not tops[0]:
        yield HierarchyFault(
            "error", "has an empty label on its last level, perhaps after a trailing ';'; write a label, for example '*'"
        )
    elif len(tops) > 1:
        message = f'ends in {len(tops)} labels, {examples(tops)}; add a last level with one label, or say `top: "*"`'
        yield HierarchyFault("error", message)


def _split(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    def fault(row: Row) -> HierarchyFault:
        level, label, parent, other = row
        condition = f"label is not distinct from {literal(label)}"
        rows = sum(rows for *_, rows in queried(engine, "label_rows", column, levels=[level], condition=condition))
        message = (
            f"is not nested: {quoted(label)} on level {level} has parents {quoted(parent)} and {quoted(other)} on level {level + 1}"
            f"{and_rows(rows)}; give each label one parent, or load it as it is with `nested: false`"
        )
        return HierarchyFault("error", message, level=level, value=label, rows=rows)

    yield from alike(
        queried(engine, "split_labels", column, height=lookup.height), fault, "has {} more labels with two parents"
    )


def _uncovered(engine: Engine, column: Column, lookup: Lookup, top: str) -> Iterator[HierarchyFault]:
    uncovered = uncovered_values(engine, column)
    known: list[str] = []
    if uncovered and lookup.rule is None:
        known = [value for (value,) in _listed_values(engine, column, "true", most=_MOST_COMPARED)]

    def fault(row: Row) -> HierarchyFault:
        _, text, rows = row
        near = respelled(text, known)
        if lookup.rule is not None:
            meant, way = ", outside its kind or its range", f"widen it{top}"
        else:
            meant, way = f", did you mean {quoted(near)}?" if near else "", f"add it{top}"
        message = f"does not cover {quoted(text)} ({in_rows(rows)}{meant}); {way}"
        return HierarchyFault("error", message, level=0, value=text, rows=rows, nearest=near, is_of_data=True)

    yield from alike(uncovered, fault, "does not cover {} more values", is_of_data=True)


def _shared(engine: Engine, column: Column, lookup: Lookup) -> Iterator[HierarchyFault]:
    yield from alike(
        queried(engine, "shared_labels", column, groups=lookup.groups),
        lambda row: HierarchyFault(
            "error",
            f"gives two groups of level {row[0]}, that of {quoted(row[2])} and that of {quoted(row[3])}, the same label {quoted(row[1])}; "
            "choose another label function, or give each its own label",
            level=row[0],
            value=row[1],
        ),
        "gives {} more labels to several groups",
    )


def alike(
    rows: Sequence[Row],
    fault_of: Callable[[Row], HierarchyFault],
    more: str,
    severity: Severity = "error",
    *,
    is_of_data: bool = False,
) -> Iterator[HierarchyFault]:
    """One fault per row, and one for the remaining rows if there are many."""
    yield from map(fault_of, rows[:_MOST_ALIKE])
    if len(rows) > _MOST_ALIKE:
        yield HierarchyFault(severity, more.format(f"{len(rows) - _MOST_ALIKE:,}"), is_of_data=is_of_data)


def counted(count: int, noun: str) -> str:
    """A number of things; for one, the article and the noun."""
    return f"a {noun}" if count == 1 else f"{count:,} {noun}s"


def and_rows(rows: int) -> str:
    """The number of rows in brackets; empty for 0."""
    return f" ({in_rows(rows)})" if rows else ""


def suggested(near: str | None, rows: int | None) -> str:
    """The nearest spelling as a question, with its rows."""
    return f" (did you mean {quoted(near)}{f', {in_rows(rows)}' if rows else ''}?)" if near else ""


def quoted(value: Any) -> str:
    """A value in quotes, on one line."""
    if value is None:
        return "NULL"
    return f"'{value}'" if str(value).isprintable() else repr(value)


def examples(values: Sequence[Any]) -> str:
    """The first few values, each in quotes."""
    shown = ", ".join(quoted(value) for value in values[:_EXAMPLES])
    return f"{shown}, ..." if len(values) > _EXAMPLES else shown


def warnings(engine: Engine, column: Column, lookup: Lookup, spec: Spec) -> Iterator[HierarchyFault]:
    """Warnings about a hierarchy without errors: parts that are valid but probably unintended."""
    levels = queried(engine, "level_groups", column, height=lookup.height)
    if not levels and lookup.rule is None:
        yield HierarchyFault("warning", "lists no values; write one line per value")
        return
    for level, (below, above) in enumerate(pairwise(count for _, count, *_ in levels)):
        if below == above and spec.nested:
            is_meant = spec.lists_groups or level + 1 in spec.regrouped_levels
            where = "" if is_meant else " of this data"
            yield HierarchyFault(
                "warning" if is_meant else "note",
                f"has a redundant level {level + 1}: it groups the values{where} as level {level} does, so it adds no protection",
                level=level + 1,
            )
    if not spec.nested:
        yield HierarchyFault("warning", "has `nested: false`: the search does not use it for pruning")
    yield from _reused(engine, column, lookup, spec)
    for level, label, other in queried(engine, "near_labels", column, height=lookup.height):
        yield HierarchyFault(
            "warning",
            f"has labels on level {level} that differ only in capitals or blanks: {quoted(label)} and {quoted(other)}",
            level=level,
            value=label,
        )
    for level, _, blanks, example in levels:
        if not blanks:
            continue
        yield HierarchyFault(
            "warning",
            f"has no label on level {level} for {counted(blanks, 'value')}, as {quoted(example)}",
            level=level,
            value=example,
        )
    if spec.lists_groups:
        yield from unread(engine, column, "warning")


def notes(engine: Engine, column: Column, spec: Spec) -> Iterator[HierarchyFault]:
    """Notes about the data that require no action."""
    for text, missing, rows in queried(engine, "missing_values", column, missing_tokens=USUAL_MISSING_TOKENS):
        held = f"{quoted(text)} ({in_rows(rows)})"
        message = f"keeps the missing value {held} as a value of its own; `missing: top`, or --missing TOKEN --set missing.policy=top, changes this"
        yield HierarchyFault(
            "note",
            f"generalizes the missing value {held} to the top" if missing else message,
            value=text,
            rows=rows,
            is_of_data=True,
        )
    if spec.lists_groups:
        condition = f"not exists (select 1 from {ident(f'values_{column.name}')} as present where present.text = lookup.value)"
        unseen = [value for (value,) in _listed_values(engine, column, condition)]
        if unseen:
            message = f"lists {counted(len(unseen), 'value')} that the data does not contain: {examples(unseen)}"
            yield HierarchyFault("note", message, value=unseen[0], is_of_data=True)


def _reused(engine: Engine, column: Column, lookup: Lookup, spec: Spec) -> Iterator[HierarchyFault]:
    alike: list[str] = []
    for label, first, last, differs, leaves in queried(
        engine, "reused_labels", column, height=lookup.height, ignored=spec.growing_label
    ):
        if differs:
            message = f"uses the label {quoted(label)} on levels {first} and {last} for different values"
            yield HierarchyFault("warning", message, level=last, value=label)
        elif not spec.REPEATS_VALUES or (leaves > 1 and spec.lists_groups):
            alike.append(label)
    if alike:
        yield HierarchyFault(
            "warning", f"uses {counted(len(alike), 'label')} on several levels: {examples(alike)}", value=alike[0]
        )


def respelled(value: str, known: Iterable[str]) -> str | None:
    """The known value of which this is another spelling; None if they may be two values, as Female and Male, E10.1 and E10.2.

    Case, accents, blanks and, without digits, punctuation may differ. Or two letters are swapped, or one behind the first differs.
    """
    folded = _folded(value)
    return next((other for other in known if folded and _is_near(folded, _folded(other))), None)


def _folded(value: str) -> str:
    letters = [letter for letter in normalize("NFKD", value.casefold()) if not combining(letter) and not letter.isspace()]
    return "".join(letters if any(map(str.isdigit, letters)) else filter(str.isalnum, letters))


def _is_near(left: str, right: str) -> bool:
    if left == right:
        return True
    begin = _beginning(left, right)
    rests = (left[begin:], right[begin:])
    end = _beginning(rests[0][::-1], rests[1][::-1])
    between = [rest[: len(rest) - end] for rest in rests]
    is_swap = len(between[0]) == 2 and between[0] == between[1][::-1]
    is_letter = begin > 0 and all(len(letters) <= 1 for letters in between)
    shortest = min(len(left), len(right))
    return "".join(between).isalpha() and ((is_swap and shortest >= 4) or (is_letter and shortest >= 5))


def _beginning(left: str, right: str) -> int:
    """The number of letters with which both begin."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, letters in pairs if letters[0] != letters[1]), min(len(left), len(right)))

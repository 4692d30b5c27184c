"""Warnings about parts of a hierarchy that are valid but probably unintended, and notes about the data."""

from collections.abc import Iterator
from itertools import pairwise

from duckanon.dataset.missing import USUAL_MARKS
from duckanon.engine.protocol import Column, Engine
from duckanon.formatting import in_rows
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.faults import counted, examples, queried, quoted, unread
from duckanon.hierarchy.lookup import HierarchyFault, Lookup


def warnings(engine: Engine, column: Column, lookup: Lookup, spec: Spec) -> Iterator[HierarchyFault]:
    """Warnings about a hierarchy without errors: parts that are valid but probably unintended."""
    counts = [int(count) for _, count in queried(engine, "level_groups", column, height=lookup.height)]
    if counts[0] == 0 and lookup.rule is None:
        yield HierarchyFault("warning", "lists no values; write one line per value")
        return
    for level, (below, above) in enumerate(pairwise(counts)):
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
    for level, blanks, example in queried(engine, "blank_labels", column, height=lookup.height):
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
    for text, missing, rows in queried(engine, "missing_values", column, marks=USUAL_MARKS):
        held = f"{quoted(text)} ({in_rows(rows)})"
        message = f"keeps the missing value {held} as a value of its own; `missing: top`, or --missing and --missing-policy, changes this"
        yield HierarchyFault(
            "note",
            f"generalizes the missing value {held} to the top" if missing else message,
            value=text,
            rows=rows,
            is_of_data=True,
        )
    if spec.lists_groups:
        unseen = [value for (value,) in queried(engine, "unseen_values", column)]
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
        elif leaves > 1 or not spec.REPEATS_VALUES:
            alike.append(label)
    if alike:
        yield HierarchyFault(
            "warning", f"uses {counted(len(alike), 'label')} on several levels: {examples(alike)}", value=alike[0]
        )

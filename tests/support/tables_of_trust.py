"""The tables that `tests/trust` prints at the end of a run: attacks, faults and cases.

A test records a row through the fixture `record_row`; pytest passes it on from any worker as a user property.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from duckanon.cli.output import table

Row = Mapping[str, str]
RecordRow = Callable[..., None]
"""Adds a row to a table: `record_row("faults", fault=..., runs=...)`."""

PROPERTY = "trust"
TITLES = {
    "attacks": "attacks: each succeeds against a naive release; what it gains on ours",
    "faults": "faults: what is found under the final names, and what the next start leaves",
    "agreement": "agreement: numbers of one release that several commands print, and those that differ",
    "cases": "hostile input: cases, and how they ended",
}


def tables(properties: Iterable[tuple[str, Any]]) -> list[str]:
    """The lines of the tables that were recorded, in the order of `TITLES`."""
    collected = defaultdict(list)
    for name, value in properties:
        if name == PROPERTY:
            title, row = value
            collected[title].append(row)
    lines = []
    for key, title in TITLES.items():
        if rows := collected[key]:
            heads = list(rows[0])
            lines += ["", title, "", *table(heads, sorted([str(row[head]) for head in heads] for row in rows)).splitlines()]
    return lines

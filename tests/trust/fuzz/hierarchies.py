"""Hierarchies for a column: right ones, with what they make of each value, and broken ones."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from hypothesis import strategies as st

from tests.trust.fuzz.names import PLANTED
from tests.trust.fuzz.tables import Column

TOP = "*"
LABELS = ("low", "high", "North", "a", "1", "[1, 2)", PLANTED, "{{ 7*7 }}", "', '*'); --", '"x"', "é", "🦆", "a;b", "x" * 200)
_NUMBERS = ("small whole", "int64", "int8", "uint64", "hugeint", "uhugeint", "decimal 5.2", "decimal 38.0", "decimal 38.10")
_REALS = ("float64", "float32", "float16")
_DAYS = ("days", "days of all ages", "timestamp", "timestamp ns", "timestamp UTC", "timestamp Berlin", "days in a database")


@dataclass(frozen=True)
class Hierarchy:
    """A file, and the labels of each value from level 0 to the top, where these are known without our code."""

    ending: str
    content: bytes
    lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    what: str = ""

    def write(self, path: Path) -> None:
        path.write_bytes(self.content)


def grouped(texts: Sequence[str], sizes: Sequence[int], names: Sequence[str]) -> dict[str, list[str]]:
    """Neighbours share labels; each level has labels of its own, the top is one."""
    lines = {text: [text] for text in texts}
    width = 1
    for level, size in enumerate(sizes):
        width *= size
        for position, text in enumerate(texts):
            lines[text].append(f"{names[level]}.{level}.{position // width}")
    return {text: [*labels, TOP] for text, labels in lines.items()}


def table_bytes(lines: Sequence[Sequence[str | None]], delimiter: str) -> bytes:
    """A value table as CSV."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def texts_of(column: Column) -> list[str] | None:
    """The printed values of a column, or None where that is in doubt."""
    if column.kind.text is None:
        return None
    texts = [column.kind.text(value) for value in column.distinct]
    return None if any(text is None for text in texts) else list(dict.fromkeys(map(str, texts)))


def _yaml(content: Any) -> bytes:
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False).encode()


@st.composite
def listed(draw: st.DrawFn, column: Column) -> Hierarchy:
    """Values with their labels, as a table, a tree or levels."""
    texts = texts_of(column) or ["a"]
    sizes = draw(st.lists(st.integers(2, 3), max_size=2))
    names = draw(st.lists(st.sampled_from(LABELS), min_size=2, max_size=2))
    lines = grouped(texts, sizes, names)
    rows = [list(line) for line in lines.values()]
    form = draw(st.sampled_from(["csv", "csv", "parquet", "rows", "tree"]))
    if form == "csv":
        return Hierarchy(".csv", table_bytes(rows, ";"), lines, "table")
    if form == "parquet":
        file = io.BytesIO()
        held = {f"level {level}": pa.array(labels, pa.string()) for level, labels in enumerate(zip(*rows, strict=True))}
        pq.write_table(pa.table(held), file)
        return Hierarchy(".parquet", file.getvalue(), lines, "table in Parquet")
    if form == "rows":
        return Hierarchy(".yaml", _yaml({"kind": "table", "rows": rows}), lines, "table in YAML")
    return Hierarchy(".yaml", _yaml({"kind": "tree", "tree": _tree(rows)}), lines, "tree")


def _tree(rows: Sequence[Sequence[str]]) -> Any:
    below: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        below.setdefault(row[-1], []).append(row[:-1])
    return {label: _tree(some) if len(some[0]) > 1 else [item[0] for item in some] for label, some in below.items()}


_OF_TEXTS: tuple[dict[str, Any], ...] = (
    {"kind": "redaction"},
    {"kind": "redaction", "align": "right", "steps": [1, 2]},
    {"kind": "rare", "below": [0.1, 0.4]},
    {"kind": "rare", "below": [0.5], "label": PLANTED},
    {"kind": "codes", "levels": [2, 1]},
    {"kind": "codes", "levels": [1, {"early": "A-M", "{{ 7*7 }}": "N-Z"}], "ignore": " ", "other": "'; --"},
)


@st.composite
def ruled(draw: st.DrawFn, column: Column) -> Hierarchy:
    """Rules for values that nobody has seen."""
    name = column.kind.name
    if name in _NUMBERS or name in _REALS:
        widths = draw(st.sampled_from([[5], [5, 10], [10, 20, 40], [1], [3]]))
        content = {
            "kind": "intervals",
            "widths": widths,
            **draw(st.sampled_from([{}, {"origin": 1}, {"function": "interval"}])),
        }
    elif name in _DAYS:
        units = draw(
            st.sampled_from([["month", "year"], ["year"], ["week"], ["year", "decade"], ["quarter", "year"], ["weekday"]])
        )
        content = {"kind": "dates", "units": units}
    else:
        content = draw(st.sampled_from(_OF_TEXTS))
    more = draw(st.sampled_from([{}, {}, {"missing": "top"}, {"domain": "data"}]))
    return Hierarchy(".yaml", _yaml({**content, **more}), {}, str(content["kind"]))


_ORDERED: tuple[dict[str, Any], ...] = (
    {"kind": "order", "groups": [[2]]},
    {"kind": "order", "groups": [[2], [2]], "function": "bounds"},
    {"kind": "priority"},
    {"kind": "priority", "levels": 2, "keep": "highest"},
)


@st.composite
def right(draw: st.DrawFn, column: Column) -> Hierarchy:
    """A hierarchy that should do for a column."""
    flat = Hierarchy(".yaml", b"kind: flat\n", {text: [text, TOP] for text in texts_of(column) or ()}, "flat")
    match draw(st.integers(0, 9)):
        case 0 | 1:
            return flat
        case 2:
            return Hierarchy(".yaml", _yaml(draw(st.sampled_from(_ORDERED))), {}, "order")
        case 3 | 4 | 5 if column.kind.name != "plain text":
            return draw(ruled(column))
    return draw(listed(column)) if texts_of(column) else flat


def in_place(hierarchy: Hierarchy) -> Any:
    """The content of a YAML hierarchy as it stands in a job, or None."""
    if hierarchy.ending != ".yaml":
        return None
    try:
        content = yaml.safe_load(hierarchy.content)
        json.dumps(content)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, TypeError):
        return None
    return content if isinstance(content, dict) else None

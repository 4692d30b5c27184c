"""Distributions of the quasi-identifiers before and after, and suppression by subgroup."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.reports.utility.outcomes import AttributeParams

_MOST_BARS = 40
MOST_GROUPS = 100
_WITHOUT_POSITION = ("-inf", "inf", "nan")
_FEW_VALUES = 60
"""Columns with more values have no subgroups."""


@dataclass(frozen=True)
class Value:
    """A value of a quasi-identifier, or several neighbouring values, with its rows, released rows, and rows estimated from the release."""

    label: str
    is_missing: bool
    rows: int
    released: int
    estimated: float
    """Rows of the released labels, spread evenly over their values."""


def read_values(engine: Engine, attributes: AttributeParams) -> dict[str, list[Value]]:
    """The values of each quasi-identifier, in their order."""
    return {
        attribute["name"]: [
            Value("NULL" if label is None else label, bool(is_missing), int(rows), int(released), float(estimated))
            for label, is_missing, rows, released, estimated in engine.query(
                render("utility/distribution", column=attribute["name"])
            )
        ]
        for attribute in attributes
    }


def distribution(name: str, values: Sequence[Value], *, is_ordered: bool) -> dict[str, Any]:
    """At most forty bars. In an ordered column neighbouring values are joined, except those without a position; in another column the most frequent values are drawn, and `more` counts the others."""
    if is_ordered and len(values) > _MOST_BARS:
        bars, more = _binned(values), 0
    else:
        frequent = sorted(range(len(values)), key=lambda place: -values[place].rows)[:_MOST_BARS]
        bars, more = [values[place] for place in sorted(frequent)], len(values) - len(frequent)
    return {
        "column": name,
        "kind": "number" if is_ordered else "text",
        "more": more,
        "bars": [{"label": bar.label, "before": bar.rows, "after": bar.estimated} for bar in bars],
        "distance": distance(values),
    }


def distance(values: Sequence[Value]) -> float:
    """Total variation distance between the shares of the input and those estimated from the release."""
    before, after = sum(value.rows for value in values), sum(value.estimated for value in values)
    if not before or not after:
        return 1.0
    return sum(abs(value.rows / before - value.estimated / after) for value in values) / 2


def subgroups(values: dict[str, list[Value]]) -> list[dict[str, Any]]:
    """The groups with the largest share of suppressed rows; columns with many values have none."""
    groups: list[dict[str, Any]] = [
        {
            "column": name,
            "value": value.label,
            "rows": value.rows,
            "suppressed": value.rows - value.released,
            "share": (value.rows - value.released) / value.rows,
        }
        for name, column in values.items()
        if 1 < len(column) <= _FEW_VALUES
        for value in column
        if value.rows > value.released
    ]
    return sorted(groups, key=lambda group: (-group["share"], -group["suppressed"]))[:MOST_GROUPS]


def _binned(values: Sequence[Value]) -> list[Value]:
    """Bins of neighbouring values with the same number of values; missing and infinite values have their own, at the end."""
    placed, others = list[Value](), list[Value]()
    for value in values:
        (others if value.is_missing or value.label in _WITHOUT_POSITION else placed).append(value)
    width = -(-len(placed) // _MOST_BARS)
    parts = [placed[start : start + width] for start in range(0, len(placed), width)] if placed else []
    return [*map(_joined, parts), *others]


def _joined(part: Sequence[Value]) -> Value:
    return Value(
        part[0].label if len(part) == 1 else f"{part[0].label} to {part[-1].label}",
        False,
        sum(value.rows for value in part),
        sum(value.released for value in part),
        sum(value.estimated for value in part),
    )

"""How the values of each quasi-identifier are spread before and after, and who loses most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.reports.utility.outcomes import AttributeParams

_MOST_BARS = 40
MOST_GROUPS = 100
_FEW_VALUES = 60
"""A column with more values makes no subgroups that people know."""


@dataclass(frozen=True)
class Value:
    """A value of a quasi-identifier, or several neighbours: rows, those that are released, and what the release says of it."""

    label: str
    rows: int
    released: int
    estimated: float
    """Rows that the release says, spread evenly over the values under each label."""


def read_values(engine: Engine, attributes: AttributeParams) -> dict[str, list[Value]]:
    """The values of each quasi-identifier, in their order."""
    return {
        attribute["name"]: [
            Value("NULL" if label is None else label, int(rows), int(released), float(estimated))
            for label, rows, released, estimated in engine.query(render("utility/distribution", column=attribute["name"]))
        ]
        for attribute in attributes
    }


def distribution(name: str, values: Sequence[Value], *, is_ordered: bool) -> dict[str, Any]:
    """At most forty bars: neighbours of an ordered column together, of another those with most rows, and `more` values left out."""
    if is_ordered and len(values) > _MOST_BARS:
        bars, more = _binned(values), 0
    else:
        kept = sorted(values, key=lambda value: -value.rows)[:_MOST_BARS]
        bars, more = [value for value in values if value in kept], len(values) - min(len(values), _MOST_BARS)
    return {
        "column": name,
        "kind": "number" if is_ordered else "text",
        "more": more,
        "bars": [{"label": bar.label, "before": bar.rows, "after": bar.estimated} for bar in bars],
        "distance": distance(values),
    }


def distance(values: Sequence[Value]) -> float:
    """Total variation: half the sum of differences between the shares of the input and those that the release says."""
    before, after = sum(value.rows for value in values), sum(value.estimated for value in values)
    if not before or not after:
        return 1.0
    return sum(abs(value.rows / before - value.estimated / after) for value in values) / 2


def subgroups(values: dict[str, list[Value]]) -> list[dict[str, Any]]:
    """The groups that lose the largest share of their rows to suppression; columns of many values make none."""
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
    """Neighbours together, as many in each."""
    width = -(-len(values) // _MOST_BARS)
    parts = [values[start : start + width] for start in range(0, len(values), width)]
    return [
        Value(
            part[0].label if len(part) == 1 else f"{part[0].label} to {part[-1].label}",
            sum(value.rows for value in part),
            sum(value.released for value in part),
            sum(value.estimated for value in part),
        )
        for part in parts
    ]

"""Distributions of the quasi-identifiers before and after, and suppression by subgroup."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render

AttributeParams = Sequence[Mapping[str, Any]]
"""Parameters of each quasi-identifier for the templates."""

_MOST_BARS = 40
MOST_GROUPS = 100
_HIDDEN = "hidden (*)"
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


@dataclass(frozen=True)
class Values:
    """The values of a quasi-identifier in their order, and the released rows whose label covers all of them and shows none."""

    values: Sequence[Value]
    hidden: int


def read_values(engine: Engine, attributes: AttributeParams) -> dict[str, Values]:
    """The values of each quasi-identifier."""
    read = {}
    for attribute in attributes:
        rows = engine.query(render("utility/distribution", column=attribute["name"]))
        read[attribute["name"]] = Values(
            [
                Value("NULL" if label is None else label, bool(is_missing), int(rows), int(released), float(estimated))
                for label, is_missing, rows, released, estimated, _ in rows
            ],
            int(rows[0][-1]) if rows else 0,
        )
    return read


def distribution(name: str, column: Values, *, is_ordered: bool) -> dict[str, Any]:
    """At most forty bars, and one of the rows that show no value. In an ordered column neighbouring values are joined, except those without a position; in another column the most frequent values are drawn, and `more` counts the others."""
    values = column.values
    if is_ordered and len(values) > _MOST_BARS:
        bars, more = _binned(values), 0
    else:
        frequent = sorted(range(len(values)), key=lambda place: -values[place].rows)[:_MOST_BARS]
        bars, more = [values[place] for place in sorted(frequent)], len(values) - len(frequent)
    hidden = [{"label": _HIDDEN, "before": 0, "after": float(column.hidden)}] if column.hidden else []
    return {
        "column": name,
        "kind": "number" if is_ordered else "text",
        "more": more,
        "bars": [*({"label": bar.label, "before": bar.rows, "after": bar.estimated} for bar in bars), *hidden],
        "distance": distance([(value.rows, value.estimated) for value in values] + [(0, column.hidden)]),
    }


def retained(column: Mapping[str, Any], before: int, after: int) -> dict[str, Any]:
    """The distribution of a retained sensitive column, whose values have `before` and `share` of so many rows."""
    counts = [(value["value"], before * value["before"], after * value["share"]) for value in column["values"]]
    bars = [{"label": label, "before": rows, "after": released} for label, rows, released in counts]
    return {"column": column["column"], "kind": "text", "more": column["more"], "bars": bars, "distance": column["change"]}


def distance(counts: Sequence[tuple[float, float]]) -> float:
    """Total variation distance between the shares of the input and those estimated from the release."""
    before, after = sum(rows for rows, _ in counts), sum(estimated for _, estimated in counts)
    if not before or not after:
        return 1.0
    return sum(abs(rows / before - estimated / after) for rows, estimated in counts) / 2


def subgroups(values: Mapping[str, Values]) -> list[dict[str, Any]]:
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
        if 1 < len(column.values) <= _FEW_VALUES
        for value in column.values
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

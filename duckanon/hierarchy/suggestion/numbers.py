"""Numbers in intervals of about as many rows, cut at round numbers."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from math import ceil, floor
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.base import exact_to_plain
from duckanon.hierarchy.suggestion.values import CountedValues

_INTERVALS = 16
_LEAST_ROWS = 10
"""Rows of an interval, on average."""
_SLACK = 0.3
"""How far a cut may lie from its quantile, as a share of an interval."""
_SMALLEST = -9
"""The power of ten of the finest step."""
_GREATEST = Decimal(2) ** 61


def quantile_intervals(engine: Engine, column: Column, counts: CountedValues) -> tuple[dict[str, Any], str] | None:
    """Up to 16 intervals, then two of them together on each level; None where fewer than two cuts are found.

    A value weighs the square root of its rows: what intervals lose is the sum of their rows times their values, which by Cauchy
    and Schwarz is least where they share these weights alike. The first and the last interval are open, so that no label
    tells an extreme.
    """
    parts = min(_INTERVALS, ceil(counts.values / 2), counts.rows // _LEAST_ROWS)
    if parts < 2:
        return None
    about = {"parts": parts, "slack": _SLACK, "read": "text" if column.is_text else "value"}
    windows = engine.query(render("hierarchy/suggestion/quantile_windows", column=column.name, **about))
    cuts = sorted({cut for low, high in windows if (cut := roundest(Decimal(low), Decimal(high))) is not None})
    if not cuts:
        return None
    return _content(cuts), f"{len(cuts) + 1} intervals, cut at round numbers near the quantiles"


def _content(cuts: Sequence[Decimal]) -> dict[str, Any]:
    """The cuts as intervals of a hierarchy, the first and the last drawn to no end."""
    width = cuts[1] - cuts[0] if len(cuts) > 1 else Decimal(1)
    ends = [cuts[0] - width, *cuts, cuts[-1] + (cuts[-1] - cuts[-2] if len(cuts) > 1 else width)]
    groups, count = [], len(ends) - 1
    while count > 2:
        groups.append([2])
        count = ceil(count / 2)
    content: dict[str, Any] = {
        "kind": "intervals",
        "intervals": [list(pair) for pair in pairwise(ends)],
        "range": {"repeat": [ends[0], ends[-1]]},
    }
    plain: dict[str, Any] = exact_to_plain(content | ({"groups": groups} if groups else {}))
    return plain


def roundest(low: Decimal, high: Decimal) -> Decimal | None:
    """The number in (low, high] that is a multiple of the greatest 1, 2 or 5 times a power of ten; of several the middle one.

    None where it would need more than nine decimal places, or lies beyond 2^61.
    """
    if not low < high or max(abs(low), abs(high)) > _GREATEST:
        return None
    power = max(abs(low), abs(high), high - low).adjusted() + 1
    while power >= _SMALLEST:
        for digit in (5, 2, 1):
            step = digit * Decimal(10) ** power
            first, last = floor(low / step) + 1, floor(high / step)
            if first <= last:
                return ((first + last) // 2) * step
        power -= 1
    return None

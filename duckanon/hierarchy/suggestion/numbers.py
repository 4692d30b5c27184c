"""Suggest intervals for numbers, with similar numbers of rows and round bounds."""

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
"""Minimum average number of rows per interval."""
_SLACK = 0.3
"""The maximum distance of a cut from its quantile, as a share of an interval."""
_SMALLEST = -9
"""The power of ten of the finest step."""
_GREATEST = Decimal(2) ** 61


def quantile_intervals(engine: Engine, column: Column, counts: CountedValues) -> tuple[dict[str, Any], str] | None:
    """Up to 16 intervals, merged in pairs on each level; None if fewer than two cuts exist.

    A value has the square root of its rows as its weight: the loss of intervals is the sum of their rows times their values,
    and by the Cauchy-Schwarz inequality it is least if the intervals have equal weights. The first and the last interval are
    open, so that no label shows an extreme value.
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
    """The cuts as intervals of a hierarchy. The first and the last interval are open."""
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
    """The number in (low, high] that is a multiple of the greatest 1, 2 or 5 times a power of ten; of several, the middle one.

    None if it needs more than nine decimal places, or exceeds 2^61.
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

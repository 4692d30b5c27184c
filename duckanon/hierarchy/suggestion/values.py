"""Counts of a column's values that all suggestions use: how many there are, and which are rare."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render

Level = TypeVar("Level")

_SHARES = ("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2")
_LEVELS = 3
_MOST_LEVELS = 5
_FEWER = 1.5
"""The factor by which a level must have fewer groups than the one below."""


@dataclass(frozen=True)
class CountedValues:
    """The values of a column that are not missing, and their rows."""

    values: int
    rows: int


def counted(engine: Engine, column: Column) -> CountedValues:
    """The number of values in `values_<column>`."""
    [(present, rows)] = engine.query(render("hierarchy/suggestion/counted", column=column.name))
    return CountedValues(int(present), int(rows))


def coarser(levels: Iterable[Level], groups: Iterable[int], values: int) -> list[Level]:
    """From levels in order from fine to coarse, the last few that each have clearly fewer groups than the one before."""
    chosen: list[Level] = []
    below: float = values
    for level, count in zip(levels, groups, strict=True):
        if count > 1 and count * _FEWER <= below:
            chosen.append(level)
            below = int(count)
    return chosen[-_MOST_LEVELS:]


def rare_values(engine: Engine, column: Column, counts: CountedValues) -> tuple[dict[str, Any], str] | None:
    """Rare values under one label, by at most three shares of the rows; None if no share groups the values.

    The hierarchy contains no values: each use determines anew which values are rare.
    """
    [rare] = engine.query(render("hierarchy/suggestion/rare_values", column=column.name, shares=_SHARES))
    growing: list[str] = []
    before = 1
    for share, count in zip(_SHARES, rare, strict=True):
        if before < count < counts.values:
            growing.append(share)
            before = int(count)
    if not growing:
        return None
    chosen = growing if len(growing) <= _LEVELS else [growing[0], growing[len(growing) // 2], growing[-1]]
    shares = ", ".join(f"{float(share):.1%}".replace(".0%", "%") for share in chosen)
    return {
        "kind": "rare",
        "below": [float(share) for share in chosen],
    }, f"values with less than {shares} of the rows share a label"

"""Lowest levels for tables with very many combinations of values: a search of regions would take hours on all of them."""

from collections.abc import Sequence

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute
from duckanon.metrics.figures import Marginals

MOST_COMBINATIONS = 200_000
"""Estimated combinations that a search of regions divides within a minute; there may be several times more."""
_ROWS = 200_000
"""Rows of the sample on which combinations are counted."""


def coarse_levels(engine: Engine, attributes: Sequence[Attribute], marginals: Sequence[Marginals], rows: int) -> dict[str, int]:
    """The levels by column, above its lowest, from which the table has about `MOST_COMBINATIONS` combinations.

    Levels are raised in the order of the entropy that they remove for the loss that they cost. The number of combinations is
    estimated from a sample, which is a lower bound (Chao, Scandinavian Journal of Statistics 11, 1984). A column stays below its top.
    """
    about = {"quasi_identifiers": attributes, "percent": f"{min(100, 100 * _ROWS / rows):.6f}"}
    engine.create_table(render("lattice/sampled_levels", **about), stage="counting combinations in a sample")
    levels = [attribute.min_level for attribute in attributes]
    while _estimated(engine, attributes, levels) > MOST_COMBINATIONS:
        raised = [
            (_entropy_for_loss(marginal, level, higher), position, higher)
            for position, (attribute, marginal, level) in enumerate(zip(attributes, marginals, levels, strict=True))
            if attribute.is_nested
            for higher in range(level + 1, attribute.max_level)
        ]
        if not raised:
            break
        _, position, level = max(raised, key=lambda way: (way[0], -way[2]))
        levels[position] = level
    engine.drop("sampled_levels")
    return {attribute.name: level for attribute, level in zip(attributes, levels, strict=True) if level > attribute.min_level}


def _estimated(engine: Engine, attributes: Sequence[Attribute], levels: Sequence[int]) -> float:
    keys = [attribute.key(level) for attribute, level in zip(attributes, levels, strict=True)]
    [(combinations, once, twice)] = engine.query(render("lattice/sampled_combinations", keys=keys))
    return float(combinations + once * (once - 1) / (2 * (twice + 1)))


def _entropy_for_loss(marginal: Marginals, level: int, higher: int) -> float:
    entropy = marginal.information[higher] - marginal.information[level]
    loss = float(marginal.weight) * (marginal.excess[higher] - marginal.excess[level]) / marginal.span
    return entropy / loss if loss else float("inf")

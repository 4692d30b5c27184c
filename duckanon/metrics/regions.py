"""The metrics of a recoding by regions, by the names of the manifest."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from duckanon.choices import Aggregate
from duckanon.metrics.figures import Figures, Marginals
from duckanon.metrics.loss import rounded


@dataclass(frozen=True)
class Sums:
    """What the cells of one quasi-identifier lose, summed over the rows, a suppressed cell losing 1."""

    range_loss: float
    """By the width of the range that a cell shows, or else by the leaves under its label."""
    loss: float
    """By the leaves in the range, or under the label."""
    loss_kept: float
    """The same over released rows."""
    bits: float
    """About the original values, withheld (Gionis, Tassa 2009)."""
    imprecision: float | None = None
    """By level over height, where cells have a level."""
    distortion: float | None = None
    """By what the levels lose by their author's word, where he gave it."""


def document(marginals: Sequence[Marginals], figures: Figures, sums: Sequence[Sums]) -> dict[str, Any]:
    """Every metric; sums run from 0 to the number of attributes, the rest as defined.

    The loss of a range is its share of the leaves, so that it can be held against that of full-domain generalization;
    `range_loss` goes by its width over that of the column.
    """
    rows, names = figures.rows, [attribute.name for attribute in marginals]
    losses = [one.loss / rows for one in sums]
    range_losses = [one.range_loss / rows for one in sums]
    information = sum(one.bits for one in sums)
    return {
        "loss": aggregated("mean", marginals, losses),
        "loss_by_attribute": dict(zip(names, losses, strict=True)),
        "loss_sum": sum(losses),
        "loss_kept": sum(one.loss_kept for one in sums) / figures.released if figures.released else 0.0,
        "leaf_loss": aggregated("mean", marginals, losses),
        "leaf_loss_by_attribute": dict(zip(names, losses, strict=True)),
        "range_loss": aggregated("mean", marginals, range_losses),
        "range_loss_by_attribute": dict(zip(names, range_losses, strict=True)),
        "granularity": 1 - sum(losses) / len(losses),
        "precision": _complement([one.imprecision for one in sums], rows),
        "distortion": _mean([one.distortion for one in sums], rows),
        "discernibility": figures.released_squares + rows * figures.suppressed,
        "discernibility_star": figures.squares,
        "average_class_size": figures.released / figures.released_classes if figures.released_classes else None,
        "entropy": rounded(information),
    }


def aggregated(aggregate: Aggregate, marginals: Sequence[Marginals], losses: Sequence[float]) -> float:
    """The losses of all attributes as one, by their weights."""
    weighted = [float(attribute.weight) * loss for attribute, loss in zip(marginals, losses, strict=True)]
    if aggregate == "max":
        return max(weighted)
    if aggregate == "geometric-mean":
        return float(prod(loss + 1 for loss in weighted) ** (1 / len(weighted)) - 1)
    return sum(weighted) / float(sum(attribute.weight for attribute in marginals))


def _mean(sums: Sequence[float | None], rows: int) -> float | None:
    known = [one for one in sums if one is not None]
    return sum(known) / rows / len(sums) if len(known) == len(sums) else None


def _complement(sums: Sequence[float | None], rows: int) -> float | None:
    mean = _mean(sums, rows)
    return None if mean is None else 1 - mean

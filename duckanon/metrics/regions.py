"""The metrics of a recoding by regions, by the names of the manifest."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from duckanon.choices import Aggregate
from duckanon.metrics.document import composed
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
    """Every metric, with those of ranges.

    The loss of a range is its share of the leaves, so that it compares with that of full-domain generalization;
    `range_loss` goes by its width over that of the column.
    """
    rows = figures.rows
    losses, range_losses = [cells.loss / rows for cells in sums], [cells.range_loss / rows for cells in sums]
    metrics = composed(
        marginals,
        figures,
        losses,
        loss=aggregated("mean", marginals, losses),
        loss_kept=sum(cells.loss_kept for cells in sums) / figures.released if figures.released else 0.0,
        imprecision=_mean([cells.imprecision for cells in sums], rows),
        distortion=_mean([cells.distortion for cells in sums], rows),
        entropy=rounded(sum(cells.bits for cells in sums)),
    )
    return metrics | {
        "leaf_loss": metrics["loss"],
        "leaf_loss_by_attribute": metrics["loss_by_attribute"],
        "range_loss": aggregated("mean", marginals, range_losses),
        "range_loss_by_attribute": {attribute.name: loss for attribute, loss in zip(marginals, range_losses, strict=True)},
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
    known = [part for part in sums if part is not None]
    return sum(known) / rows / len(sums) if len(known) == len(sums) else None

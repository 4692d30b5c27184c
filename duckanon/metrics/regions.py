"""The metrics of a recoding by regions, by their names in the manifest."""

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
    """The losses of the cells of one quasi-identifier, summed over the rows; a suppressed cell loses 1."""

    range_loss: float
    """From the width of the range that a cell shows, or else the leaves under its label."""
    loss: float
    """From the leaves in the range, or under the label."""
    loss_kept: float
    """As `loss`, over the released rows only."""
    bits: float
    """The bits about the original values that are withheld (Gionis, Tassa 2009)."""
    imprecision: float | None = None
    """The sum of level / height, if cells have a level."""
    distortion: float | None = None
    """The sum of the declared losses of the levels, if the hierarchy declares losses."""


def document(marginals: Sequence[Marginals], figures: Figures, sums: Sequence[Sums]) -> dict[str, Any]:
    """All metrics, including those of ranges.

    The loss of a range is its share of the leaves, so that it is comparable with that of full-domain generalization.
    `range_loss` is its width divided by that of the column.
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
    """The weighted losses of all attributes as one figure."""
    weighted = [float(attribute.weight) * loss for attribute, loss in zip(marginals, losses, strict=True)]
    if aggregate == "max":
        return max(weighted)
    if aggregate == "geometric-mean":
        return float(prod(loss + 1 for loss in weighted) ** (1 / len(weighted)) - 1)
    return sum(weighted) / float(sum(attribute.weight for attribute in marginals))


def _mean(sums: Sequence[float | None], rows: int) -> float | None:
    known = [part for part in sums if part is not None]
    return sum(known) / rows / len(sums) if len(known) == len(sums) else None

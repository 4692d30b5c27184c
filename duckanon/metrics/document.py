"""The metrics of a release, by their names in the manifest."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2, prod
from typing import Any

from duckanon.choices import Aggregate
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.loss import attribute_losses, kept_losses, rounded
from duckanon.metrics.objective import Distortion, Imprecision, MeanLoss

_NOISE = 1e-13
"""The relative floating-point error of the bits of all rows under one label."""


def entropy(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> float:
    """Bits over all rows and attributes, to twelve significant digits.

    Generalization withholds log2(F / f) bits per cell, where f and F are the rows of the value and of its label.
    Suppression additionally withholds what the label disclosed about the suppressed rows.
    """
    levels, suppressed = zip(marginals, node, strict=True), figures.suppressed
    withheld = sum(withheld_bits(attribute, attribute.information[level]) for attribute, level in levels)
    if suppressed:
        withheld += sum(suppressed * log2(suppressed) - sum(rows * log2(rows) for rows in labels.values()) for labels in lost)
    return rounded(withheld)


def withheld_bits(attribute: Marginals, information: float) -> float:
    """The bits that labels of this information withhold; 0 if they have the same rows as the values.

    Both sums depend on the order of their terms. Two values with one row each that share a label withhold 2 bits, far more than
    this error.
    """
    bits = information - attribute.original
    return bits if bits > _NOISE * attribute.information[-1] else 0.0


MEANINGS = {
    "loss": "mean loss of a cell: 0 keeps every value, 1 keeps none",
    "granularity": "1 - the unweighted loss",
    "precision": "1 - the mean of level / height (Sweeney)",
    "distortion": "mean of the losses that the hierarchies declare for their levels",
    "discernibility": "sum of squared class sizes; each suppressed row counts as the whole table (Bayardo, Agrawal)",
    "average_class_size": "average rows per released class",
    "entropy": "bits about the original values that the release withholds (Gionis, Tassa)",
    "kl_divergence": "bits by which the distribution of the release differs from that of the input (Kullback, Leibler)",
    "ambiguity": "number of possible original records per row, summed over all rows",
}
"""The metrics that a report shows, in this order. The last two are computed only for reports."""


def document(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> dict[str, Any]:
    """All metrics of a node."""
    mean, imprecision = MeanLoss(marginals, figures.rows), Imprecision(marginals, figures.rows)
    return composed(
        marginals,
        figures,
        attribute_losses(marginals, node, figures, lost),
        loss=mean.published(mean.value(node, figures, lambda: lost)),
        loss_kept=float(sum(kept_losses(marginals, node, figures, lost))),
        imprecision=imprecision.published(imprecision.value(node, figures, lambda: lost)),
        distortion=_distortion(marginals, node, figures),
        entropy=entropy(marginals, node, figures, lost),
    )


def composed(
    marginals: Sequence[Marginals],
    figures: Figures,
    losses: Sequence[Fraction | float],
    *,
    loss: float,
    loss_kept: float,
    imprecision: float | None,
    distortion: float | None,
    entropy: float,
) -> dict[str, Any]:
    """The metrics that all recodings have. Sums range from 0 to the number of attributes; the others follow their definitions."""
    return {
        "loss": loss,
        "loss_by_attribute": {attribute.name: float(part) for attribute, part in zip(marginals, losses, strict=True)},
        "loss_sum": float(sum(losses)),
        "loss_kept": loss_kept,
        "granularity": 1 - float(sum(losses) / len(losses)),
        "precision": None if imprecision is None else 1 - imprecision,
        "distortion": distortion,
        "discernibility": figures.released_squares + figures.rows * figures.suppressed,
        "discernibility_star": figures.squares,
        "average_class_size": figures.released / figures.released_classes if figures.released_classes else None,
        "entropy": entropy,
    }


def _distortion(marginals: Sequence[Marginals], node: Node, figures: Figures) -> float | None:
    """The distortion; None if a hierarchy declares no losses."""
    if any(attribute.losses is None for attribute in marginals):
        return None
    distortion = Distortion(marginals, figures.rows)
    return distortion.published(distortion.value(node, figures, tuple))


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


def region_document(marginals: Sequence[Marginals], figures: Figures, sums: Sequence[Sums]) -> dict[str, Any]:
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

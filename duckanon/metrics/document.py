"""The metrics of a release, by their names in the manifest."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from duckanon.lattice import Node
from duckanon.metrics.entropy import entropy
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.levels import Distortion, Imprecision
from duckanon.metrics.loss import MeanLoss, attribute_losses, kept_losses

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

"""The metrics of a release, by the names of the manifest."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from duckanon.lattice import Node
from duckanon.metrics.entropy import Entropy
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.levels import Distortion, Imprecision
from duckanon.metrics.loss import MeanLoss, attribute_losses, kept_losses

MEANINGS = {
    "loss": "mean loss of a cell: 0 keeps every value, 1 keeps none",
    "granularity": "1 less the unweighted loss",
    "precision": "1 less the mean of level over height (Sweeney)",
    "distortion": "mean of what the authors of the hierarchies say that a level loses",
    "discernibility": "sum of squared class sizes, suppressed rows counting as the whole table each (Bayardo, Agrawal)",
    "average_class_size": "rows of a released class",
    "entropy": "bits about the values that are withheld (Gionis, Tassa)",
    "kl_divergence": "bits by which the release misstates how rows are spread over all sets of values (Kullback, Leibler)",
    "ambiguity": "sets of values that the rows could have, summed over all rows",
}
"""The metrics that a report shows, in this order; the last two are measured for the report alone."""


def document(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> dict[str, Any]:
    """Every metric of a node."""
    mean, imprecision = MeanLoss(marginals, figures.rows), Imprecision(marginals, figures.rows)
    return composed(
        marginals,
        figures,
        attribute_losses(marginals, node, figures, lost),
        loss=mean.published(mean.value(node, figures, lambda: lost)),
        loss_kept=float(sum(kept_losses(marginals, node, figures, lost))),
        imprecision=imprecision.published(imprecision.value(node, figures, lambda: lost)),
        distortion=_distortion(marginals, node, figures),
        entropy=Entropy(marginals).value(node, figures, lambda: lost),
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
    """The metrics of every recoding; sums run from 0 to the number of attributes, the rest as defined."""
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
    """None where a hierarchy does not say what its levels lose."""
    if any(attribute.losses is None for attribute in marginals):
        return None
    distortion = Distortion(marginals, figures.rows)
    return distortion.published(distortion.value(node, figures, tuple))

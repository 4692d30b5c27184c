"""The metrics of a release, by the names of the manifest."""

from collections.abc import Sequence
from typing import Any

from duckanon.lattice import Node
from duckanon.metrics.class_sizes import Discernibility
from duckanon.metrics.entropy import Entropy
from duckanon.metrics.figures import Figures, Lost, Marginals
from duckanon.metrics.levels import Distortion, Imprecision
from duckanon.metrics.loss import MeanLoss, attribute_losses, kept_losses


def document(marginals: Sequence[Marginals], node: Node, figures: Figures, lost: Lost) -> dict[str, Any]:
    """Every metric of a node; sums run from 0 to the number of attributes, the rest as defined."""
    losses = attribute_losses(marginals, node, figures, lost)
    mean, imprecision = MeanLoss(marginals, figures.rows), Imprecision(marginals, figures.rows)
    return {
        "loss": mean.published(mean.value(node, figures, lambda: lost)),
        "loss_by_attribute": {attribute.name: float(loss) for attribute, loss in zip(marginals, losses, strict=True)},
        "loss_sum": float(sum(losses)),
        "loss_kept": float(sum(kept_losses(marginals, node, figures, lost))),
        "granularity": 1 - float(sum(losses) / len(losses)),
        "precision": 1 - imprecision.published(imprecision.value(node, figures, lambda: lost)),
        "distortion": _distortion(marginals, node, figures),
        "discernibility": Discernibility(figures.rows).value(node, figures, lambda: lost),
        "discernibility_star": figures.squares,
        "average_class_size": figures.released / figures.released_classes if figures.released_classes else None,
        "entropy": Entropy(marginals).value(node, figures, lambda: lost),
    }


def _distortion(marginals: Sequence[Marginals], node: Node, figures: Figures) -> float | None:
    """None where a hierarchy does not say what its levels lose."""
    if any(attribute.losses is None for attribute in marginals):
        return None
    distortion = Distortion(marginals, figures.rows)
    return distortion.published(distortion.value(node, figures, tuple))

"""The objective that a search minimizes."""

from collections.abc import Callable, Sequence

from duckanon.choices import Aggregate, ObjectiveName
from duckanon.metrics.base import Objective as Objective
from duckanon.metrics.base import Value as Value
from duckanon.metrics.class_sizes import ClassSize, Discernibility
from duckanon.metrics.figures import Marginals
from duckanon.metrics.levels import Distortion, Imprecision
from duckanon.metrics.loss import GeometricMeanLoss, MaximumLoss, MeanLoss

_AGGREGATES: dict[Aggregate, Callable[[Sequence[Marginals], int], Objective]] = {
    "mean": MeanLoss,
    "geometric-mean": GeometricMeanLoss,
    "max": MaximumLoss,
}


def objective(
    name: ObjectiveName, aggregate: Aggregate, marginals: Sequence[Marginals], rows: int, least_rows: int
) -> Objective:
    """The objective of this name over N rows. The aggregate applies only to loss; no class has fewer than `least_rows`."""
    match name:
        case "loss":
            return _AGGREGATES[aggregate](marginals, rows)
        case "precision":
            return Imprecision(marginals, rows)
        case "discernibility":
            return Discernibility(rows)
        case "class-size":
            return ClassSize(rows, least_rows)
        case "distortion":
            return Distortion(marginals, rows)

"""The documents that say what a job would release, and what a node of the lattice would."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute, lattice_of, levels_of
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures
from duckanon.metrics.loss import MeanLoss
from duckanon.privacy.requirement import Requirement
from duckanon.risks.attackers import named, required_risk
from duckanon.search.count import Counted
from duckanon.search.evaluate import Evaluator

_MOST_GROUPS = 20

Document = dict[str, Any]


def decision(
    counted: Counted, figures: Figures, levels: Mapping[str, int], losses: Mapping[str, float], masked: int = 0, **others: Any
) -> Document:
    """What every decision has, besides others: the lattice, the levels, the loss of each column, and the classes; masked records form one."""
    heights = {attribute.name: attribute.height for attribute in counted.attributes}
    classes = figures.released_classes + bool(masked)
    return {
        "algorithm": counted.job.recoding.algorithm,
        "lattice": lattice_of(counted.attributes).size,
        "heights": heights,
        "rows": counted.rows,
        "limit": max(0, counted.limit),
        "levels": levels,
        "loss_by_column": [
            {"column": name, "loss": loss, "level": levels.get(name), "height": heights[name]} for name, loss in losses.items()
        ],
        "suppressed": figures.suppressed,
        "classes": classes,
        "smallest": min(filter(None, (figures.released_smallest, masked)), default=0),
        "average": (figures.released + masked) / max(1, classes),
        **others,
    }


def node_document(
    engine: Engine, evaluator: Evaluator, loss: MeanLoss, attributes: Sequence[Attribute], node: Node
) -> Document:
    """A node, with the figures that a run at its levels has; the smallest class is in what the job counts, rows or persons."""
    figures = evaluator.figures(node)
    smallest = figures.released_smallest
    if evaluator.requirement.counts_persons or evaluator.keep_suppressed_rows:
        [(smallest,)] = engine.query(render("lattice/smallest_released", **evaluator.parameters(node)))
    return {
        "value": evaluator.objective.published(evaluator.value(node)),
        "loss": loss.published(loss.value(node, figures, lambda: evaluator.lost(node))),
        "risk": 1 / int(smallest) if smallest else None,
        "suppressed": figures.suppressed,
        "classes": evaluator.shown_classes(node),
        "satisfies": evaluator.satisfies(node),
        "levels": levels_of(attributes, node),
    }


def risks(before: Mapping[str, Any], after: Mapping[str, Any] | None, requirement: Requirement) -> Document:
    """The prosecutor's risk, with the share of rows above the risk that k allows; without a k for all quasi-identifiers there is no threshold."""
    threshold = None if requirement.adversaries or requirement.k.k_column else required_risk(requirement.k.k)
    return {
        "threshold": None if threshold is None else float(threshold),
        "before": _risk_figures(before, threshold),
        "after": None if after is None else _risk_figures(after, threshold),
    }


def _risk_figures(risk: Mapping[str, Any], threshold: Fraction | None) -> Document:
    prosecutor = risk["prosecutor"]
    return {
        "highest": prosecutor["highest"],
        "average": prosecutor["average"],
        "at_risk": None if threshold is None else prosecutor["at_risk"][named(threshold)],
        "uniques": risk["uniques"],
    }


def group(column: str, value: str, rows: int, suppressed: int) -> Document:
    """A subgroup: the rows with a value or label, and those of them that are suppressed."""
    return {"column": column, "value": value, "rows": rows, "suppressed": suppressed, "share": suppressed / rows}


def largest(groups: Sequence[Document]) -> list[Document]:
    """The groups that lose the largest share of their rows."""
    return sorted(groups, key=lambda group: (-group["share"], -group["suppressed"]))[:_MOST_GROUPS]

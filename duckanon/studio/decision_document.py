"""The parts of the document that says what a job would release."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from duckanon.hierarchy.attributes import lattice_of
from duckanon.privacy.requirement import Requirement
from duckanon.risks.attackers import named, required_risk
from duckanon.search.count import Counted

_MOST_GROUPS = 20

Document = dict[str, Any]


def common(counted: Counted, *, is_feasible: bool, message: str) -> Document:
    """What every decision has: whether a release is possible, the size of the lattice, and the rows."""
    return {
        "feasible": is_feasible,
        "message": message,
        "algorithm": counted.job.recoding.algorithm,
        "lattice": lattice_of(counted.attributes).size,
        "heights": {attribute.name: attribute.height for attribute in counted.attributes},
        "rows": counted.rows,
        "limit": max(0, counted.limit),
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

"""The nodes that a search visited; they are saved beside the release and in a workspace, so that `explain` can read them."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from duckanon.lattice import Node
from duckanon.search.full_domain import FullDomainResult


@dataclass(frozen=True)
class Visit:
    """A node that the search visited, with its figures."""

    node: Node
    classes: int
    smallest: int
    suppressed: int
    """Suppressed rows; a lower bound if `is_counted` is false."""
    value: float | None
    """Value of the objective, if the search computed it."""
    at_least: float
    """A lower bound of the objective."""
    satisfies: bool | None
    """None if the search judged only the quasi-identifiers and did not need the rest."""
    is_chosen: bool
    is_counted: bool = True
    """Whether the figures are under the whole requirement; otherwise only under its models on quasi-identifiers."""
    released_classes: int | None = None
    """The classes of the release, if the figures are counted; files of earlier versions do not have them."""


def visits_of(searched: FullDomainResult) -> list[Visit]:
    """The visits of a search in their order; computes nothing that the search did not compute."""
    evaluator, objective = searched.evaluator, searched.evaluator.objective
    visits = []
    for node, figures in evaluator.visited.items():
        value = evaluator.known_value(node)
        visits.append(
            Visit(
                node,
                figures.classes,
                figures.smallest,
                figures.suppressed,
                None if value is None else objective.published(value),
                objective.published(objective.floor(node)),
                evaluator.known_verdict(node),
                node == searched.node,
                evaluator.is_counted(node),
                evaluator.shown_classes(node) if evaluator.is_counted(node) else None,
            )
        )
    return visits


def write_visits(path: Path, visits: Sequence[Visit]) -> None:
    """Write each visit as a list of its figures in the order of `Visit`."""
    path.write_text(json.dumps([astuple(visit) for visit in visits]), encoding="utf-8")


def read_visits(path: Path) -> list[Visit]:
    """Read a file of `write_visits`."""
    return [Visit(tuple(node), *figures) for node, *figures in json.loads(path.read_text(encoding="utf-8"))]

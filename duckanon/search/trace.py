"""The nodes that a search visited: kept beside a release, so that it can be explained, and in a workspace."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from duckanon.lattice import Node
from duckanon.search.full_domain import FullDomainResult


@dataclass(frozen=True)
class Visit:
    """A node that the search visited, and what is known of it."""

    node: Node
    classes: int
    smallest: int
    suppressed: int
    """Rows; no fewer, where `is_counted` is false."""
    value: float | None
    """Of the objective, where the search asked for it."""
    at_least: float
    """The objective's value is no less."""
    satisfies: bool | None
    """None where the search looked at the quasi-identifiers alone, and could leave the rest open."""
    is_chosen: bool
    is_counted: bool = True
    """Whether its figures are under all that is required, or under what it requires of quasi-identifiers alone."""


def visits_of(searched: FullDomainResult) -> list[Visit]:
    """The visits of a search, in their order; asks for nothing that the search did not."""
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
            )
        )
    return visits


def write_visits(path: Path, visits: Sequence[Visit]) -> None:
    """A list a visit, its figures in the order of `Visit`."""
    path.write_text(json.dumps([astuple(visit) for visit in visits]), encoding="utf-8")


def read_visits(path: Path) -> list[Visit]:
    """What `write_visits` wrote."""
    return [Visit(tuple(node), *figures) for node, *figures in json.loads(path.read_text(encoding="utf-8"))]

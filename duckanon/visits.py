"""The nodes that a search visited, as a relation."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from duckanon.counting import Counted
from duckanon.engine.protocol import Engine
from duckanon.lattice import Node
from duckanon.metrics.loss import MeanLoss
from duckanon.searching import Searched
from duckanon.templates import render

Losses = Literal["known", "satisfying", "all"]
"""Of which nodes the loss is told: where the search asked for it, where the node satisfies, or of all."""


def load_lattice(engine: Engine, counted: Counted, searched: Searched, *, losses: Losses) -> None:
    """Makes `lattice`, one row per node visited, with its objective's value where it is known, and what it is at the least."""
    attributes, evaluator = counted.attributes, searched.evaluator
    loss, objective = MeanLoss(counted.marginals, counted.rows), evaluator.objective

    def lost(node: Node) -> float | None:
        known = evaluator.known_value(node)
        if isinstance(objective, MeanLoss) and known is not None:
            return loss.published(known)
        if losses == "known" or (losses == "satisfying" and not evaluator.satisfies(node)):
            return None
        return loss.published(loss.value(node, evaluator.figures(node), lambda: evaluator.lost(node)))

    visits = []
    for number, (node, figures) in enumerate(list(evaluator.visited.items()), start=1):
        value = evaluator.known_value(node)
        visits.append(
            {attribute.name: level for attribute, level in zip(attributes, node, strict=True)}
            | {
                "_height": sum(node),
                "_classes": figures.classes,
                "_smallest": figures.smallest,
                "_suppressed": figures.suppressed,
                "_loss": lost(node),
                "_objective": None if value is None else objective.published(value),
                "_at_least": objective.published(objective.floor(node)),
                "_verdict": "satisfies" if evaluator.satisfies(node) else "fails",
                "_chosen": node == searched.node,
                "_visit": number,
            }
        )
    schema = dict[str, type](
        **dict.fromkeys([attribute.name for attribute in attributes], int),
        _height=int,
        _classes=int,
        _smallest=int,
        _suppressed=int,
        _loss=float,
        _objective=float,
        _at_least=float,
        _verdict=str,
        _chosen=bool,
        _visit=int,
    )
    engine.load("lattice", visits, schema)


@dataclass(frozen=True)
class Visit:
    """A node that the search visited, and what is known of it."""

    node: Node
    classes: int
    smallest: int
    suppressed: int
    value: float | None
    """Of the objective, where the search asked for it."""
    at_least: float
    """The objective's value is no less."""
    satisfies: bool
    is_chosen: bool


def read_lattice(engine: Engine, file: Path, names: Sequence[str]) -> list[Visit]:
    """The nodes that a frozen recoding keeps, in the order of the visits."""
    rows = engine.query(render("lattice/frozen_visits", path=str(file), columns=list(names)))
    return [Visit(tuple(map(int, row[: len(names)])), *row[len(names) :]) for row in rows]

"""Kept columns that give a quasi-identifier away: education-num beside generalized education, relationship beside sex."""

from collections.abc import Sequence
from dataclasses import dataclass

from duckanon.combinations import Attribute
from duckanon.engine.protocol import Column, Engine
from duckanon.lattice import Node
from duckanon.templates import render

_CERTAIN = 0.95
_OVERALL_GAIN = 2
_GAIN = 5
_CHANCE = 0.01
_NOTABLE = 0.10
_MOST_ROWS = 1_000_000


@dataclass(frozen=True)
class Giveaway:
    """A kept column from which a finer value of a quasi-identifier follows, for such a share of the rows."""

    column: str
    quasi_identifier: str
    share: float
    is_estimate: bool

    def __str__(self) -> str:
        about = "about " if self.is_estimate else ""
        return f"{self.column!r} gives {self.quasi_identifier!r} away, for {about}{self.share:.0%} of the rows"


def giveaways(engine: Engine, attributes: Sequence[Attribute], node: Node, kept: Sequence[Column], rows: int) -> list[Giveaway]:
    """The kept columns that say more of a generalized quasi-identifier than the release does.

    Looks one level below the released one, since whatever tells a still finer value tells that too.
    A column gives it away where it foretells it for at least 95 % of the rows, or tells it with that
    certainty for at least 10 % of them, and the released label alone does not. Each row is foretold
    from the others of its group, so that values of a single row say nothing, and a group says nothing that
    it might say by chance. Above a million rows, a
    sample of a million is judged.
    """
    generalized = [
        {"name": attribute.name, "level": level} for attribute, level in zip(attributes, node, strict=True) if level > 0
    ]
    if not generalized or not kept:
        return []
    names = [column.name for column in kept]
    is_sampled = rows > _MOST_ROWS
    statement = render(
        "release/giveaways",
        kept=names,
        quasi_identifiers=generalized,
        rows=_MOST_ROWS if is_sampled else None,
        certain=_CERTAIN,
        gain=_GAIN,
        chance=_CHANCE,
    )
    judged = min(rows, _MOST_ROWS)
    found = []
    for column, qi, repeated, known, expected, given_away in engine.query(
        statement, stage="looking for columns that give others away"
    ):
        share = float(given_away) / judged
        foretold = known >= _CERTAIN > expected and (1 - known) * _OVERALL_GAIN <= 1 - expected and repeated > judged * _NOTABLE
        if foretold or share >= _NOTABLE:
            share = max(share, float(known) * float(repeated) / judged if foretold else 0.0)
            found.append(Giveaway(names[column], str(generalized[qi]["name"]), share, is_sampled))
    return found

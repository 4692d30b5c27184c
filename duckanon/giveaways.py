"""Kept columns that give a quasi-identifier away: education-num beside generalized education, relationship beside sex."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.combinations import Attribute
from duckanon.engine.protocol import Column, Engine
from duckanon.lattice import Node
from duckanon.templates import render

_CERTAIN = 0.95
_OVERALL_GAIN = 2
_GAIN = 5
_CHANCE = 0.01
_BINS = 100
_NOTABLE = 0.10
_MOST_ROWS = 300_000


@dataclass(frozen=True)
class Hidden:
    """A quasi-identifier of which rows show one level and must not tell a finer one."""

    name: str
    level: int
    finer: int


def generalized(attributes: Sequence[Attribute], node: Node) -> list[Hidden]:
    """What the released levels hide: the next finer level, since whatever tells a still finer value tells that too."""
    return [Hidden(a.name, level, level - 1) for a, level in zip(attributes, node, strict=True) if level > 0]


def starred(attributes: Sequence[Attribute], node: Node) -> list[Hidden]:
    """What starred rows hide: the labels that the other rows show."""
    return [Hidden(a.name, a.height, level) for a, level in zip(attributes, node, strict=True) if level < a.height]


def ranges(attributes: Sequence[Attribute], is_generalized: Sequence[bool]) -> list[Hidden]:
    """What a recoding by regions hides: on each level that some row may show, the next finer one."""
    return [
        Hidden(attribute.name, level, level - 1)
        for attribute, is_hidden in zip(attributes, is_generalized, strict=True)
        if is_hidden
        for level in range(attribute.min_level + 1, attribute.height + 1)
    ]


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


def giveaways(
    engine: Engine, kept: Sequence[Column], hidden: Sequence[Hidden], rows: int, *, exempt: Mapping[str, str] | None = None
) -> list[Giveaway]:
    """The kept columns that say more of a quasi-identifier than the release does; `exempt` pairs are not judged.

    A column gives it away where it foretells the finer label for at least 95 % of the rows, or tells it with that
    certainty for at least 10 % of them, and the released label alone does not. Each row is foretold
    from the others of its group, so that values of a single row say nothing, and a group says nothing that
    it might say by chance. Numbers and dates are judged in a hundred parts of equal size too. Above 300,000 rows, a
    sample of about as many is judged, the same one whenever the rows are the same.
    """
    if not hidden or not kept:
        return []
    judged: list[dict[str, Any]] = [{"name": column.name, "bins": None} for column in kept]
    judged += [{"name": column.name, "bins": _BINS} for column in kept if column.is_number or column.is_date]
    about = {"kept": judged, "quasi_identifiers": hidden}
    percent = f"{100 * _MOST_ROWS / rows:.6f}" if rows > _MOST_ROWS else None
    stage = "looking for columns that give others away"
    engine.create_table(render("source/sampled_records", **about, percent=percent), stage)
    statement = render("release/giveaways", **about, certain=_CERTAIN, gain=_GAIN, chance=_CHANCE)
    looked_at = min(rows, _MOST_ROWS)
    found: dict[tuple[str, str], Giveaway] = {}
    for number, qi, repeated, known, expected, given_away in engine.query(statement, stage):
        name, attribute = str(judged[number]["name"]), hidden[qi].name
        share = float(given_away) / looked_at
        foretold = known >= _CERTAIN > expected and (1 - known) * _OVERALL_GAIN <= 1 - expected
        if foretold and repeated > looked_at * _NOTABLE:
            share = max(share, float(known) * float(repeated) / looked_at)
        if share >= _NOTABLE and (exempt or {}).get(name) != attribute:
            found.setdefault((name, attribute), Giveaway(name, attribute, share, rows > _MOST_ROWS))
    engine.drop("sampled_records")
    return list(found.values())

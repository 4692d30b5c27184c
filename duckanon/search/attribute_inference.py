"""Kept columns that give a quasi-identifier away: education-num beside generalized education, relationship beside sex."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node
from duckanon.search.sample import STAGE, Sample

_CERTAIN = 0.95
_OVERALL_GAIN = 2
_GAIN = 5
_CHANCE = 0.01
_BINS = 100
_NOTABLE = 0.10
_PAIRS_AT_ONCE = 60
"""Pairs that one statement judges: to plan it costs the square of them."""


@dataclass(frozen=True)
class Hidden:
    """A quasi-identifier of which rows show one level and must not tell a finer one."""

    name: str
    level: int
    finer: int


def generalized(attributes: Sequence[Attribute], node: Node) -> list[Hidden]:
    """What the released levels hide: every finer one, since the next may part the values hardly more than what is released."""
    return [
        Hidden(a.name, level, finer) for a, level in zip(attributes, node, strict=True) for finer in range(level - 1, -1, -1)
    ]


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
    sample: Sample, kept: Sequence[Column], hidden: Sequence[Hidden], *, exempt: Mapping[str, str] | None = None
) -> list[Giveaway]:
    """The kept columns that say more of a quasi-identifier than the release does; `exempt` pairs are not judged.

    A column gives it away where it foretells the finer label for at least 95 % of the rows, or tells it with that certainty for
    at least 10 % of them, and the released label alone does not. Each row is foretold from the others of its group, so that
    values of a single row say nothing, and a group says nothing that it might say by chance. Numbers and dates are judged in a
    hundred parts of equal size too, and shifted dates in these alone. Above 300,000 rows, a sample of about as many is judged,
    the same one whenever the rows are the same.
    """
    if not hidden or not kept:
        return []
    known = [column for column in kept if not sample.is_moved(column.name)]
    judged: list[dict[str, Any]] = [
        {"name": column.name, "bins": None, "is_text": column.is_text, "holds_numbers": False} for column in known
    ]
    judged += [
        {"name": column.name, "bins": _BINS, "is_text": False, "holds_numbers": column.holds_numbers}
        for column in kept
        if column.is_numeric or column.is_date
    ]
    judged = [column | {"number": number} for number, column in enumerate(judged)]
    sample.take(judged, [attribute.name for attribute in hidden])
    looked_at = sample.looked_at
    results: dict[tuple[str, str], Giveaway] = {}
    for number, qi, repeated, predicted, expected, given_away in _predictions(sample, judged, hidden):
        name, attribute = str(judged[number]["name"]), hidden[qi].name
        share = float(given_away) / looked_at
        foretold = predicted >= _CERTAIN > expected and (1 - predicted) * _OVERALL_GAIN <= 1 - expected
        if foretold and repeated > looked_at * _NOTABLE:
            share = max(share, float(predicted) * float(repeated) / looked_at)
        if share >= _NOTABLE and (exempt or {}).get(name) != attribute:
            results.setdefault((name, attribute), Giveaway(name, attribute, share, sample.is_estimate))
    return list(results.values())


def _predictions(sample: Sample, judged: Sequence[Mapping[str, Any]], hidden: Sequence[Hidden]) -> Iterator[tuple[Any, ...]]:
    """What each kept column tells of each quasi-identifier, a statement for every so many pairs."""
    at_once = max(1, _PAIRS_AT_ONCE // len(hidden))
    limits = {"certain": _CERTAIN, "gain": _GAIN, "chance": _CHANCE}
    for start in range(0, len(judged), at_once):
        kept = judged[start : start + at_once]
        yield from sample.engine.query(render("release/giveaways", kept=kept, quasi_identifiers=hidden, **limits), STAGE)

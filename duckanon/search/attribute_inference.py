"""Attribute inference: retained columns that disclose a quasi-identifier, such as education-num beside generalized education."""

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
_COLUMNS_AT_ONCE = 16
"""The most retained columns that one statement judges: it holds a row for each row of the sample and each of them."""


@dataclass(frozen=True)
class Hidden:
    """A quasi-identifier that the release shows at `level`; other columns must not disclose `finer`."""

    name: str
    level: int
    finer: int


def generalized(attributes: Sequence[Attribute], node: Node) -> list[Hidden]:
    """All levels below the released ones, because the next lower level may hardly separate the values further."""
    return [
        Hidden(a.name, level, finer) for a, level in zip(attributes, node, strict=True) for finer in range(level - 1, -1, -1)
    ]


def masked(attributes: Sequence[Attribute], node: Node) -> list[Hidden]:
    """What masked records hide: the labels that the other records show."""
    return [Hidden(a.name, a.height, level) for a, level in zip(attributes, node, strict=True) if level < a.height]


def ranges(attributes: Sequence[Attribute], is_generalized: Sequence[bool]) -> list[Hidden]:
    """What local recoding hides: for each level that a row may show, the next lower level."""
    return [
        Hidden(attribute.name, level, level - 1)
        for attribute, is_hidden in zip(attributes, is_generalized, strict=True)
        if is_hidden
        for level in range(attribute.min_level + 1, attribute.height + 1)
    ]


@dataclass(frozen=True)
class Disclosure:
    """A retained column that discloses a finer value of a quasi-identifier, for a share of the rows."""

    column: str
    quasi_identifier: str
    share: float
    is_estimate: bool

    def __str__(self) -> str:
        about = "about " if self.is_estimate else ""
        return f"{self.column!r} discloses {self.quasi_identifier!r} for {about}{self.share:.0%} of the rows"


def disclosures(
    sample: Sample, kept: Sequence[Column], hidden: Sequence[Hidden], *, exempt: Mapping[str, str] | None = None
) -> list[Disclosure]:
    """Find retained columns that disclose more of a quasi-identifier than the release shows; pairs in `exempt` are skipped.

    A column discloses a quasi-identifier if it predicts the finer label for at least 95% of the rows, or predicts it with that
    certainty for at least 10% of the rows, and the released label does not. Each row is predicted from the other rows of its group,
    so a unique value predicts nothing; predictions that chance explains do not count. Numbers and dates are also judged in 100
    bins of equal size; shifted dates only in these bins. Above 300,000 rows, a sample of about 300,000 rows is judged; the
    same rows always give the same sample.
    """
    if not hidden or not kept:
        return []
    known = [column for column in kept if not sample.is_moved(column.name)]
    judged: list[dict[str, Any]] = [
        {"name": column.name, "bins": None, "is_text": column.is_text, "is_nested": column.is_nested, "holds_numbers": False}
        for column in known
    ]
    judged += [
        {"name": column.name, "bins": _BINS, "is_text": False, "holds_numbers": column.holds_numbers}
        for column in kept
        if column.is_numeric or column.is_date
    ]
    judged = [column | {"number": number} for number, column in enumerate(judged)]
    sample.take(judged, _names(hidden))
    looked_at = sample.looked_at
    results: dict[tuple[str, str], Disclosure] = {}
    for number, label, repeated, predicted, expected, disclosed in _predictions(sample, judged, hidden):
        name, attribute = str(judged[number]["name"]), hidden[label].name
        share = float(disclosed) / looked_at
        is_predicted = predicted >= _CERTAIN > expected and (1 - predicted) * _OVERALL_GAIN <= 1 - expected
        if is_predicted and repeated > looked_at * _NOTABLE:
            share = max(share, float(predicted) * float(repeated) / looked_at)
        if share >= _NOTABLE and (exempt or {}).get(name) != attribute:
            results.setdefault((name, attribute), Disclosure(name, attribute, share, sample.is_estimate))
    return list(results.values())


def _predictions(sample: Sample, judged: Sequence[Mapping[str, Any]], hidden: Sequence[Hidden]) -> Iterator[tuple[Any, ...]]:
    """How well each retained column predicts each hidden label, in statements of limited size."""
    names = _names(hidden)
    about = {
        "hidden": [vars(label) | {"number": names.index(label.name)} for label in hidden],
        "quasi_identifiers": names,
        "most": _COLUMNS_AT_ONCE,
        "certain": _CERTAIN,
        "gain": _GAIN,
        "chance": _CHANCE,
    }
    for start in range(0, len(judged), _COLUMNS_AT_ONCE):
        kept = judged[start : start + _COLUMNS_AT_ONCE]
        yield from sample.engine.query(render("release/disclosures", kept=kept, **about), STAGE)


def _names(hidden: Sequence[Hidden]) -> list[str]:
    """The quasi-identifiers, each once."""
    return list(dict.fromkeys(label.name for label in hidden))

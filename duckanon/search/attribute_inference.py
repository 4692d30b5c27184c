"""Attribute inference: retained columns that disclose a quasi-identifier, such as education-num beside generalized education."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node
from duckanon.search.dependencies import JudgedSet, pairs, parts, row_counts, value_counts
from duckanon.search.sample import STAGE, Sample

_CERTAIN = 0.95
_OVERALL_GAIN = 2
_GAIN = 5
_CHANCE = 0.01
_BINS = 100
_NOTABLE = 0.10
_COLUMNS_AT_ONCE = 16
"""The most columns, parts or pairs that one statement judges: it holds a row for each row of the sample and each of them."""


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
    other: str | None = None
    """The retained column together with which it discloses."""
    is_part: bool = False

    def __str__(self) -> str:
        about = "about " if self.is_estimate else ""
        how = " in a part of its values" if self.is_part else f" together with {self.other!r}" if self.other else ""
        return f"{self.column!r} discloses {self.quasi_identifier!r}{how} for {about}{self.share:.0%} of the rows"


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
    sets = [((str(column["name"]),), [{"number": column["number"], "part": None}]) for column in judged]
    results: dict[tuple[str, str], Disclosure] = {}
    for (name,), attribute, share in _disclosed(sample, judged, sets, hidden):
        if (exempt or {}).get(name) != attribute:
            results.setdefault((name, attribute), Disclosure(name, attribute, share, sample.is_estimate))
    return list(results.values())


def hidden_disclosures(
    sample: Sample, kept: Sequence[Column], hidden: Sequence[Hidden], known: Sequence[Disclosure], *, exempt: Mapping[str, str]
) -> list[Disclosure]:
    """Find columns that disclose by a part of their values (the year in `P1954-000123`, a field of a struct), or two that disclose together.

    Parts are those of `parts_of`, of columns whose values hardly repeat; pairs are those of the first 24 columns whose values do.
    Columns that disclose by themselves are `known`. The rules are those of `disclosures`; since parts and pairs are many, chance must
    explain no more than one in a hundred such tables.
    """
    shown = [column for column in kept if not sample.is_moved(column.name)]
    if not hidden or not shown:
        return []
    judged: list[dict[str, Any]] = [
        {"number": number, "name": c.name, "bins": None, "is_text": c.is_text, "is_nested": c.is_nested, "holds_numbers": False}
        for number, c in enumerate(shown)
    ]
    sample.take(judged, _names(hidden))
    numbers = {column.name: number for number, column in enumerate(shown)}
    rows, _ = row_counts(sample, [0])
    values = value_counts(sample, [{"number": number, "part": None} for number in numbers.values()])
    sets = [*parts(sample, shown, numbers, rows, values), *pairs(shown, numbers, rows, values)]
    alone = {(each.column, each.quasi_identifier) for each in known}
    results: dict[tuple[tuple[str, ...], str], Disclosure] = {}
    for names, attribute, share in _disclosed(sample, judged, sets, hidden, tests=len(sets) * len(hidden)):
        if not any((name, attribute) in alone or exempt.get(name) == attribute for name in names):
            *others, name = names
            disclosure = Disclosure(name, attribute, share, sample.is_estimate, others[0] if others else None, not others)
            results.setdefault((names, attribute), disclosure)
            alone.update([(name, attribute)] if not others else [])
    return list(results.values())


def _disclosed(
    sample: Sample, judged: Sequence[Mapping[str, Any]], sets: Sequence[JudgedSet], hidden: Sequence[Hidden], tests: int = 0
) -> Iterator[tuple[tuple[str, ...], str, float]]:
    """Yield each set, and the quasi-identifier that it discloses for a share of the rows.

    With a number of `tests`, groups of rows that agree by chance do not count: some of so many tests find them in any table.
    """
    looked_at = sample.looked_at
    for number, label, repeated, predicted, expected, disclosed, *groups in _predictions(sample, judged, sets, hidden):
        all_groups, certain, chance, disclosed_groups, disclosed_chance = groups
        share = float(disclosed) / looked_at
        if tests and _is_chance(all_groups, disclosed_groups, disclosed_chance, tests):
            share = 0.0
        is_predicted = predicted >= _CERTAIN > expected and (1 - predicted) * _OVERALL_GAIN <= 1 - expected
        is_predicted = is_predicted and not (tests and _is_chance(all_groups, certain, chance, tests))
        if is_predicted and repeated > looked_at * _NOTABLE:
            share = max(share, float(predicted) * float(repeated) / looked_at)
        if share >= _NOTABLE:
            yield sets[number][0], hidden[label].name, share


def _is_chance(groups: int, agreeing: int, chance: float, tests: int) -> bool:
    """Whether so many of the groups agree by chance in one of a number of tests: the union bound over the choices of these groups."""
    choices = math.lgamma(groups + 1) - math.lgamma(agreeing + 1) - math.lgamma(groups - agreeing + 1)
    return choices + float(chance) > math.log(_CHANCE / tests)


def _predictions(
    sample: Sample, judged: Sequence[Mapping[str, Any]], sets: Sequence[JudgedSet], hidden: Sequence[Hidden]
) -> Iterator[tuple[Any, ...]]:
    """How well each set of retained columns or of their parts predicts each hidden label, in statements of limited size."""
    names = _names(hidden)
    about = {
        "hidden": [vars(label) | {"number": names.index(label.name)} for label in hidden],
        "quasi_identifiers": names,
        "most": _COLUMNS_AT_ONCE,
        "certain": _CERTAIN,
        "gain": _GAIN,
        "chance": _CHANCE,
    }
    for start in range(0, len(sets), _COLUMNS_AT_ONCE):
        batch = [columns for _, columns in sets[start : start + _COLUMNS_AT_ONCE]]
        columns = [judged[number] for number in sorted({column["number"] for columns in batch for column in columns})]
        for number, *predicted in sample.engine.query(
            render("release/disclosures", columns=columns, sets=batch, **about), STAGE
        ):
            yield start + int(number), *predicted


def _names(hidden: Sequence[Hidden]) -> list[str]:
    """The quasi-identifiers, each once."""
    return list(dict.fromkeys(label.name for label in hidden))

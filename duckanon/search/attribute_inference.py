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
from duckanon.search.sample import STAGE, Sample, as_they_are

RELEASED = "released_sample"
_CERTAIN = 0.95
_DETERMINED = 0.99
_OVERALL_GAIN = 2
_GAIN = 5
_CHANCE = 0.01
_BINS = 100
_NOTABLE = 0.10
_COLUMNS_AT_ONCE = 16
"""The most columns, parts or pairs that one statement judges: it holds a row for each row of the sample and each of them."""


@dataclass(frozen=True)
class Hidden:
    """A label of a quasi-identifier that other columns must not disclose beside the released label, or beside that at `level`."""

    name: str
    finer: int
    level: int | None = None


def finer_labels(attributes: Sequence[Attribute], tops: Sequence[int]) -> list[Hidden]:
    """All levels below the highest that a row shows, because the next lower level may hardly separate the values further."""
    return [Hidden(a.name, finer) for a, top in zip(attributes, tops, strict=True) for finer in range(top - 1, -1, -1)]


def masked(attributes: Sequence[Attribute], node: Node) -> list[Hidden]:
    """What masked records hide: the labels that the other records show."""
    return [Hidden(a.name, level, a.height) for a, level in zip(attributes, node, strict=True) if level < a.height]


def ranges(attributes: Sequence[Attribute], is_generalized: Sequence[bool]) -> list[Hidden]:
    """What local recoding hides: for each level that a row may show, the next lower level."""
    return [
        Hidden(attribute.name, level - 1, level)
        for attribute, is_hidden in zip(attributes, is_generalized, strict=True)
        if is_hidden
        for level in range(attribute.min_level + 1, attribute.height + 1)
    ]


@dataclass(frozen=True)
class Labels:
    """How the rows of a sample get their released labels."""

    quasi_identifiers: tuple[str, ...]
    linked: Mapping[str, str]
    """Linked columns, with their quasi-identifier: a value is shown only if the quasi-identifier shows its value."""
    params: Mapping[str, Any]
    """Parameters of the templates that label rows."""


@dataclass(frozen=True)
class Disclosure:
    """A retained column that discloses a finer value of a quasi-identifier than the released label, for a share of the released rows."""

    column: str
    hidden: Hidden
    share: float
    is_estimate: bool
    other: str | None = None
    """The retained column together with which it discloses."""
    is_part: bool = False

    @property
    def quasi_identifier(self) -> str:
        return self.hidden.name

    @property
    def what(self) -> str:
        """What discloses what."""
        how = " in a part of its values" if self.is_part else f" together with {self.other!r}" if self.other else ""
        return f"{self.column!r} discloses {self.quasi_identifier!r}{how}"

    def __str__(self) -> str:
        return f"{self.what} for {'about ' if self.is_estimate else ''}{self.share:.0%} of the rows"


def disclosures(sample: Sample, kept: Sequence[Column], hidden: Sequence[Hidden], labels: Labels) -> list[Disclosure]:
    """Find retained columns that disclose more of a quasi-identifier than the released labels show.

    A column discloses a quasi-identifier if it predicts the finer label of at least 95% of the rows whose released label leaves it open, and
    these are 10% of the rows, or predicts it with that certainty for at least 10% of the rows. Each row is predicted from the other rows with the
    same released label and the same value, so a unique value predicts nothing; predictions that chance explains do not count.
    Numbers and dates are also judged in 100 bins of equal size; shifted dates only in these bins. Above 300,000 rows, a sample of
    about 300,000 rows is judged; the same rows always give the same sample.

    Labels with a level are hidden in few rows perhaps: a column that predicts 99% of all rows has the share 0, and the
    caller decides whether that harms the rows in which they are hidden.
    """
    if not hidden or not kept:
        return []
    evaluated = as_they_are(column for column in kept if not sample.is_moved(column.name))
    evaluated += [
        {"name": column.name, "bins": _BINS, "is_text": False, "holds_numbers": column.holds_numbers}
        for column in kept
        if column.is_numeric or column.is_date
    ]
    rows = _take(sample, evaluated, labels)
    sets = [((str(column["name"]),), [{"number": number, "part": None}]) for number, column in enumerate(evaluated)]
    results: dict[tuple[str, str], Disclosure] = {}
    for (name,), label, share in _disclosed(sample, evaluated, sets, hidden, labels, rows):
        _add(results, (name, label.name), Disclosure(name, label, share, sample.is_estimate))
    return list(results.values())


def hidden_disclosures(
    sample: Sample, kept: Sequence[Column], hidden: Sequence[Hidden], known: Sequence[Disclosure], labels: Labels
) -> list[Disclosure]:
    """Find columns that disclose by a part of their values (the year in `P1954-000123`, a field of a struct), or two that disclose together.

    Parts are those of `parts_of`, of columns whose values hardly repeat; pairs are those of the first 24 columns whose values do.
    Columns that disclose by themselves are `known`. The rules are those of `disclosures`; since parts and pairs are many, chance must
    explain no more than one in a hundred such tables.
    """
    shown = [column for column in kept if not sample.is_moved(column.name)]
    if not hidden or not shown:
        return []
    evaluated = as_they_are(shown)
    released = _take(sample, evaluated, labels)
    numbers = {column.name: number for number, column in enumerate(shown)}
    rows, _ = row_counts(sample, [0])
    values = value_counts(sample, [{"number": number, "part": None} for number in numbers.values()])
    sets = [*parts(sample, shown, numbers, rows, values), *pairs(shown, numbers, rows, values)]
    alone = {(each.column, each.quasi_identifier) for each in known}
    results: dict[tuple[tuple[str, ...], str], Disclosure] = {}
    for names, label, share in _disclosed(sample, evaluated, sets, hidden, labels, released, tests=len(sets) * len(hidden)):
        if not any((name, label.name) in alone for name in names):
            *others, name = names
            disclosure = Disclosure(name, label, share, sample.is_estimate, others[0] if others else None, not others)
            _add(results, (names, label.name), disclosure)
            alone.update([(name, label.name)] if not others else [])
    return list(results.values())


def take_all(sample: Sample, labels: Labels, entity: Column | None) -> int:
    """Build the sample of all rows, with their persons, for `rows_below`; returns its released rows."""
    return _take(sample, as_they_are(() if entity is None else [entity]), labels, all_rows=True)


def rows_below(sample: Sample, labels: Labels, known: Sequence[str], hidden: Hidden, k: int | None, *, of_persons: bool) -> int:
    """The rows in classes of fewer than k, or of classes that are split if k is None, for an adversary who sees a finer label too."""
    numbers = [labels.quasi_identifiers.index(name) for name in known]
    about = {
        "known": numbers,
        "number": labels.quasi_identifiers.index(hidden.name),
        "name": hidden.name,
        "level": hidden.finer,
    }
    [(rows,)] = sample.engine.query(render("release/disclosed_sizes", k=k, of_persons=of_persons, **about), STAGE)
    return int(rows)


def _add(results: dict[Any, Disclosure], key: Any, disclosure: Disclosure) -> None:
    """Keep the largest share of each."""
    if key not in results or results[key].share < disclosure.share:
        results[key] = disclosure


def _take(sample: Sample, evaluated: Sequence[Mapping[str, Any]], labels: Labels, *, all_rows: bool = False) -> int:
    """Build the sample with the released labels; returns its released rows."""
    sample.take(evaluated, labels.quasi_identifiers, all_rows=all_rows)
    numbers = {name: number for number, name in enumerate(labels.quasi_identifiers)}
    columns = [
        {"number": number, "leader": numbers.get(labels.linked.get(each["name"], ""))} for number, each in enumerate(evaluated)
    ]
    about = {**labels.params, "quasi_identifiers": labels.quasi_identifiers, "columns": columns}
    return sample.engine.create_table(render(f"release/{RELEASED}", **about), STAGE)


def _disclosed(
    sample: Sample,
    evaluated: Sequence[Mapping[str, Any]],
    sets: Sequence[JudgedSet],
    hidden: Sequence[Hidden],
    labels: Labels,
    rows: int,
    tests: int = 0,
) -> Iterator[tuple[tuple[str, ...], Hidden, float]]:
    """Yield each set, and the label that it discloses for a share of the released rows.

    With a number of `tests`, groups of rows that agree by chance do not count: some of so many tests find them in any table.
    """
    for number, label, repeated, predicted, expected, disclosed, *groups in _predictions(
        sample, evaluated, sets, hidden, labels
    ):
        all_groups, certain, chance, disclosed_groups, disclosed_chance = groups
        is_assumed = hidden[label].level is not None
        share = 0.0 if is_assumed else float(disclosed) / rows
        if tests and _is_chance(all_groups, disclosed_groups, disclosed_chance, tests):
            share = 0.0
        is_predicted = (
            predicted >= (_DETERMINED if is_assumed else _CERTAIN) and (1 - predicted) * _OVERALL_GAIN <= 1 - expected
        )
        is_predicted = is_predicted and not _is_chance(all_groups, certain, chance, max(1, tests))
        if is_predicted and repeated > rows * _NOTABLE:
            share = max(share, float(predicted) * float(repeated) / rows)
        if share >= _NOTABLE:
            yield sets[number][0], hidden[label], 0.0 if is_assumed else share


def _is_chance(groups: int, agreeing: int, chance: float, tests: int) -> bool:
    """Whether so many of the groups agree by chance in one of a number of tests: the union bound over the choices of these groups."""
    choices = math.lgamma(groups + 1) - math.lgamma(agreeing + 1) - math.lgamma(groups - agreeing + 1)
    return choices + float(chance) > math.log(_CHANCE / tests)


def _predictions(
    sample: Sample, evaluated: Sequence[Mapping[str, Any]], sets: Sequence[JudgedSet], hidden: Sequence[Hidden], labels: Labels
) -> Iterator[tuple[Any, ...]]:
    """How well each set of retained columns or of their parts predicts each hidden label, in statements of limited size."""
    evaluated_labels = [vars(label) | {"number": labels.quasi_identifiers.index(label.name)} for label in hidden]
    about = {
        "hidden": evaluated_labels,
        "numbers": sorted({label["number"] for label in evaluated_labels}),
        "most": _COLUMNS_AT_ONCE,
        "certain": _CERTAIN,
        "gain": _GAIN,
        "chance": _CHANCE,
    }
    for start in range(0, len(sets), _COLUMNS_AT_ONCE):
        batch = [columns for _, columns in sets[start : start + _COLUMNS_AT_ONCE]]
        numbers = sorted({column["number"] for columns in batch for column in columns})
        columns = [{**evaluated[number], "number": number} for number in numbers]
        for number, *predicted in sample.engine.query(
            render("release/disclosures", columns=columns, sets=batch, **about), STAGE
        ):
            yield start + int(number), *predicted

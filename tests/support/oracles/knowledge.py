"""An adversary who knows the quasi-identifiers of persons, and everything in the source that follows from them.

It reads the source and the written file as rows of Python, and no figure of duckanon. The file must be in the order of the source
(`shuffle=False`), so that each record of the file is known to be of a person.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf, log
from typing import Any

Row = Mapping[str, Any]
CHANCE = 1e-9
"""A dependency that holds by chance less often than this is one."""
NEARLY = 0.95
"""The share of the persons with several rows in which a column has one value, if it is constant per person."""
_INTERVAL = re.compile(r"([\[(])(.+?), (.+?)([\])])")
_OPEN = re.compile(r"(<=|>=|<|>) (.+)")


@dataclass(frozen=True)
class Violation:
    """What the adversary learns."""

    mechanism: str
    """`class`, `closure`, `values`, `intersection`, `linked`."""
    columns: tuple[str, ...]
    """The columns that a statement about it names."""
    achieved: int
    required: int


@dataclass(frozen=True)
class Attacked:
    """A release, and what was required of it."""

    source: Sequence[Row]
    release: Sequence[Row]
    person: str
    """The column of the source that identifies persons."""
    quasi_identifiers: Sequence[str]
    known: Sequence[tuple[Sequence[str], int]]
    """What each adversary knows, and k."""
    sensitive: Mapping[str, int]
    """By sensitive column with a model, how many values must remain possible."""
    linking: Sequence[str] = ()
    """The columns of pseudonyms."""

    @property
    def retained(self) -> list[str]:
        """The columns that are released unchanged, and are not sensitive."""
        names = [*self.release[0]] if self.release else []
        return [name for name in names if name not in (*self.quasi_identifiers, *self.sensitive, *self.linking)]


def matches(label: Any, value: Any) -> bool:
    """Whether a released label may stand for a value."""
    return label == value or (isinstance(label, str) and _matches(label, str(value)))


@cache
def _matches(label: str, value: str) -> bool:
    if label in ("*", value) or (label.endswith("*") and value.startswith(label.rstrip("*"))):
        return True
    if interval := _INTERVAL.fullmatch(label):
        opens, low, high, closes = interval.groups()
        return _order(value, low) >= (0 if opens == "[" else 1) and _order(value, high) <= (0 if closes == "]" else -1)
    if half := _OPEN.fullmatch(label):
        order = _order(value, half[2])
        return {"<=": order <= 0, ">=": order >= 0, "<": order < 0, ">": order > 0}[half[1]]
    return bool(re.fullmatch(r"\d{4}(-\d\d)?", label)) and value.startswith(f"{label}-")


def _order(value: str, bound: str) -> int:
    """-1, 0 or 1, as a value is below a bound, at it, or above it; dates are compared as far as the bound has digits."""
    if re.match(r"\d{4}-\d\d-\d\d", value):
        first, second = value[: len(bound)], bound
        return (first > second) - (first < second)
    low, high = float(value), float(bound)
    return (low > high) - (low < high)


def aligned(attacked: Attacked) -> list[int]:
    """For each record of the file the row of the source that it is of: the first possible one in the order of both."""
    places, place = [], -1
    same = [*attacked.retained, *attacked.sensitive]
    for record in attacked.release:
        place = next(
            number
            for number in range(place + 1, len(attacked.source))
            if all(attacked.source[number][name] == record[name] for name in same)
            and all(matches(record[name], attacked.source[number][name]) for name in attacked.quasi_identifiers)
        )
        places.append(place)
    return places


def features(attacked: Attacked) -> dict[str, tuple[str, list[Any], list[Any]]]:
    """What the retained cells show, by name: the column, and the values in the source and in the file: a cell, its prefixes, its middle."""
    shown = {}
    for name in attacked.retained:
        source, release = ([row[name] for row in rows] for rows in (attacked.source, attacked.release))
        shown[name] = (name, source, release)
        if any(isinstance(cell, str) and re.search(r"\d", cell) for cell in source):
            for start, end in ((0, 2), (0, 4), (1, 5)):
                before, after = (
                    [None if cell is None else str(cell)[start:end] for cell in cells] for cells in (source, release)
                )
                shown[f"{name}[{start}:{end}]"] = (name, before, after)
    return shown


def follows(known: Sequence[tuple[Any, ...]], shown: Sequence[Any], persons: Sequence[Any]) -> bool:
    """Whether what is shown is a function of what is known in every row, and in more persons than by chance."""
    values, members = defaultdict[tuple[Any, ...], set[Any]](set), defaultdict[tuple[Any, ...], set[Any]](set)
    for key, value, person in zip(known, shown, persons, strict=True):
        values[key].add(value)
        if len(values[key]) > 1:
            return False
        members[key].add(person)
    sizes = Counter(shown)
    same = sum((size / len(shown)) ** 2 for size in sizes.values())
    support = sum(len(each) - 1 for each in members.values())
    return same < 1 and support * log(same) < log(CHANCE)


def closure(attacked: Attacked, known: Sequence[str]) -> tuple[list[str], dict[str, tuple[str, list[Any], list[Any]]]]:
    """The quasi-identifiers, and the features of retained cells, that follow from known quasi-identifiers, alone or in pairs."""
    persons = [row[attacked.person] for row in attacked.source]
    sets = [(name,) for name in known] + list(combinations(known, 2))
    keys = [[tuple(row[name] for name in names) for row in attacked.source] for names in sets]

    def is_known(shown: Sequence[Any]) -> bool:
        return any(follows(key, shown, persons) for key in keys)

    others = [name for name in attacked.quasi_identifiers if name not in known]
    more = [name for name in others if is_known([row[name] for row in attacked.source])]
    return more, {name: each for name, each in features(attacked).items() if is_known(each[1])}


def violations(attacked: Attacked) -> Iterator[Violation]:
    """What the adversary learns that k, the models or the linkage rule out, the worst case of each mechanism and column."""
    if not attacked.release:
        return
    places = aligned(attacked)
    persons = [attacked.source[place][attacked.person] for place in places]
    for known, k in attacked.known:
        more, shown = closure(attacked, known)
        yield from _learned(attacked, places, persons, (known, k), "class", {})
        for name in more:
            yield from _learned(attacked, places, persons, ([*known, name], k), "closure", {}, (name,))
        for name, feature in shown.items():
            yield from _learned(attacked, places, persons, (known, k), "closure", {name: feature}, (feature[0],))
        if len(shown) > 1:
            every = tuple(dict.fromkeys(feature[0] for feature in shown.values()))
            yield from _learned(attacked, places, persons, (known, k), "closure", shown, every)
        yield from _linked(attacked, persons, known, k)
    yield from _intersections(attacked, places, persons)


def _learned(
    attacked: Attacked,
    places: Sequence[int],
    persons: Sequence[Any],
    knowledge: tuple[Sequence[str], int],
    mechanism: str,
    shown: Mapping[str, tuple[str, list[Any], list[Any]]],
    columns: tuple[str, ...] = (),
) -> Iterator[Violation]:
    """The least number of persons among the records that a target may be, and the least number of values of a column that varies."""
    known, k = knowledge
    candidates = _candidates(attacked, known, shown, places)
    least = min(len({persons[number] for number in numbers}) for numbers in candidates.values())
    if least < k:
        yield Violation(mechanism, columns, least, k)
    if shown or set(known) != set(attacked.quasi_identifiers):
        return
    for name, required in attacked.sensitive.items():
        values = [{attacked.release[number][name] for number in numbers} - {None} for numbers in candidates.values()]
        if (few := min(map(len, values))) < required:
            yield Violation("values", (name,), few, required)


def _candidates(
    attacked: Attacked, known: Sequence[str], shown: Mapping[str, tuple[str, list[Any], list[Any]]], places: Sequence[int]
) -> dict[tuple[Any, ...], list[int]]:
    """The records that each released record may be for an adversary, by what she knows of it."""
    groups = defaultdict[tuple[Any, ...], list[int]](list)
    for number, record in enumerate(attacked.release):
        groups[(*(record[name] for name in known), *(feature[2][number] for feature in shown.values()))].append(number)
    by_truth = {}
    for place in places:
        row = attacked.source[place]
        truth = (*(row[name] for name in known), *(feature[1][place] for feature in shown.values()))
        if truth not in by_truth:
            count = len(known)
            by_truth[truth] = [
                number
                for labels, numbers in groups.items()
                if labels[count:] == truth[count:] and all(map(matches, labels[:count], truth[:count]))
                for number in numbers
            ]
    return by_truth


def _is_constant(attacked: Attacked, name: str) -> bool:
    """Whether a column of the source is nearly constant per person; a missing value is unknown."""
    values, rows = defaultdict[Any, set[Any]](set), Counter[Any]()
    for row in attacked.source:
        if row[name] is not None:
            values[row[attacked.person]].add(row[name])
            rows[row[attacked.person]] += 1
    several = [person for person, count in rows.items() if count > 1]
    return bool(several) and sum(len(values[person]) == 1 for person in several) >= NEARLY * len(several)


def _intersections(attacked: Attacked, places: Sequence[int], persons: Sequence[Any]) -> Iterator[Violation]:
    """The values of a column that are possible for a person in each of her classes: a missing value may be any."""
    for name, required in attacked.sensitive.items():
        if not _is_constant(attacked, name):
            continue
        candidates = _candidates(attacked, attacked.quasi_identifiers, {}, places)
        every = {row[name] for row in attacked.source} - {None}
        possible: dict[Any, set[Any]] = {}
        for place, person in zip(places, persons, strict=True):
            truth = tuple(attacked.source[place][name] for name in attacked.quasi_identifiers)
            values = {attacked.release[number][name] for number in candidates[truth]}
            values = every if None in values else values
            possible[person] = possible[person] & values if person in possible else values
        true = {row[attacked.person] for row in attacked.source if row[name] is not None}
        least = min((len(values) for person, values in possible.items() if person in true), default=inf)
        if least < required:
            yield Violation("intersection", (name,), int(least), required)


def _linked(attacked: Attacked, persons: Sequence[Any], known: Sequence[str], k: int) -> Iterator[Violation]:
    """The least number of persons of whom a record may be, in a class of a person whose value fewer than k persons of the source have.

    All rows of the person have one value: it is among those whose records include as many in each of her classes. If each value is of one
    person, there are no others.
    """
    for name in (*attacked.linking, *(each for each in attacked.retained if _is_constant(attacked, each))):
        trails = defaultdict[Any, Counter[Any]](Counter)
        own = defaultdict[Any, Counter[Any]](Counter)
        holders = defaultdict[Any, set[Any]](set)
        for record, person in zip(attacked.release, persons, strict=True):
            value, place = record[name], tuple(str(record[each]) for each in known)
            if value is not None:
                trails[value][place] += 1
                own[value, person][place] += 1
                holders[value, place].add(person)
        in_source = defaultdict[Any, set[Any]](set)
        for row in attacked.source:
            in_source[row[name]].add(row[attacked.person])
        alone = len(own) == len(trails)
        least: float = inf
        for (value, _), seen in own.items():
            if name not in attacked.linking and len(in_source[value]) >= k:
                continue
            possible = [each for each, trail in trails.items() if (seen == trail if alone else seen <= trail)]
            for place in seen:
                least = min(least, len(set[Any]().union(*(holders[each, place] for each in possible))))
        if least < k:
            yield Violation("linked", (name,), int(least), k)

"""Privacy models that count persons, restated in plain Python from their definitions and without our code.

A class and a table are sets of pairs of a person and a sensitive value; a person may have several values.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import exp, inf, log, log2
from typing import Any

Pairs = frozenset[tuple[Any, Any]]
Figure = Fraction | float | int


def pairs(rows: Iterable[Mapping[str, Any]], person: str, value: str) -> Pairs:
    return frozenset((row[person], row[value]) for row in rows)


def persons(group: Pairs) -> int:
    return len({person for person, _ in group})


def frequencies(group: Pairs) -> Counter[Any]:
    """The persons who have each value."""
    return Counter(value for _, value in group)


def most_different(group: Pairs) -> int:
    """The most persons that can each be given another one of their own values: a largest matching, by augmenting paths."""
    values: dict[Any, list[Any]] = {}
    for person, value in group:
        values.setdefault(person, []).append(value)
    holder: dict[Any, Any] = {}

    def given(person: Any, seen: set[Any]) -> bool:
        for value in values[person]:
            if value not in seen:
                seen.add(value)
                if value not in holder or given(holder[value], seen):
                    holder[value] = person
                    return True
        return False

    return sum(given(person, set()) for person in values)


def distinct(group: Pairs) -> Figure:
    """The larger of two lower bounds of the above.

    Outside of the l - 1 most frequent values somebody is left; or the i-th most frequent of l values has l - i + 1 persons.
    """
    counts = sorted(frequencies(group).values(), reverse=True)
    left = max(number for number in range(1, len(counts) + 1) if sum(counts[: number - 1]) < persons(group))
    stairs = (number for number in range(1, len(counts) + 1) if all(counts[i] >= number - i for i in range(number)))
    return max(left, *stairs)


def entropy(group: Pairs) -> Figure:
    size = persons(group)
    return exp(log(size) - sum(count * log(count) for count in frequencies(group).values()) / size)


def recursive(group: Pairs, least: int) -> Figure:
    counts = sorted(frequencies(group).values(), reverse=True)
    rest = persons(group) - sum(counts[: least - 1])
    return Fraction(counts[0], rest) if len(counts) >= least and rest > 0 else inf


def shares(group: Pairs) -> dict[Any, Fraction]:
    """The share of the persons who have each value."""
    size = persons(group)
    return {value: Fraction(count, size) for value, count in frequencies(group).items()}


def t_equal(group: Pairs, table: Pairs) -> Figure:
    own, whole = shares(group), shares(table)
    return sum((abs(own.get(value, Fraction(0)) - share) for value, share in whole.items()), Fraction(0)) / 2


def t_ordered(group: Pairs, table: Pairs) -> Figure:
    """Of the distributions of pairs: each value of a person counts once."""
    own, whole = frequencies(group), frequencies(table)
    order = sorted(whole, key=lambda value: (value is None, 0 if value is None else value))
    ahead, total = Fraction(0), Fraction(0)
    for value in order:
        ahead += Fraction(own[value], len(group)) - Fraction(whole[value], len(table))
        total += abs(ahead)
    return total / max(1, len(order) - 1)


def beta(group: Pairs, table: Pairs) -> Figure:
    own, whole = shares(group), shares(table)
    return max((share - whole[value]) / whole[value] for value, share in own.items())


def delta(group: Pairs, table: Pairs, *, present: bool) -> Figure:
    own, whole = shares(group), shares(table)
    if not present and own.keys() < whole.keys():
        return inf
    return max(abs(log2(share / whole[value])) for value, share in own.items())


ACHIEVED: dict[str, tuple[Callable[..., Any], Callable[[Pairs, Pairs], Figure]]] = {
    "k": (min, lambda group, _: persons(group)),
    "distinct-l": (min, lambda group, _: distinct(group)),
    "entropy-l": (min, lambda group, _: entropy(group)),
    "recursive-cl 2": (max, lambda group, _: recursive(group, 2)),
    "alpha": (max, lambda group, _: max(shares(group).values())),
    "t": (max, t_equal),
    "t-ordered": (max, t_ordered),
    "beta": (max, beta),
    "delta": (max, lambda group, table: delta(group, table, present=False)),
    "delta-present": (max, lambda group, table: delta(group, table, present=True)),
}
"""What a class achieves, and which class determines what all achieve."""


def known(group: Pairs) -> Pairs:
    """The same without missing values: persons who have no other value are left out."""
    return frozenset((person, value) for person, value in group if value is not None)


def achieved(name: str, group: Pairs, table: Pairs) -> Figure:
    """What a class achieves with missing values as a value and without them, whichever is worse; nothing without any value."""
    worst, figure = ACHIEVED[name]
    if name == "k" or known(table) == table:
        return figure(group, table)
    nothing = 0 if worst is min else inf
    reached: Figure = worst(figure(group, table), figure(known(group), known(table)) if known(group) else nothing)
    return reached

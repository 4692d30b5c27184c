"""What several releases isolate together, in plain Python: classes of records, or of the persons whose records they are."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Any

Classes = Mapping[Any, Any]
"""The class of each record of a release."""


def few_together(releases: Sequence[Classes], *ks: int) -> set[Any]:
    """The records of the last release that share their classes with too few: in some selection of the releases that show the record,
    the last one among them, fewer records than the smallest k of the selection. The last of `ks` is that of all further releases."""
    return few_persons(releases, {record: record for release in releases for record in release}, *ks)


def few_persons(releases: Sequence[Classes], person_of: Mapping[Any, Any], *ks: int) -> set[Any]:
    """The same for persons, by each combination of their records' classes."""
    bounds = [ks[min(number, len(ks) - 1)] for number in range(len(releases))]
    shown: list[dict[Any, set[Any]]] = [defaultdict(set) for _ in releases]
    members: list[dict[Any, set[Any]]] = [defaultdict(set) for _ in releases]
    for number, release in enumerate(releases):
        for record, label in release.items():
            members[number][label].add(person_of[record])
            shown[number][person_of[record]].add(label)
    few, last = set(), len(releases) - 1
    for person in shown[last]:
        for chosen in _selections([number for number in range(last) if person in shown[number]]):
            numbers = (*chosen, last)
            least = min(bounds[number] for number in numbers)
            for labels in product(*(shown[number][person] for number in numbers)):
                groups = [members[number][label] for number, label in zip(numbers, labels, strict=True)]
                if len(set.intersection(*groups)) < least:
                    few.add(person)
    return few


def few_left(earlier: Classes, later: Classes, k: int) -> int:
    """The records that are left, fewer than k of a class, where one release is subtracted from the other."""
    left = Counter(("later", label) for record, label in later.items() if record not in earlier)
    left += Counter(("earlier", label) for record, label in earlier.items() if record not in later)
    return sum(rows for rows in left.values() if rows < k)


def _selections(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Each selection of at least one."""
    return chain.from_iterable(combinations(numbers, size) for size in range(1, len(numbers) + 1))

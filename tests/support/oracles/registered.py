"""What several releases isolate together, in plain Python: classes of records, or of the persons whose records they are."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

Classes = Mapping[Any, Any]
"""The class of each record of a release."""


def few_together(releases: Sequence[Classes], k: int) -> set[Any]:
    """The records of the last release whose classes, in all releases that show the record, fewer than k records share."""
    members: list[dict[Any, set[Any]]] = [defaultdict(set) for _ in releases]
    for release, by_class in zip(releases, members, strict=True):
        for record, label in release.items():
            by_class[label].add(record)
    few = set()
    for record in releases[-1]:
        showing = [number for number, release in enumerate(releases) if record in release]
        shared = set.intersection(*(members[number][releases[number][record]] for number in showing))
        if len(showing) > 1 and len(shared) < k:
            few.add(record)
    return few


def few_left(earlier: Classes, later: Classes, k: int) -> int:
    """The records that are left, fewer than k of a class, where one release is subtracted from the other."""
    left = Counter(("later", label) for record, label in later.items() if record not in earlier)
    left += Counter(("earlier", label) for record, label in earlier.items() if record not in later)
    return sum(rows for rows in left.values() if rows < k)


def few_persons(releases: Sequence[Classes], person_of: Mapping[Any, Any], k: int) -> set[Any]:
    """The persons of whom some record's classes, one in each release that shows her, fewer than k persons share."""
    shown: list[dict[Any, set[Any]]] = [defaultdict(set) for _ in releases]
    members: list[dict[Any, set[Any]]] = [defaultdict(set) for _ in releases]
    for number, release in enumerate(releases):
        for record, label in release.items():
            members[number][label].add(person_of[record])
            shown[number][person_of[record]].add(label)
    few = set()
    for person in set(person_of.values()):
        candidates: list[set[Any]] = []
        showing = [number for number in range(len(releases)) if person in shown[number]]
        for number in showing:
            groups = [members[number][label] for label in shown[number][person]]
            candidates = [group & before for group in groups for before in candidates] if candidates else groups
        if len(showing) > 1 and any(len(group) < k for group in candidates):
            few.add(person)
    return few

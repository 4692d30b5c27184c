"""The sizes of equivalence classes: by rows or persons, with masked values that match any value, and of the sets of any few columns."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.privacy.evaluation import EvaluatedAdversary, Evaluation

_STEPS = (1, 2, 3, 4, 5, 10, 20, 50)
_MOST_PATTERNS = 24


class Size(NamedTuple):
    """The classes of one size, in rows or persons, and the rows in them."""

    size: int
    classes: int
    rows: int


def read_sizes(
    engine: Engine, classes: str, *, size: str = "_rows", fails: bool | None = None, without: str | None = None
) -> list[Size]:
    """The class sizes of a relation in one of its columns, in ascending order.

    `fails` selects failing or passing classes only; `without` is a column that marks classes to leave out.
    """
    chosen = ["_rows > 0"]
    if fails is not None:
        chosen.append("_fails" if fails else "not _fails")
    if without is not None:
        chosen.append(f"not {without}")
    about = {"classes": classes, "size": size, "condition": " and ".join(chosen), "labels": None, "adversary": None}
    return _sizes(engine, about)


def read_person_sizes(engine: Engine, keys: Sequence[str], *, own_k: bool, persons: int) -> list[Size]:
    """The sizes of the classes of `combinations`, in persons of so many columns. A person may be in several classes."""
    about = {"own_k": own_k, "persons": persons, "population": False, "adversaries": []}
    return _sizes(engine, about | {"labels": list(keys), "size": "_persons", "adversary": None})


def read_sizes_by_adversary(
    engine: Engine, classes: str, adversary: EvaluatedAdversary, evaluated: Evaluation, *, without: str | None = None
) -> list[Size]:
    """The sizes of the classes that an adversary sees in a relation of classes, in rows or persons; `without` is a column that marks classes to leave out."""
    condition = "_rows > 0" if without is None else f"_rows > 0 and not {without}"
    return _sizes(engine, {**evaluated, "classes": classes, "condition": condition, "labels": None, "adversary": adversary})


def _sizes(engine: Engine, about: Mapping[str, Any]) -> list[Size]:
    return [Size(*map(int, row)) for row in engine.query(render("risk/class_sizes", **about))]


def person_share(
    engine: Engine,
    keys: Sequence[str],
    relation: str = "counts",
    *,
    has_sensitive: bool = False,
    within: str | None = None,
    within_keys: Sequence[str] = (),
) -> float:
    """The largest share of the rows of a class that are of one person; `within` is a relation of the classes that count, by some of the keys."""
    about = {"keys": list(keys), "has_sensitive": has_sensitive, "within": within, "within_keys": list(within_keys)}
    [(share,)] = engine.query(render("risk/person_share", relation=relation, **about))
    return float(share)


def binned(sizes: Sequence[Size]) -> list[dict[str, Any]]:
    """Classes and rows by ranges of sizes: 1, 2, 3, 4, then 5 to 9, 10 to 19, 20 to 49, 50 to 99, and so on. Empty ranges are omitted."""
    bins: dict[tuple[int, int], list[int]] = {}
    for size, classes, rows in sizes:
        counted = bins.setdefault(_bin(size), [0, 0])
        counted[0] += classes
        counted[1] += rows
    return [{"from": low, "to": high, "classes": counts[0], "rows": counts[1]} for (low, high), counts in bins.items()]


def _bin(size: int) -> tuple[int, int]:
    scale = 1
    while size >= 100 * scale:
        scale *= 10
    ends = [step * scale for step in _STEPS if step * scale <= size]
    start = ends[-1]
    after = [step * scale for step in (*_STEPS, 100) if step * scale > start]
    return start, after[0] - 1


class SmallSets(NamedTuple):
    """The records that share the labels of a set of columns, over all sets."""

    smallest: int
    """The fewest records that share the labels of some set; 0 without records."""
    failing_classes: int
    """Pairs of a set and its labels that fewer than k records share."""
    failing_rows: int
    """The records in these."""


def small_sets(engine: Engine, classes: str, adversary: EvaluatedAdversary, k: int, *, without: str | None = None) -> SmallSets:
    """Count a relation of classes under the sets of an adversary; `without` is a column that marks classes to leave out."""
    statement = render("risk/small_sets", relation=classes, adversary=adversary, k=k, without=without)
    [row] = engine.query(statement, "looking for records that few columns single out")
    return SmallSets(*map(int, row))


def singled_out(engine: Engine, classes: str, adversary: EvaluatedAdversary, *, without: str | None = None) -> dict[str, Any]:
    """The highest risk by any of the sets, and the records that are unique on some set."""
    counts = small_sets(engine, classes, adversary, 2, without=without)
    return {"highest": 1 / counts.smallest if counts.smallest else 0.0, "uniques": counts.failing_rows}


def wildcard_sizes(engine: Engine, quasi_identifiers: Sequence[str], token: str) -> list[Size] | None:
    """For each row, the number of rows that agree with it wherever neither has a masked value, as sizes; None if no row is masked.

    Empty if masked values occur in more than 24 different column sets, which are too many to compare.
    """
    names = list(quasi_identifiers)
    engine.create_table(render("risk/star_classes", quasi_identifiers=names, token=token))
    patterns = [pattern.size for pattern in read_sizes(engine, "star_classes", size="_pattern")]
    if patterns in ([], [0]):
        return None
    if len(patterns) > _MOST_PATTERNS:
        return []
    pairs: list[dict[str, Any]] = [
        {
            "one": first,
            "other": other,
            "columns": [name for place, name in enumerate(names) if not (first | other) >> place & 1],
        }
        for first in patterns
        for other in patterns
    ]
    statement = render("risk/wildcard_sizes", pairs=pairs)
    return [Size(*map(int, row)) for row in engine.query(statement)]

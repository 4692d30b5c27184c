"""The sizes of equivalence classes, which determine the risk of records."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render

_STEPS = (1, 2, 3, 4, 5, 10, 20, 50)


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
    about = {"classes": classes, "size": size, "condition": " and ".join(chosen), "adversary": None}
    return _sizes(engine, about)


def read_person_sizes(engine: Engine, keys: Sequence[str], *, own_k: bool, persons: int) -> list[Size]:
    """The sizes of the classes of `combinations`, in persons of so many columns. A person may be in several classes."""
    about = {"keys": list(keys), "own_k": own_k, "persons": persons, "population": False, "adversaries": []}
    return [Size(*map(int, row)) for row in engine.query(render("risk/person_sizes", **about))]


def read_sizes_by_adversary(
    engine: Engine, classes: str, adversary: Mapping[str, Any], judged: dict[str, Any], *, without: str | None = None
) -> list[Size]:
    """The sizes of the classes that an adversary sees in a relation of classes, in rows or persons; `without` is a column that marks classes to leave out."""
    condition = "_rows > 0" if without is None else f"_rows > 0 and not {without}"
    return _sizes(engine, judged | {"classes": classes, "condition": condition, "adversary": adversary})


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

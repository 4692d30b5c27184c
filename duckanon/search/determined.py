"""Quasi-identifiers that an adversary knows because others determine them, as the postal code determines the county."""

from collections.abc import Iterator
from math import log

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.search.count import Counted

_CERTAIN = 0.95
"""A column counts as determined if at least this share of the rows agrees, and its most frequent value has less than this share."""
_REPEATED = 0.5
"""The least share of the rows whose value of the first column is in several rows: a single value determines every column."""
_CHANCE = 1e-9
"""Associations with a larger probability than this are taken for chance."""
_MOST_COMBINATIONS = 200_000


def refuse_determined(engine: Engine, counted: Counted) -> None:
    """Raise `JobError` if an adversary lacks a column that one of its columns determines: that column would split its classes."""
    for adversary, known, other in _determined(engine, counted):
        raise JobError(
            f"{known!r} determines {other!r}, so the adversary {adversary!r}, who knows {known!r}, knows both; add {other!r} to its columns, or drop one of the two"
        )


def _determined(engine: Engine, counted: Counted) -> Iterator[tuple[str, str, str]]:
    """Yield an adversary, one of its columns, and a column that this one determines and the adversary lacks."""
    keys = {attribute.name: attribute.key(attribute.min_level) for attribute in counted.attributes}
    unknown = [
        (adversary.name, known, other)
        for adversary in counted.plan.requirement.adversaries
        for known in adversary.columns
        for other in keys
        if other not in adversary.columns
    ]
    pairs = list(dict.fromkeys((known, other) for _, known, other in unknown))
    if not pairs or engine.is_remote("combinations"):
        return
    statement = render("lattice/determined", pairs=[(keys[a], keys[b]) for a, b in pairs], most=_MOST_COMBINATIONS)
    certain = {
        pairs[int(number)]
        for number, rows, repeated, groups, single, frequent in engine.query(statement, "comparing quasi-identifiers")
        if repeated >= _REPEATED * rows
        and single >= _CERTAIN * repeated
        and frequent < _CERTAIN * rows
        # if the columns were independent, each further row of a value would have the same second value with this probability at most
        and (repeated - groups) * log(rows / frequent) > -log(_CHANCE)
    }
    yield from (each for each in unknown if each[1:] in certain)

"""Columns without a role that may identify persons: their values repeat, and rows with the same value share quasi-identifiers."""

from collections.abc import Collection, Sequence

from duckanon.dataset.column_names import hint
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.job.model import Job
from duckanon.job.persons import FEW_ROWS, MANY_ROWS, Persons, may_be_persons
from duckanon.observers import Observer
from duckanon.search.sample import Sample, as_they_are

_MOST_COLUMNS = 20
_LEAST_REPEATED = 5
"""Values with several rows; of fewer, the same quasi-identifiers are no evidence."""
_CONSTANT, _USUAL = 0.9, 0.6
"""The share of the repeated values with one value of a quasi-identifier, and that of random pairs of rows above which this is no evidence."""


def warn_of_unnamed_persons(
    engine: Engine, job: Job, columns: Sequence[Column], persons: Persons, rows: int, observer: Observer
) -> None:
    """Warn of a column that repeats and may identify persons, although no role and no name says so."""
    if persons.origin == "named":
        return
    known = [name for name in job.of_role("quasi-identifier") if name not in persons.columns]
    described = {*job.columns, *persons.columns, *(counts.column for counts in persons.unsure)}
    possible = [
        column
        for column in columns
        if column.name not in described
        and (column.is_text or column.is_whole)
        and hint(column.name) in (None, "weakly identifying", "identifying")
    ][:_MOST_COLUMNS]
    if not possible or not known:
        return
    with Sample(engine, rows) as sample:
        sample.take(as_they_are(possible), [*known, *persons.columns])
        shared = _shared(engine, possible, known, persons.columns, job.k)
    for name, constant in shared.items():
        observer.warn(
            f"{name!r} has no role, repeats, and rows with the same value have the same {', '.join(constant)}: if it identifies persons, count them "
            f"(--entity {name}{', or the role identifying, which counts each column' if persons.columns else ''}); if not, give it a role, or "
            f"--entity {persons.column or 'none'}"
        )


def _shared(
    engine: Engine, possible: Sequence[Column], known: Sequence[str], counted: Collection[str], k: int
) -> dict[str, list[str]]:
    """By column, the quasi-identifiers that its values nearly determine, if these are most of those that vary."""
    [chances] = engine.query(render("dataset/equal_pairs", quasi_identifiers=known))
    varying = [number for number, chance in enumerate(chances) if chance is not None and chance <= _USUAL]
    shared = {}
    statement = render(
        "dataset/person_like_values",
        columns=len(possible),
        quasi_identifiers=len(known) + len(counted),
        few=FEW_ROWS,
        many=MANY_ROWS,
    )
    for number, values, few, some, repeated, *constant in engine.query(statement, stage="comparing columns without a role"):
        if repeated < _LEAST_REPEATED or not may_be_persons(values, few, some, k):
            continue
        same = [each for each in varying if constant[each] >= _CONSTANT * repeated]
        # one that determines the counted persons has at least as many values in each class
        is_finer = counted and all(count == repeated for count in constant[len(known) :])
        if 2 * len(same) > len(varying) and not is_finer:
            shared[possible[number].name] = [known[each] for each in same]
    return shared

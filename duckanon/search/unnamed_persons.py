"""Columns without a role that may identify persons: their values repeat, and rows with the same value share quasi-identifiers."""

from collections.abc import Collection, Mapping, Sequence

from duckanon.dataset.column_names import hint, is_of_persons
from duckanon.dataset.column_profile import ColumnProfile
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.text_identifiers import text_identifiers
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.formatting import shortened
from duckanon.job.model import Job
from duckanon.job.persons import FEW_ROWS, MANY_ROWS, Persons, may_be_persons
from duckanon.job.roles import NEAR_UNIQUE, PROSE, Proposal, propose
from duckanon.observers import Caution, Observer, together
from duckanon.search.sample import Sample, as_they_are

_MOST_COLUMNS = 20
_LEAST_REPEATED = 5
"""Values with several rows; of fewer, the same quasi-identifiers are no evidence."""
_LEAST_SHARED = 2
"""The quasi-identifiers that a column of persons determines, at least."""
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
    cautions = [
        Caution(
            "persons",
            f"{name!r} has no role, repeats, and rows with the same value have the same {', '.join(constant)}: if it identifies persons, count them "
            f"(--entity {name}{', or the role identifying, which counts each column' if persons.columns else ''}); if not, give it a role, or "
            f"--entity {persons.column or 'none'}",
            name,
        )
        for name, constant in shared.items()
    ]
    brief = f"{shortened([*shared])} have no role and may identify persons: count those that do (--entity COLUMN), and give the others a role"
    for caution in together(cautions, brief):
        observer.warn(caution)


def proposed_roles(
    engine: Engine, columns: Sequence[Column], missing: MissingRule, declared: Mapping[str, str], k: int
) -> Proposal:
    """The roles that names and values propose, with the role `identifying` for columns such as `library_card`: of all rows with a value, the
    age, the birth year, the sex or the like is the same, and so is something else that others may know. Text with direct identifiers is dropped.
    """
    proposal = _without_identifiers(engine, propose(engine, columns, missing, declared))
    detected = [column for column in proposal.of_role("quasi-identifier") if proposal.is_detected(column.name)]
    known = [column.name for column in detected if hint(column.name) == "quasi-identifier"]
    possible = [
        column.profile.column
        for column in detected
        if hint(column.name) in (None, "weakly identifying") and _may_be_key(column.profile, k)
    ][:_MOST_COLUMNS]
    if not possible or not any(map(is_of_persons, known)):
        return proposal
    with Sample(engine, detected[0].profile.rows) as sample:
        sample.take(as_they_are(possible), known)
        shared = _shared(engine, possible, known, (), k, least=_LEAST_SHARED)
    reasons = {
        name: f"rows with the same value have the same {', '.join(same)}: each value is a person"
        for name, same in shared.items()
        if any(map(is_of_persons, same))
    }
    return proposal.having_role("identifying", reasons)


def _without_identifiers(engine: Engine, proposal: Proposal) -> Proposal:
    """The same without text that holds direct identifiers and would be released as it is; and free text with that reason."""
    if engine.is_remote("records"):
        return proposal
    texts = [
        column.profile.column
        for column in proposal.columns
        if proposal.is_detected(column.name)
        # a name that says that others may know the values is one of places and the like, of which a warning is enough
        and (
            column.reason in (NEAR_UNIQUE, PROSE)
            or column.role == "sensitive"
            or (column.role == "quasi-identifier" and hint(column.name) != column.role)
        )
    ]
    return proposal.having_role(
        "dropped", {name: f"free text: {held}" for name, held in text_identifiers(engine, texts).items()}
    )


def _may_be_key(profile: ColumnProfile, k: int) -> bool:
    column, filled = profile.column, profile.rows - profile.missing
    return (column.is_text or column.is_whole) and k <= (profile.distinct or 0) <= filled / 2


def _shared(
    engine: Engine,
    possible: Sequence[Column],
    known: Sequence[str],
    counted: Collection[str],
    k: int,
    least: int | None = None,
) -> dict[str, list[str]]:
    """By column, the quasi-identifiers that its values nearly determine, if these are most of those that vary, or at least so many."""
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
        if (2 * len(same) > len(varying) if least is None else len(same) >= least) and not is_finer:
            shared[possible[number].name] = [known[each] for each in same]
    return shared

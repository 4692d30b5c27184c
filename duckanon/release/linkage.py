"""Linkage of the rows of a person by a column, which discloses the equivalence classes of the person and the number of rows in each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError, VerificationFailed
from duckanon.job.keys import accepting, assigned
from duckanon.observers import Caution, Observer
from duckanon.privacy.requirement import Requirement
from duckanon.release.intersections import create_classes
from duckanon.release.manifest_model.files import LinkedPersons
from duckanon.release.recoding import Recoding
from duckanon.search.count import Counted
from duckanon.search.possible_values import PossibleValues, read, statement_of_classes

_NEARLY_ALL, _NOTABLE = 0.9, 0.1
"""A column links the rows of persons if it has one value for so many of the persons with several rows, and so many persons have a rare value."""


def linkages(engine: Engine, recoding: Recoding) -> dict[str, LinkedPersons]:
    """For each column of pseudonyms of the view `release`, the persons whose rows it links, by what the most dangerous adversary knows. `linkable` accepted the persons below k."""
    linked = {}
    for name, treatment in recoding.treatments.items():
        if treatment.kind == "pseudonym":
            linked[name] = _worst(_linked(engine, name, *each) for each in _known(recoding.requirement, recoding.names))
    return linked


def key_columns(engine: Engine, counted: Counted, recoding: Recoding, observer: Observer) -> dict[str, LinkedPersons]:
    """For each retained column that is nearly constant for a person, and whose values few persons have, the persons whose rows it links.

    Leaves out columns if each person shares these numbers of rows with at least k persons; warns of columns of which only some values are
    of few persons. Reads the recoding before the file is written.
    """
    entity, plan = recoding.requirement.k.entity, counted.plan
    if entity is None:
        return {}
    others = {*recoding.names, *recoding.linked, *(aggregate.name for aggregate in recoding.aggregates)}
    keys = {}
    for column in recoding.columns:
        treatment = plan.treatments.get(column.name)
        if column.name in others or (treatment is not None and treatment.kind == "pseudonym"):
            continue
        about = {"column": column.name, "treatment": treatment, "entity": entity}
        k = recoding.requirement.largest_k.bounded_k
        persons, of_few = _rare(engine, about, k)
        if not of_few:
            continue
        if engine.is_remote("records"):
            linked = LinkedPersons(persons=persons, required=k, achieved=1, persons_below=of_few)
        else:
            linked = _worst(
                _linked_by_value(engine, recoding, about, *each) for each in _known(recoding.requirement, recoding.names)
            )
        if linked.persons_below and of_few >= _NOTABLE * persons:
            keys[column.name] = linked
        elif linked.persons_below and not _is_accepted(counted, column.name):
            observer.warn(
                Caution(
                    "linked-rows",
                    _linking(
                        column.name,
                        linked,
                        f"{of_few:,} persons have values of {column.name!r} that fewer than {k:,} persons have and that link",
                    ),
                    column.name,
                )
            )
    return keys


def links_of_file(
    engine: Engine, columns: Iterable[Column], requirement: Requirement, quasi_identifiers: Sequence[str]
) -> Iterator[Caution]:
    """Yield a warning for each column of a file (view `records`) that links the rows of persons, with the case that accepts it.

    The persons are known by the file only: the column of persons itself is one of these columns.
    """
    entity, k = requirement.k.entity, requirement.largest_k.bounded_k
    if entity is None:
        return
    for column in columns:
        persons, of_few = _rare(engine, {"column": column.name, "treatment": None, "entity": entity}, k)
        if of_few and of_few >= _NOTABLE * persons:
            linked = _worst(_linked(engine, column.name, *each, "records") for each in _known(requirement, quasi_identifiers))
            if linked.persons_below:
                yield Caution("linked-rows", _linking(column.name, linked, f"column {column.name!r} links"), column.name)


def _rare(engine: Engine, about: Mapping[str, Any], k: int) -> tuple[int, int]:
    """The persons with a value of a column, and those with a value that fewer than k persons have; 0 if it is not nearly constant for persons."""
    statement = render("release/shared_values", k=k, **about)
    [(several, constant, persons, of_few)] = engine.query(statement, "checking the retained columns")
    return int(persons), int(of_few) if constant >= max(1, _NEARLY_ALL * several) else 0


def refuse_keys(keys: Mapping[str, LinkedPersons], counted: Counted, observer: Observer) -> None:
    """Raise `JobError` for a retained column that links the rows of a person, unless the job accepts it.

    A sensitive column whose possible values are judged gets a warning: these have to be enough already.
    """
    evaluated = {column.name for column in counted.constant}
    for column, counts in keys.items():
        if _is_accepted(counted, column):
            continue
        what = "sensitive" if column in evaluated else "retained"
        text = _linking(column, counts, f"the {what} column {column!r} links")
        if column not in evaluated:
            raise JobError(text)
        observer.warn(Caution("key", text, column))


def _is_accepted(counted: Counted, column: str) -> bool:
    return counted.job.accepts("key", column) or counted.job.accepts("linked-rows", column)


def _linking(column: str, counts: LinkedPersons, what: str) -> str:
    return (
        f"{what} the rows of a person like a pseudonym: {counts.persons_below:,} of {counts.persons:,} persons have "
        f"numbers of rows in equivalence classes that fewer than {counts.required:,} persons have; drop the column, generalize more, or accept it "
        f"with {accepting('key', column)}"
    )


def _known(requirement: Requirement, quasi_identifiers: Sequence[str]) -> list[tuple[list[str], int]]:
    """The quasi-identifiers and the k of each adversary, or all quasi-identifiers."""
    known = [(list(adversary.columns), adversary.k.bounded_k) for adversary in requirement.adversaries]
    return known or [(list(quasi_identifiers), requirement.k.bounded_k)]


def _worst(seen: Iterable[LinkedPersons]) -> LinkedPersons:
    return max(seen, key=lambda counts: (counts.persons_below, counts.required - counts.achieved))


def _linked_by_value(
    engine: Engine, recoding: Recoding, about: Mapping[str, Any], known: Sequence[str], k: int
) -> LinkedPersons:
    """The persons whose rows the values of a retained column link, by the classes of these quasi-identifiers."""
    labelling = {"quasi_identifiers": recoding.names, **recoding.labelling}
    return _counts(engine, render("release/linked_values", known=list(known), k=k, **labelling, **about), k)


def _linked(engine: Engine, column: str, quasi_identifiers: Sequence[str], k: int, relation: str = "release") -> LinkedPersons:
    """The persons whose rows a column links, by the classes of these quasi-identifiers."""
    about = {"column": column, "quasi_identifiers": list(quasi_identifiers), "k": k, "relation": relation}
    return _counts(engine, render("release/linked_persons", **about), k)


def _counts(engine: Engine, statement: Statement, k: int) -> LinkedPersons:
    [(persons, smallest, below)] = engine.query(statement, stage="linking the rows of persons")
    return LinkedPersons(persons=int(persons), required=k, achieved=int(smallest), persons_below=int(below))


def isolated_by_linkage(engine: Engine, recoding: Recoding, column: str) -> Statement:
    """The statement that selects the persons, by a column that links their rows, who share the numbers of rows in equivalence classes with fewer than k persons.

    Reads the recoding before the file is written. Builds `current_classes`, which the statement reads.
    """
    create_classes(engine, recoding, column)
    about = {
        "column": column,
        "k": recoding.requirement.k.k,
        "keep_suppressed_rows": recoding.keep_suppressed_rows,
        "by_class": recoding.treatments[column].scope == "class",
    }
    return render("release/isolated_by_linkage", f"isolated_{column}", **about)


def written_possible_values(engine: Engine, counted: Counted, recoding: Recoding) -> PossibleValues | None:
    """The sensitive values that remain possible in the written file for persons in several classes; None if no column is constant for persons.

    Raises `VerificationFailed` if they are too few and the job does not accept this.
    """
    columns = [column for column in counted.constant if column.name in recoding.compared]
    if not columns:
        return None
    relations = ("written_classes", "expected_members", "expected_histogram")
    possible = read(engine, columns, statement_of_classes(columns, *relations, recoding.names, is_coded=False))
    for relation in ("possible_values", "repeated_persons"):
        engine.drop(relation)
    accepts = counted.job.accepts
    below = [each for each in possible.columns if each.persons_below and not accepts("possible-values", each.column.name)]
    if below:
        raise VerificationFailed(
            f"verification failed: {replace(possible, columns=tuple(below)).problem}; nothing was released"
        )
    return possible


def refuse_linked(linked: Mapping[str, LinkedPersons]) -> None:
    """Raise `VerificationFailed` if fewer than k persons have as many rows in the same equivalence classes."""
    for column, counts in linked.items():
        if counts.persons_below:
            raise VerificationFailed(
                f"the pseudonyms of {column!r} link the rows of a person: {counts.persons_below:,} of {counts.persons:,} persons have numbers "
                f"of rows in equivalence classes that fewer than {counts.required:,} persons have (at least {counts.achieved:,} in each case); nothing was released. Use pseudonyms that "
                f"are equal only within a class ({assigned(('columns', column, 'pseudonym', 'scope'), 'class')}), drop the column, generalize more, suppress these "
                "persons (--set suppression.isolated=true), or accept the linkage with --set linkable=true"
            )

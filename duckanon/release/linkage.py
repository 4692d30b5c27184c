"""Linkage of the rows of a person by pseudonyms, which discloses the set of equivalence classes of the person."""

from collections.abc import Mapping, Sequence

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import VerificationFailed
from duckanon.release.intersections import create_classes_of_persons
from duckanon.release.manifest_model.rows import LinkedPersons
from duckanon.release.recoding.base import Recoding


def linkages(engine: Engine, recoding: Recoding) -> dict[str, LinkedPersons]:
    """For each column of pseudonyms of the view `release`, the persons whose rows it links, by what the most dangerous adversary knows. `--linkable` accepted the persons below k."""
    linked = {}
    for name, treatment in recoding.treatments.items():
        if treatment.kind == "pseudonym":
            requirement = recoding.requirement
            known = [(adversary.columns, adversary.k.k) for adversary in requirement.adversaries]
            seen = [_linked(engine, name, *each) for each in known or [(tuple(recoding.names), requirement.k.k)]]
            linked[name] = max(seen, key=lambda counts: (counts.persons_below, counts.required - counts.achieved))
    return linked


def _linked(engine: Engine, column: str, quasi_identifiers: Sequence[str], k: int) -> LinkedPersons:
    """The persons whose rows a column links, by the classes of these quasi-identifiers."""
    statement = render("release/linked_persons", column=column, quasi_identifiers=list(quasi_identifiers), k=k)
    [(persons, smallest, below)] = engine.query(statement, stage="linking the rows of persons")
    return LinkedPersons(persons=int(persons), required=k, achieved=int(smallest), persons_below=int(below))


def isolated_by_linkage(engine: Engine, recoding: Recoding, column: str) -> Statement:
    """The statement that selects the persons, by a column that links their rows, whose set of equivalence classes fewer than k persons share.

    Reads the recoding before the file is written. Builds `current_classes`, which the statement reads.
    """
    create_classes_of_persons(engine, recoding, column)
    about = {"column": column, "k": recoding.requirement.k.k, "stars": recoding.stars}
    return render("release/isolated_by_linkage", f"isolated_{column}", **about)


def refuse_linked(linked: Mapping[str, LinkedPersons]) -> None:
    """Raise `VerificationFailed` if fewer than k persons share a set of equivalence classes."""
    for column, counts in linked.items():
        if counts.persons_below:
            raise VerificationFailed(
                f"the pseudonyms of {column!r} link the rows of a person: {counts.persons_below:,} of {counts.persons:,} persons have a set of equivalence "
                f"classes that fewer than {counts.required:,} persons share (at least {counts.achieved:,} share each set); nothing was released. Use pseudonyms that "
                "are equal only within a class (--pseudonym-scope class), drop the column, generalize more, suppress these persons (--suppress-isolated), or accept the linkage with --linkable"
            )

"""Linkage of the rows of a person by pseudonyms, which discloses the set of equivalence classes of the person."""

from collections.abc import Mapping

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import VerificationFailed
from duckanon.release.manifest_model.rows import LinkedPersons
from duckanon.release.recoding.base import Recoding


def linkages(engine: Engine, recoding: Recoding, k: int) -> dict[str, LinkedPersons]:
    """For each column of pseudonyms of the view `release`, the persons whose rows it links. `--linkable` accepted the persons below k."""
    linked = {}
    for name, treatment in recoding.treatments.items():
        if treatment.kind == "pseudonym":
            statement = render("release/linked_persons", column=name, quasi_identifiers=recoding.names, k=k)
            [(persons, smallest, below)] = engine.query(statement, stage="linking the rows of persons")
            linked[name] = LinkedPersons(persons=int(persons), required=k, achieved=int(smallest), persons_below=int(below))
    return linked


def refuse_linked(linked: Mapping[str, LinkedPersons]) -> None:
    """Raise `VerificationFailed` if fewer than k persons share a set of equivalence classes."""
    for column, counts in linked.items():
        if counts.persons_below:
            raise VerificationFailed(
                f"the pseudonyms of {column!r} link the rows of a person: {counts.persons_below:,} of {counts.persons:,} persons have a set of equivalence "
                f"classes that fewer than {counts.required:,} persons share (at least {counts.achieved:,} share each set); nothing was released. Use pseudonyms that "
                "are equal only within a class (--pseudonym-scope class), drop the column, generalize more, or accept the linkage with --linkable"
            )

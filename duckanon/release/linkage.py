"""What pseudonyms disclose by linking the rows of a person: the set of equivalence classes that the person is seen in."""

from collections.abc import Mapping

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import VerificationFailed
from duckanon.release.manifest_model.rows import LinkedPersons
from duckanon.release.recoding.base import Recoding


def linkages(engine: Engine, recoding: Recoding, k: int) -> dict[str, LinkedPersons]:
    """By column of pseudonyms of the view `release`, the persons that it links; those below k were accepted with `--linkable`."""
    linked = {}
    for name, treatment in recoding.treatments.items():
        if treatment.kind == "pseudonym":
            statement = render("release/linked_persons", column=name, quasi_identifiers=recoding.names, k=k)
            [(persons, smallest, below)] = engine.query(statement, stage="following the rows of a person")
            linked[name] = LinkedPersons(persons=int(persons), required=k, achieved=int(smallest), persons_below=int(below))
    return linked


def refuse_linked(linked: Mapping[str, LinkedPersons]) -> None:
    """Raises `VerificationFailed` where a set of classes tells a person apart from all but fewer than k - 1 others."""
    for column, counts in linked.items():
        if counts.persons_below:
            raise VerificationFailed(
                f"the pseudonyms of {column!r} link a person's rows: {counts.persons_below:,} of {counts.persons:,} persons have a set of equivalence "
                f"classes that fewer than {counts.required:,} persons share, the smallest number is {counts.achieved:,}; nothing was released. Use pseudonyms that "
                "are equal within a class only (--pseudonym-scope class), drop the column, generalize more, or accept it with --linkable"
            )

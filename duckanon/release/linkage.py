"""What pseudonyms tell by linking the rows of a person: the set of classes that she is seen in."""

from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import VerificationFailed
from duckanon.release.recoding.base import Recoding


@dataclass(frozen=True)
class Linkage:
    """A column of pseudonyms in the written file, and how many persons share a set of equivalence classes."""

    column: str
    persons: int
    smallest: int
    """Persons in the smallest group whose rows stand in the same set of classes: the k of whoever knows all of them."""
    below: int
    """Persons in groups that are smaller than the k asked for."""

    def told(self, k: int) -> dict[str, Any]:
        """What a manifest says of a release; persons below k were accepted with `--linkable`."""
        return {"persons": self.persons, "required": k, "achieved": self.smallest, "persons_below": self.below}


def linkages(engine: Engine, recoding: Recoding, k: int) -> list[Linkage]:
    """Each column of pseudonyms of the view `release`, with the persons that it links."""
    names = [name for name, treatment in recoding.treatments.items() if treatment.kind == "pseudonym"]
    found = []
    for name in names:
        statement = render("release/linked_persons", column=name, quasi_identifiers=recoding.names, k=k)
        [counts] = engine.query(statement, stage="following the rows of a person")
        found.append(Linkage(name, *map(int, counts)))
    return found


def refuse_linked(found: list[Linkage], k: int) -> None:
    """Raises `VerificationFailed` where a set of classes tells a person apart from all but fewer than k - 1 others."""
    linked = next((one for one in found if one.below), None)
    if linked is not None:
        raise VerificationFailed(
            f"the pseudonyms of {linked.column!r} link a person's rows: {linked.below:,} of {linked.persons:,} persons have a set of equivalence "
            f"classes that fewer than {k:,} persons share, the smallest number is {linked.smallest:,}; nothing was released. Use pseudonyms that "
            "are equal within a class only (--pseudonym-scope class), drop the column, generalize more, or accept it with --linkable"
        )

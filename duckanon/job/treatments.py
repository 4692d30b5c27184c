"""What becomes of columns that identify directly, beside being dropped: a pseudonym, a mask, dates that are shifted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from duckanon.choices import PseudonymScope
from duckanon.engine.protocol import Column
from duckanon.hierarchy.base import HierarchyModel


class Pseudonym(HierarchyModel):
    """The first 128 bits of an HMAC-SHA-256 of the value, with a key of the release and the domain."""

    domain: Annotated[str, Field(min_length=1)] | None = None
    """Columns of one domain give the same value the same pseudonym; the column's own name unless given."""
    scope: PseudonymScope = "release"
    """Where equal values have equal pseudonyms: in the whole release, or only inside of an equivalence class."""


class Mask(HierarchyModel):
    """Stars, with so many characters left at either end."""

    first: Annotated[int, Field(ge=0, le=100)] = 0
    """Characters left at the beginning."""
    last: Annotated[int, Field(ge=0, le=100)] = 0
    """Characters left at the end."""


class Shift(HierarchyModel):
    """Dates moved by days that a person's own key decides: the same for all of a person's, another for each person."""

    days: Annotated[int, Field(ge=1, le=36_500)]
    """By at most so many, ahead or back; never by none."""
    by: str | None = None
    """The column that tells persons apart; the job's `entity` unless given."""


def _switched(given: Any) -> Any:
    """True stands for a treatment as it is by itself, false for none."""
    if isinstance(given, bool):
        return {} if given else None
    return given


AnyPseudonym = Annotated[Pseudonym | None, BeforeValidator(_switched)]
AnyMask = Annotated[Mask | None, BeforeValidator(_switched)]

Kind = Literal["pseudonym", "mask", "shift"]


@dataclass(frozen=True)
class Treatment:
    """What a released column shows in place of its own values."""

    kind: Kind
    column: Column
    number: int
    """Of the keys that it is made with."""
    domain: str = ""
    scope: PseudonymScope = "release"
    first: int = 0
    last: int = 0
    days: int = 0
    by: str = ""

    @property
    def is_keyed(self) -> bool:
        return self.kind != "mask"

    @property
    def is_text(self) -> bool:
        """Whether it gives text, whatever the column holds."""
        return self.kind != "shift"

    @property
    def description(self) -> str:
        """What becomes of the column, in words."""
        match self.kind:
            case "pseudonym":
                return "released as a pseudonym"
            case "mask":
                kept = " and ".join(
                    f"the {which} {count}" for which, count in (("first", self.first), ("last", self.last)) if count
                )
                return f"released as stars, with {kept} characters" if kept else "released as stars"
        return f"dates moved by up to {self.days:,} days, by person"

    def document(self, release: str | None) -> dict[str, Any]:
        """What the manifest says of it."""
        match self.kind:
            case "pseudonym":
                return {
                    "treatment": "pseudonym",
                    "algorithm": "HMAC-SHA-256, 128 bits",
                    "release": release,
                    "domain": self.domain,
                    "scope": self.scope,
                }
            case "mask":
                return {"treatment": "mask", "first": self.first, "last": self.last}
        return {"treatment": "date shift", "release": release, "days": self.days, "by": self.by}


Treatments = Mapping[str, Treatment]

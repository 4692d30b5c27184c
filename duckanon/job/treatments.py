"""Forms in which a direct identifier can be released: pseudonym, mask, shifted dates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from duckanon.choices import PseudonymScope
from duckanon.engine.protocol import Column
from duckanon.hierarchy.base import HierarchyModel


class Pseudonym(HierarchyModel):
    """The first 128 bits of the HMAC-SHA-256 of a value, with a key for the release and the domain."""

    domain: Annotated[str, Field(min_length=1)] | None = None
    """Columns of the same domain have the same pseudonym for the same value; default: the name of the column."""
    scope: PseudonymScope = "release"
    """Where equal values have equal pseudonyms: in the whole release, or only within an equivalence class."""


class Mask(HierarchyModel):
    """Stars, except for the first and the last characters of the value."""

    first: Annotated[int, Field(ge=0, le=100)] = 0
    """The number of characters to show at the start."""
    last: Annotated[int, Field(ge=0, le=100)] = 0
    """The number of characters to show at the end."""


class Shift(HierarchyModel):
    """Dates moved by a number of days that is derived from the key for each person: the same number for all dates of a person."""

    days: Annotated[int, Field(ge=1, le=36_500)]
    """The maximum number of days, forward or back; dates are never moved by 0 days."""
    by: str | None = None
    """The column that identifies persons; default: the `entity` of the job."""


def _switched(given: Any) -> Any:
    """Convert true to a treatment with its defaults, and false to None."""
    if isinstance(given, bool):
        return {} if given else None
    return given


AnyPseudonym = Annotated[Pseudonym | None, BeforeValidator(_switched)]
AnyMask = Annotated[Mask | None, BeforeValidator(_switched)]

Kind = Literal["pseudonym", "mask", "shift"]


@dataclass(frozen=True)
class Treatment:
    """The replacement for the values of a released column."""

    kind: Kind
    column: Column
    number: int
    """The number in the names of its key parameters."""
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
        """Whether the result is text, for any type of the column."""
        return self.kind != "shift"

    @property
    def description(self) -> str:
        """The treatment in words."""
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
        """The entry in the manifest."""
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

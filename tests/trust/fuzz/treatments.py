"""Columns that identify directly and are released in another form: the options, and the expected cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.support.oracles import identifiers as identifiers_oracle
from tests.support.settings import setting

KEY_FILE = "the.key"
RELEASES = ("spring", "spring", "r'1", "{{ 7*7 }}", "é", " ", "x" * 300, None)
"""None: it is forgotten."""


@dataclass(frozen=True)
class Treated:
    """A column and what becomes of it."""

    column: str
    kind: Literal["pseudonym", "mask", "shift"]
    number: int = 0
    """Of characters that a mask leaves, or of days."""
    by: str = ""
    domain: str | None = None

    @property
    def plan(self) -> dict[str, Any]:
        """As a job file says it."""
        match self.kind:
            case "pseudonym":
                return {"role": "identifying", "pseudonym": True if self.domain is None else {"domain": self.domain}}
            case "mask":
                return {"role": "identifying", "mask": {"last": self.number}}
        return {"role": "insensitive", "shift": {"days": self.number, "by": self.by}}

    def flags(self, listed: str) -> Sequence[str]:
        """As the command line says it; `listed`: the name as one of a list."""
        match self.kind:
            case "pseudonym":
                return ["--pseudonym", listed]
            case "mask":
                return ["--identifying", listed, *setting("columns", self.column, "mask", "last", value=self.number)]
        return ["--shift", f"{self.column}={self.number}", *setting("columns", self.column, "shift", "by", value=self.by)]

    def cell(self, original: str, person: str | None, release: str) -> str | int | None:
        """What a printed value becomes; a number of days for a shift. None: it is left empty."""
        match self.kind:
            case "pseudonym":
                return identifiers_oracle.pseudonym(original, release, self.domain or self.column)
            case "mask":
                return identifiers_oracle.masked(original, self.number)
        return None if person is None else int(original) + identifiers_oracle.offset(person, release, self.number)

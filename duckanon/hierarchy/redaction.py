"""Codes whose characters are redacted, one level after the other."""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from duckanon.hierarchy.base import MOST_LEVELS, Label, Spec, Top

Side = Literal["left", "right"]
Character = Annotated[str, Field(min_length=1, max_length=1)]


class Redaction(Spec):
    """Text aligned to one side, padded to a common length, and redacted from one end."""

    WHAT = "codes, redacted character by character"

    kind: Literal["redaction"] = "redaction"
    align: Side = "left"
    """The side at which values of unequal lengths begin together."""
    redact: Side = "right"
    """The end that redaction begins at."""
    character: Character = "*"
    """What stands in place of a redacted character."""
    pad: Character | None = None
    """Fills values up; the redaction character unless given."""
    length: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """The common length; that of the longest value of the data unless given."""
    steps: list[Annotated[int, Field(ge=1)]] | None = Field(None, min_length=1, max_length=MOST_LEVELS)
    """How many characters each level redacts; one more a level unless given."""
    top: Top | None = None
    """A level above; needed, and `*` unless given, only where the last step leaves characters."""
    grouped: dict[Label, Annotated[list[Label], Field(min_length=1)]] | None = Field(None, min_length=1)
    """LABEL: [BEGINNING, ...]: codes that begin so read LABEL wherever characters are redacted, as ZIP codes of small areas read 000."""

    @model_validator(mode="after")
    def _growing_steps(self) -> "Redaction":
        for few, many in pairwise(self.steps or []):
            if many <= few:
                raise ValueError(f"steps: {many} characters do not follow {few}; each level redacts more than the one below")
        if self.steps is not None and self.length is not None and self.steps[-1] > self.length:
            raise ValueError(f"steps: {self.steps[-1]} characters are more than the common length of {self.length}")
        return self

    @model_validator(mode="after")
    def _shown_beginnings(self) -> "Redaction":
        """Grouped beginnings have to be what the first level shows, or a level above would split a group."""
        if self.grouped is None:
            return self
        if self.redact != "right" or self.length is None or self.steps is None:
            raise ValueError("grouped: needs `redact: right`, a `length` and `steps`, which say how long the beginnings are")
        beginnings = [beginning for group in self.grouped.values() for beginning in group]
        shown = self.length - self.steps[0]
        for beginning in beginnings:
            if len(beginning) != shown:
                raise ValueError(f"grouped: {beginning!r} is not as long as what level 1 shows, {shown} characters")
            if beginnings.count(beginning) > 1:
                raise ValueError(f"grouped: {beginning!r} is listed twice; keep one")
        return self

"""Codes whose characters are redacted, one level after the other."""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from duckanon.hierarchy.base import MOST_LEVELS, Spec, Top

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

    @model_validator(mode="after")
    def _growing_steps(self) -> "Redaction":
        for few, many in pairwise(self.steps or []):
            if many <= few:
                raise ValueError(f"steps: {many} characters do not follow {few}; each level redacts more than the one below")
        if self.steps is not None and self.length is not None and self.steps[-1] > self.length:
            raise ValueError(f"steps: {self.steps[-1]} characters are more than the common length of {self.length}")
        return self

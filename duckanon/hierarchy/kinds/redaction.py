"""Codes whose characters are redacted level by level."""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS, Label, Spec, Top
from duckanon.hierarchy.lookup import Lookup, lookup_statement
from duckanon.hierarchy.table_source import longest_value

Side = Literal["left", "right"]
Character = Annotated[str, Field(min_length=1, max_length=1)]


class Redaction(Spec):
    """Text aligned to one side, padded to a common length, and redacted from one end."""

    WHAT = "codes, redacted character by character"

    kind: Literal["redaction"] = "redaction"
    align: Side = "left"
    """The side at which values of different lengths are aligned."""
    redact: Side = "right"
    """The end at which redaction begins."""
    character: Character = "*"
    """The character that replaces a redacted character."""
    pad: Character | None = None
    """The character that pads short values; the redaction character by default."""
    length: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """The common length; by default that of the longest value of the data."""
    steps: list[Annotated[int, Field(ge=1)]] | None = Field(None, min_length=1, max_length=MOST_LEVELS)
    """The number of characters that each level redacts; by default one more on each level."""
    top: Top | None = None
    """The label of a level above. Needed only if the last step leaves characters; then `*` by default."""
    grouped: dict[Label, Annotated[list[Label], Field(min_length=1)]] | None = Field(None, min_length=1)
    """LABEL: [PREFIX, ...]: on every redacted level, codes with these prefixes have this label, as ZIP codes of small areas have 000."""

    extension: Annotated[int, Field(ge=1, le=100)] | None = None
    """The characters that longer codes have after the common length, as ZIP+4 has 4. They are never shown, nor are blanks and hyphens."""

    @property
    def has_floor(self) -> bool:
        return self.grouped is not None

    @model_validator(mode="after")
    def _growing_steps(self) -> "Redaction":
        for few, many in pairwise(self.steps or []):
            if many <= few:
                raise ValueError(
                    f"steps: {many} characters do not follow {few}; write growing numbers, because each level redacts more than the one below"
                )
        if self.steps is not None and self.length is not None and self.steps[-1] > self.length:
            raise ValueError(f"steps: {self.steps[-1]} characters exceed the common length of {self.length}")
        return self

    @model_validator(mode="after")
    def _shown_beginnings(self) -> "Redaction":
        """Check that grouped prefixes are what the first level shows; otherwise a higher level would split a group."""
        if self.extension is not None and self.length is None:
            raise ValueError("extension: needs the `length` of the codes without it")
        if self.grouped is None:
            return self
        if self.redact != "right" or self.length is None or self.steps is None:
            raise ValueError(
                "grouped: needs `redact: right`, a `length` and `steps`, which determine the length of the prefixes"
            )
        beginnings = [beginning for group in self.grouped.values() for beginning in group]
        shown = self.length - self.steps[0]
        for beginning in beginnings:
            if len(beginning) != shown:
                raise ValueError(f"grouped: {beginning!r} has {len(beginning)} characters, but level 1 shows {shown}")
            if beginnings.count(beginning) > 1:
                raise ValueError(f"grouped: {beginning!r} is listed twice; keep one")
        return self

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        length = self.length if self.length is not None else max(1, longest_value(engine, column)[0], *(self.steps or ()))
        steps = self.steps or list(range(1, length + 1))
        if len(steps) > MOST_LEVELS:
            raise HierarchyError(
                f"one level per character needs {length:,} levels, more than {MOST_LEVELS}; "
                f"choose levels with `steps: [2, 5, {length}]`, or use another kind if column {column.name!r} is not a code"
            )
        top = self.top or (None if steps[-1] == length else "*")
        shown = {"align": self.align, "redact": self.redact, "character": self.character, "pad": self.pad or self.character}
        parameters = {"length": length, "steps": steps, "top": top, "grouped": self.grouped or {}, **shown}
        parameters |= {"floor": self.floor, "extension": self.extension, "is_number": column.is_number}
        return Lookup(
            lookup_statement("redaction", column, **parameters),
            len(steps) + (top is not None),
            top=top or self.character * length,
            rule=self.model_copy(update={"length": length}),
            relabels=self.floor or self.extension is not None,
        )

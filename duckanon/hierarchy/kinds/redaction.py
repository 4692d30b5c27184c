"""Codes whose characters are redacted level by level."""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS, Label, Spec, Top
from duckanon.hierarchy.lookup import Lookup, counted_values, rule_statement

Side = Literal["left", "right"]
Character = Annotated[str, Field(min_length=1, max_length=1)]
_SEPARATORS = "./- "


class Redaction(Spec):
    """Text aligned to one side, padded to a common length, and redacted from one end."""

    WHAT = "codes, redacted character by character"

    kind: Literal["redaction"] = "redaction"
    align: Side = "left"
    """The side at which values of different lengths are aligned."""
    redact: Side = "right"
    """The end at which redaction begins."""
    character: Annotated[str, Field(max_length=1)] = "*"
    """The character that replaces a redacted character; '' leaves it out, and the separator beside it: 1987 for 12.11.1987."""
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
    def _replaced(self) -> "Redaction":
        if not self.character and (
            self.redact == "right" or self.pad is None or not self.steps or self.steps[-1] == self.length
        ):
            raise ValueError("character: '' needs `redact: left`, a `pad`, and `steps` that leave characters")
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
        length = self.length if self.length is not None else max(1, counted_values(engine, column).longest, *(self.steps or ()))
        steps = self.steps or list(range(1, length + 1))
        if len(steps) > MOST_LEVELS:
            raise HierarchyError(
                f"one level per character needs {length:,} levels, more than {MOST_LEVELS}; "
                f"choose levels with `steps: [2, 5, {length}]`, or use another kind if column {column.name!r} is not a code"
            )
        top = self.top or (None if steps[-1] == length else "*")
        labels = [self._labelled(length, step, "text" if self.extension is None else "code") for step in (0, *steps)]
        labels += [literal(top)] if top is not None else []
        code, is_code = self._code(length, is_number=column.is_number)
        return Lookup(
            rule_statement(column, labels, f"{code} as code", f"{is_code}left(code, {length}) = code"),
            len(steps) + (top is not None),
            top=top or self.character * length,
            rule=self.model_copy(update={"length": length}),
            relabels=self.floor or self.extension is not None,
        )

    def _labelled(self, length: int, step: int, whole: str) -> str:
        """The SQL of the label of a code whose characters are redacted, as many as the step says."""
        redacted, kept = literal(self.character * step), length - step
        padded = f"{'rpad' if self.align == 'left' else 'lpad'}(code, {length}, {literal(self.pad or self.character)})"
        shown = f"left({padded}, {kept}) || {redacted}" if self.redact == "right" else f"{redacted} || right({padded}, {kept})"
        shown = shown if self.character else f"ltrim(right({padded}, {kept}), {literal(_SEPARATORS)})"
        shown = whole if step == 0 else shown
        if not self.grouped or step == length or (step == 0 and not self.floor):
            return shown
        whens = [
            f"when left({padded}, {len(prefixes[0])}) in ({', '.join(map(literal, prefixes))}) then {literal(label)}"
            for label, prefixes in self.grouped.items()
        ]
        return f"case {' '.join(whens)} else {shown} end"

    def _code(self, length: int, *, is_number: bool) -> tuple[str, str]:
        """The SQL of a code without its extension, and the condition that a text is a code, before others."""
        if self.extension is None:
            return "text", ""
        pattern = r"\.0$" if is_number else r"[\s\p{Z}-]"
        whole = f"regexp_replace(text, {literal(pattern)}, '', 'g')"
        longest = length + self.extension
        if is_number and self.align == "right":
            pad = literal(self.pad or self.character)
            is_long = f"length({whole}) between {length + self.extension // 2 + 1} and {longest}"
            cut = f"ltrim(left(lpad({whole}, {longest}, {pad}), {length}), {pad})"
        else:
            is_long, cut = f"length({whole}) = {longest}", f"left({whole}, {length})"
        code = f"case when length({whole}) <= {length} then {whole} when {is_long} then {cut} end"
        return code, rf"regexp_full_match({whole}, '\d+') and " if is_number else ""

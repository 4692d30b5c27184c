"""Codes generalized by their first characters: by a number of characters, or by ranges with a label each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, field_validator, model_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal
from duckanon.hierarchy.base import MOST_LEVELS, Functional, Label
from duckanon.hierarchy.lookup import Lookup, rule_statement

_RANGE = re.compile(r"([^\s,-]+)(?:\s*-\s*([^\s,-]+))?")
_LONGEST = 1_000


@dataclass(frozen=True)
class Beginnings:
    """The codes whose first `length` characters lie between two prefixes, both included, in character order."""

    first: str
    last: str

    @property
    def length(self) -> int:
        return len(self.first)


def _as_ranges(ranges: Any) -> Any:
    """Split `A00-B99, U07` into a list."""
    parts = [part.strip() for part in ranges.split(",")] if isinstance(ranges, str) else ranges
    if not isinstance(parts, list) or not all(isinstance(part, str | int) for part in parts):
        raise ValueError("is not ranges; write a text such as A00-B99, C00, or a list of ranges")
    return [str(part) for part in parts]


Ranges = Annotated[list[str], BeforeValidator(_as_ranges), Field(min_length=1)]
Level = Annotated[
    Annotated[int, Field(ge=1, le=_LONGEST), Tag("kept")] | Annotated[dict[Label, Ranges], Tag("ranges")],
    Discriminator(lambda level: "ranges" if isinstance(level, dict) else "kept"),
]


class Codes(Functional):
    """Each level keeps the first characters of a code (a number), or labels ranges of prefixes (LABEL: A00-B99, C00)."""

    WHAT = "codes, by their first characters or by ranges of prefixes"
    TAGS = ("kept", "ranges")

    kind: Literal["codes"] = "codes"
    levels: list[Level] = Field(min_length=1, max_length=MOST_LEVELS - 1)
    """For each level, from fine to coarse: the number of characters it keeps, or its labels with their ranges."""
    ignore: str = ""
    """Characters that are ignored, such as the dot of E11.9."""
    digits: Annotated[int, Field(ge=1, le=38)] | None = None
    """The number of digits of the codes, for a column of numbers, which has lost the leading zeros."""
    other: Label | None = None
    """The label of a code in no range of a level. Without it, the hierarchy does not cover such a code."""

    @field_validator("levels")
    @classmethod
    def _kept(cls, levels: list[int | dict[str, list[str]]]) -> list[int | dict[str, list[str]]]:
        for number, (below, above) in enumerate(pairwise(levels), start=2):
            if isinstance(above, int) and (not isinstance(below, int) or above >= below):
                raise ValueError(
                    f"level {number} keeps {above} characters, but must keep fewer than the level below; put levels of ranges above those of characters"
                )
        return levels

    @model_validator(mode="after")
    def _apart(self) -> "Codes":
        for number in range(1, len(self.levels) + 1):
            ranges = sorted(self.beginnings(number), key=lambda span: span[1].first)
            lengths = {span.length for _, span in ranges}
            if len(lengths) > 1:
                raise ValueError(
                    f"the ranges of level {number} begin with {sorted(lengths)} characters; give all the same length"
                )
            for (_, span), (_, other) in pairwise(ranges):
                if other.first <= span.last:
                    raise ValueError(
                        f"ranges {span.first}-{span.last} and {other.first}-{other.last} of level {number} overlap; give each code one range"
                    )
        return self

    def beginnings(self, level: int) -> Iterator[tuple[str, Beginnings]]:
        """The ranges of a level with their labels; none if it keeps characters. Raises `ValueError` for an invalid range."""
        level_ranges = self.levels[level - 1]
        for label, ranges in level_ranges.items() if isinstance(level_ranges, dict) else ():
            for text in ranges:
                match = _RANGE.fullmatch(text.strip())
                if match is None:
                    raise ValueError(f"{text!r} is not a range of codes; write A00-B99, or a single prefix")
                first, last = match[1].upper(), (match[2] or match[1]).upper()
                if len(first) != len(last) or first > last:
                    raise ValueError(
                        f"{text!r} is not a range: write both ends with the same number of characters, the lower end first"
                    )
                yield label, Beginnings(first, last)

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        labels = ["text", *map(self._label, range(1, len(self.levels) + 1)), literal(self.top)]
        code = f"upper(translate(text, {literal(self.ignore)}, ''))" if self.ignore else "upper(text)"
        if column.is_number and self.digits:
            code = f"lpad(text, cast(greatest(length(text), {self.digits}) as integer), '0')"
        ranged = [number for number, level in enumerate(self.levels, start=1) if isinstance(level, dict)]
        return Lookup(
            rule_statement(column, labels, f"{code} as code", ranged=ranged), len(labels) - 1, top=self.top, rule=self
        )

    def _label(self, number: int) -> str:
        """The SQL of the label of a code on a level: its first characters, or the label of the range that has them."""
        level = self.levels[number - 1]
        if isinstance(level, int):
            return f"left(code, {level}) || '*'"
        whens = [
            f"when length(code) >= {span.length} and left(code, {span.length}) between {literal(span.first)} and {literal(span.last)} "
            f"then {literal(label)}"
            for label, span in self.beginnings(number)
        ]
        return f"case {' '.join(whens)}{f' else {literal(self.other)}' if self.other is not None else ''} end"

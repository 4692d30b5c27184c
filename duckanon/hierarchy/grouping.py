"""Groups of neighbours: sequences of sizes that repeat, and the functions that name what was grouped."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from duckanon.hierarchy.base import MOST_LEVELS, HierarchyModel, Label

_FUNCTION = re.compile(r"(set|bounds|interval|prefix\((\d{1,4})\)|common-prefix(?:\((.)\))?)")
_LARGEST_GROUP = 2**62


@dataclass(frozen=True)
class LabelFunction:
    """How a label is made of what it stands for: `prefix` with a length, `common-prefix` perhaps with a character to fill up."""

    name: str
    length: int = 0
    fill: str | None = None

    @classmethod
    def parse(cls, text: str) -> "LabelFunction":
        """`set`, `prefix(2)`, `common-prefix`, `common-prefix(*)`, `bounds`, `interval`; raises `ValueError`."""
        match = _FUNCTION.fullmatch(text)
        if match is None or match[2] == "0":
            raise ValueError(
                f"{text!r} is no label function; they are set, prefix(N), common-prefix, common-prefix(*), bounds and interval; "
                "a constant text is a `label`"
            )
        return cls(text.partition("(")[0], int(match[2] or 0), match[3])


def _as_function(text: str) -> str:
    LabelFunction.parse(text)
    return text


Function = Annotated[str, AfterValidator(_as_function)]
"""How labels are made of what they stand for: `set`, `bounds`, `interval`, `prefix(2)`, `common-prefix`, `common-prefix(*)`."""
Duplicates = Literal["refuse", "number"]
"""What becomes of a label that would stand for several groups of one level."""


class Named(HierarchyModel):
    """A part of a sequence: its label, or the function that makes it, or the one that the hierarchy names."""

    label: Label | None = None
    """Its label."""
    function: Function | None = None
    """What makes its label, in place of the hierarchy's own."""

    @model_validator(mode="after")
    def _named_once(self) -> "Named":
        if self.label is not None and self.function is not None:
            raise ValueError("has a label and a function; keep one")
        return self


class LabelGroup(Named):
    """So many neighbours of the level below; a number alone is a size."""

    size: Annotated[int, Field(ge=1, le=_LARGEST_GROUP)]
    """Neighbours of the level below."""

    @model_validator(mode="before")
    @classmethod
    def _sized(cls, group: Any) -> Any:
        return group if isinstance(group, dict | LabelGroup) else {"size": group}


Groups = Annotated[list[Annotated[list[LabelGroup], Field(min_length=1)]], Field(max_length=MOST_LEVELS - 2)]
"""For each level above the first its sequence of groups, which repeats."""


@dataclass(frozen=True)
class Cycle:
    """A sequence of parts that repeats for ever, counted from 0: its lengths, and how each part is named."""

    lengths: tuple[int, ...]
    names: tuple[str | LabelFunction, ...]
    """A text is a label of its own."""

    @classmethod
    def of(cls, parts: Sequence[Named], lengths: Sequence[int], function: str) -> "Cycle":
        names = [part.label if part.label is not None else LabelFunction.parse(part.function or function) for part in parts]
        return cls(tuple(lengths), tuple(names))

    @property
    def size(self) -> int:
        return len(self.lengths)

    @property
    def length(self) -> int:
        return sum(self.lengths)

    @property
    def needs_bounds(self) -> bool:
        """Whether a name is made of what the part holds, or a single part may be drawn to an open end."""
        return self.size > 1 or not isinstance(self.names[0], str)

    @property
    def starts(self) -> list[int]:
        """Where each part begins, from the begin of the sequence."""
        return [0, *accumulate(self.lengths)][:-1]

    @property
    def shared(self) -> dict[str, list[int]]:
        """The places of the parts with a label of their own, by label."""
        places: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            if isinstance(name, str):
                places.setdefault(name, []).append(place)
        return places

    def part_at(self, position: int) -> int:
        """The number of the part that holds a position."""
        repeat, rest = divmod(position, self.length)
        return repeat * self.size + max(place for place, start in enumerate(self.starts) if start <= rest)

    def repeated(self, first: int | None, last: int | None) -> Iterator[str]:
        """The labels that would stand for several parts between two numbers, None for no end."""
        if first is None or last is None or last - first >= 2 * self.size:
            yield from self.shared
            return
        counts = Counter(self.names[number % self.size] for number in range(first, last + 1))
        yield from (label for label in self.shared if counts[label] > 1)

    def before(self, label: str, part: int) -> int:
        """How many parts before one, counted from part 0, bear a label."""
        repeat, place = divmod(part, self.size)
        places = self.shared[label]
        return repeat * len(places) + sum(other < place for other in places)

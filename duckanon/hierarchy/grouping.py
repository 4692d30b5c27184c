"""Groups of neighbours: repeating sequences of sizes, and the functions that make labels."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from duckanon.engine.templates import literal
from duckanon.hierarchy.base import MOST_LEVELS, HierarchyModel, Label

_FUNCTION = re.compile(r"(set|bounds|interval|prefix\((\d{1,4})\)|common-prefix(?:\((.)\))?)")
_LARGEST_GROUP = 2**62


@dataclass(frozen=True)
class LabelFunction:
    """How a label is made from its members: `prefix` has a length; `common-prefix` may have a fill character."""

    name: str
    length: int = 0
    fill: str | None = None

    @classmethod
    def parse(cls, text: str) -> "LabelFunction":
        """Parse `set`, `prefix(2)`, `common-prefix`, `common-prefix(*)`, `bounds` or `interval`; raises `ValueError`."""
        match = _FUNCTION.fullmatch(text)
        if match is None or match[2] == "0":
            raise ValueError(
                f"{text!r} is not a label function; use set, prefix(N), common-prefix, common-prefix(*), bounds or interval; "
                "write a constant text as `label`"
            )
        return cls(text.partition("(")[0], int(match[2] or 0), match[3])


def _as_function(text: str) -> str:
    LabelFunction.parse(text)
    return text


Function = Annotated[str, AfterValidator(_as_function)]
"""How labels are made from their members: `set`, `bounds`, `interval`, `prefix(2)`, `common-prefix`, `common-prefix(*)`."""
Duplicates = Literal["refuse", "number"]
"""What happens if several groups of one level would have the same label."""


class Named(HierarchyModel):
    """A part of a sequence: with a label, with its own label function, or with that of the hierarchy."""

    label: Label | None = None
    """Its label."""
    function: Function | None = None
    """Its own label function, in place of that of the hierarchy."""

    @model_validator(mode="after")
    def _named_once(self) -> "Named":
        if self.label is not None and self.function is not None:
            raise ValueError("has a label and a function; keep one")
        return self


class LabelGroup(Named):
    """A number of neighbours of the level below; a plain number is a size."""

    size: Annotated[int, Field(ge=1, le=_LARGEST_GROUP)]
    """The number of neighbours of the level below."""

    @model_validator(mode="before")
    @classmethod
    def _sized(cls, group: Any) -> Any:
        return group if isinstance(group, dict | LabelGroup) else {"size": group}


Groups = Annotated[list[Annotated[list[LabelGroup], Field(min_length=1)]], Field(max_length=MOST_LEVELS - 2)]
"""For each level above the first, its repeating sequence of groups."""


@dataclass(frozen=True)
class Cycle:
    """A sequence of parts that repeats without end, counted from 0: the lengths and the names of its parts."""

    lengths: tuple[int, ...]
    names: tuple[str | LabelFunction, ...]
    """A text is a label; otherwise a label function."""

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
        """Whether a label is made from the members, or a single part may extend to an open end."""
        return self.size > 1 or not isinstance(self.names[0], str)

    @property
    def starts(self) -> list[int]:
        """The offset of each part from the start of the sequence."""
        return [0, *accumulate(self.lengths)][:-1]

    @property
    def shared(self) -> dict[str, list[int]]:
        """The positions of the parts that have a label, by label."""
        places: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            if isinstance(name, str):
                places.setdefault(name, []).append(place)
        return places

    def part_at(self, position: int) -> int:
        """The number of the part that contains a position."""
        repeat, rest = divmod(position, self.length)
        return repeat * self.size + max(place for place, start in enumerate(self.starts) if start <= rest)

    def repeated(self, first: int | None, last: int | None) -> Iterator[str]:
        """The labels that would be shared by several parts between two numbers; None for an open end."""
        if first is None or last is None or last - first >= 2 * self.size:
            yield from self.shared
            return
        counts = Counter(self.names[number % self.size] for number in range(first, last + 1))
        yield from (label for label in self.shared if counts[label] > 1)

    def before(self, label: str, part: int) -> int:
        """The number of parts with a label from part 0 up to, but not including, a part."""
        repeat, place = divmod(part, self.size)
        places = self.shared[label]
        return repeat * len(places) + sum(other < place for other in places)

    def place_sql(self, part: str) -> str:
        """The index of a part in its cycle, from 0, for a name or an expression in brackets."""
        return f"({part} % {self.size} + {self.size}) % {self.size}"

    def part_sql(self, position: str) -> str:
        """The number of the part that contains a position; parts are numbered from 0 upwards and from -1 downwards."""
        rest = f"({position} % {self.length} + {self.length}) % {self.length}"
        number = f"({position} - {rest}) // {self.length}"
        if self.size == 1:
            return number
        starts = ", ".join(map(str, self.starts[1:]))
        return f"{number} * {self.size} + len(list_filter([{starts}], lambda start: start <= {rest}))"

    def start_sql(self, part: str) -> str:
        """The position at which a part begins."""
        if self.size == 1:
            return f"{part} * {self.length}"
        place, starts = self.place_sql(part), ", ".join(map(str, self.starts))
        return f"({part} - {place}) // {self.size} * {self.length} + [{starts}][cast({place} as integer) + 1]"

    def numbered_sql(self, label: str, place: int, part: str, first: int) -> str:
        """A given label, numbered if it is the label of several parts from the first on."""
        places = self.shared[label]
        number = f"({part} - {place}) // {self.size} * {len(places)} + {places.index(place) - self.before(label, first)}"
        return f"{literal(label)} || coalesce('-' || nullif({number}, 0), '')"


def common_prefix_sql(first: str, other: str, length: str, fill: str | None) -> str:
    """The longest common prefix of two texts, padded to a length if a character is given."""
    prefix = f"left({first}, len(list_filter(range(1, length({first}) + 1), lambda n: left({first}, n) = left({other}, n))))"
    return prefix if fill is None else f"rpad({prefix}, cast({length} as integer), {literal(fill)})"

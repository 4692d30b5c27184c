"""How a page shows texts of users and figures: texts are short and without invisible characters, missing figures have a word."""

import math
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import Undefined

from duckanon.formatting import figure

UNKNOWN = "\N{EN DASH}"
WITHHELD = "not published"
"""A withheld figure other than a count."""


@dataclass(frozen=True)
class Wording:
    """How figures are written; with a least count, a withheld count is written as `fewer than {least}`."""

    least: int | None = None

    def count(self, value: Any) -> str:
        """1,234"""
        if value is None and self.least is not None:
            return f"fewer than {self.least}"
        return f"{value:,}" if isinstance(value, int) else self.figure(value)

    def share(self, value: Any) -> str:
        """12.3%"""
        if not _is_number(value):
            return self._missing(value)
        if value in (0, 1):
            return f"{100 * value:.0f}%"
        if abs(value) < 0.001:
            return f"{100 * value:.2g}%"
        return f"{100 * value:.1f}%"

    def figure(self, value: Any) -> str:
        """0.123"""
        if not _is_number(value):
            return self._missing(value)
        return figure(value)

    def cell(self, value: Any) -> str:
        """A figure by its type, any other value as text."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None or isinstance(value, int | float | Undefined):
            return self.count(value)
        return str(value)

    def _missing(self, value: Any) -> str:
        """In the variant for publication, None means withheld; elsewhere it means unknown."""
        if value is None and self.least is not None:
            return WITHHELD
        return str(value) if isinstance(value, str) and value else UNKNOWN


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_figure(value: Any) -> bool:
    """Whether a cell is a figure, which is aligned to the right."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


LABEL = 60
"""The maximum length of a name or a value."""

_ABOUT = 1_001
"""The maximum length of an entry of `about`; the user chooses its keys."""

_LIMITS = {
    "about": _ABOUT,
    "means": 400,
    "named": 400,
    "reason": 400,
    "why": 400,
    "what": 400,
    "failed": 400,
    "warnings": 1_000,
    "levels": 400,
    "change": 200,
    "option": 400,
    "action": 200,
    "path": 400,
    "sha256": 200,
    "fingerprint": 200,
    "command": 4_000,
    "job": 100_000,
}
"""The maximum lengths of prose, paths and whole files, by key."""

_ZERO_WIDTH_JOINER = "\u200d"
"""Kept, since it joins the parts of an emoji."""

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def shown(text: str, limit: int = LABEL) -> str:
    """A text cut to its limit; a label is one line, prose keeps its lines."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    seen = "".join(_seen(character, keeps_lines=limit > LABEL) for character in cut)
    is_mixed = limit <= LABEL and any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in seen)
    # a label that runs from right to left does not move the words and figures beside it
    return f"\u2066{seen}\u2069" if is_mixed else seen


def _seen(character: str, *, keeps_lines: bool) -> str:
    if character in "\n\t" and keeps_lines:
        return character
    if character == _ZERO_WIDTH_JOINER or unicodedata.category(character) not in _UNSEEN:
        return character
    if ord(character) < 0x20:
        return chr(0x2400 + ord(character))
    return f"\\u{ord(character):04x}"


def distinct(labels: Iterable[str]) -> list[str]:
    """The labels; equal labels get numbers, because a chart would draw them as one."""
    given: list[str] = []
    taken: set[str] = set()
    for label in labels:
        name, number = label, 1
        while name in taken:
            number += 1
            name = f"{label} ({number})"
        taken.add(name)
        given.append(name)
    return given


def cleaned(value: Any, limit: int = LABEL) -> Any:
    """A document with all texts and keys shortened and made visible; figures that are not finite become None."""
    match value:
        case str():
            return shown(value, limit)
        case Mapping():
            keys = distinct(shown(str(key)) for key in value)
            return {
                name: cleaned(item, _LIMITS.get(str(key), limit)) for name, (key, item) in zip(keys, value.items(), strict=True)
            }
        case list() | tuple():
            return [cleaned(item, limit) for item in value]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value

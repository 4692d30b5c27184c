"""Texts of users as a page shows them: short, and without invisible characters."""

import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

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

"""Names of persons, by a short list of usual given names and surnames of several languages, titles and initials.

The list leaves out names that are better known as places, months, colours or things (Austin, Paris, May, Rose), and surnames that are usual words.
"""

import re
import unicodedata
from functools import cache
from importlib import resources
from typing import Literal

Kind = Literal["full", "part"]
_LEAST_LETTERS = 3
"""Shorter names are also words of many languages."""


def _plain(text: str) -> str:
    """In lower case, without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))


def _names(text: str) -> frozenset[str]:
    return frozenset(_plain(text).split())


@cache
def _listed() -> tuple[frozenset[str], frozenset[str]]:
    """The given names, and the surnames."""
    text = resources.files("duckanon.dataset").joinpath("person_names.txt").read_text(encoding="utf-8")
    given, surnames = (part.partition("\n")[2] for part in text.split("# ")[1:])
    return _names(given), _names(surnames)


@cache
def _known() -> frozenset[str]:
    """The given names and the surnames."""
    return frozenset.union(*_listed())


def given_names() -> list[str]:
    """The given names of at least three letters, in lower case, without accents."""
    return sorted(name for name in _listed()[0] if len(name) >= _LEAST_LETTERS)


def surnames() -> list[str]:
    """The surnames of at least three letters, in lower case, without accents."""
    return sorted(name for name in _listed()[1] if len(name) >= _LEAST_LETTERS)


_TITLES = _names(
    "mr mrs ms miss dr prof sir herr frau mme mlle monsieur madame sr sra srta senor senora sig signora dott ing rev"
)
_PARTICLES = _names("de del della di da do dos das van von der den ter la le el al bin ibn ben y e i jr ii iii o")
_OF_PLACES = _names(
    """
    san santa sao saint st ste sankt new old north south east west nord sud ost fort port lake mount mt cape grand great los las villa bad la le el the puerto rio monte upper lower little
    """
)
_OF_OTHERS = _names(
    """
    city county town village island islands beach springs park hill hills valley river street st avenue road lane square bridge university college school hospital clinic institute church bank inc ltd llc gmbh ag sa plc co
    company corp group and und et son sons brothers bros center centre club hotel house award prize disease syndrome syndrom
    """
)
_TEXT = re.compile(r"[^\W\d_]+(?:(?:[ \t]*[,.][ \t]*|[ \t]+|['\u2019-])[^\W\d_]+)*\.?")


def name_kind(text: str) -> Kind | None:
    """Whether a text is a full name, or a first or a last name; None if neither."""
    if _TEXT.fullmatch(text) is None:
        return None
    plain = _plain(text).replace("'", "").replace("\u2019", "")
    if plain in _known():
        return "part"
    words = [word for word in re.split(r"[\s,.-]+", plain) if word]
    if len(words) > 6 or (len(words) > 1 and (words[0] in _OF_PLACES or _OF_OTHERS.intersection(words[1:]))):
        return None
    has_title, has_initial = bool(_TITLES.intersection(words[:2])) and len(words) > 1, any(len(word) == 1 for word in words)
    names = [word for word in words if len(word) > 1 and word not in _TITLES and word not in _PARTICLES]
    known = [word for word in names if word in _known()]
    if has_title and names:
        return "full"
    if not known or len(names) > 5:
        return None
    return "full" if len(names) > 1 or has_initial else "part"

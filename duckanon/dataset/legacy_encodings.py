"""The encoding of text in one of the code pages that were used before UTF-8: the one that gives words, if only one does.

Several code pages give words for the same bytes, such as `Kovačić` and `Kovaèiæ`. Then two detectors with different models must agree:
for names of 31 languages in 70 encodings they never agreed on a wrong one of these, although each alone was wrong in 5 to 20 percent.
"""

import codecs
import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from duckanon.errors import did_you_mean

CANDIDATES: Mapping[str, str] = {
    "cp1252": "Western European, Windows",
    "iso8859-15": "Western European, ISO",
    "cp1250": "Central European, Windows",
    "iso8859-2": "Central European, ISO",
    "cp1254": "Turkish, Windows",
    "cp1257": "Baltic, Windows",
    "cp1251": "Cyrillic, Windows",
    "koi8-r": "Russian, Unix",
    "koi8-u": "Ukrainian, Unix",
    "iso8859-5": "Cyrillic, ISO",
    "cp866": "Cyrillic, DOS",
    "mac-cyrillic": "Cyrillic, old Macintosh",
    "cp1253": "Greek, Windows",
    "iso8859-7": "Greek, ISO",
    "cp1255": "Hebrew, Windows",
    "cp1256": "Arabic, Windows",
    "iso8859-6": "Arabic, ISO",
    "cp1258": "Vietnamese, Windows",
    "cp874": "Thai, Windows",
    "cp932": "Japanese, Windows",
    "euc-jp": "Japanese, Unix",
    "gb18030": "Chinese, simplified",
    "big5": "Chinese, traditional",
    "cp949": "Korean, Windows",
    "cp850": "Western European, DOS",
    "cp852": "Central European, DOS",
    "mac-roman": "Western European, old Macintosh",
    "mac-latin2": "Central European, old Macintosh",
    "iso8859-16": "Romanian, ISO",
}
"""The encodings that are recognized, the most common ones of each script first."""
_RARE = {"cp850", "cp852", "cp866", "mac-roman", "mac-latin2", "mac-cyrillic"}
"""Encodings of old machines, that often match a stray byte."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x80-\x84\x86-\x9f]")
"""Characters that no table holds: a byte that stands for one is read in a wrong encoding."""
_WORD = re.compile(r"(?:[A-Za-z]|[^\x00-\x7f])*[^\x00-\x7f](?:[A-Za-z]|[^\x00-\x7f])*")
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC")
_LEAST_WORDS = 8
"""With fewer different words, detectors guess."""
_LEAST_PLAUSIBLE, _MARGIN = 0.8, 0.03


def decoded(text: bytes, encoding: str) -> str | None:
    """The text, or None if it is not in this encoding."""
    try:
        return text.decode(encoding)
    except UnicodeError:
        return None


def known(name: str) -> str:
    """Python's name of an encoding of text; raises `ValueError` if there is none."""
    try:
        codec = codecs.lookup(name)
        b"".decode(name)
    except LookupError:
        raise ValueError(f"{name!r} is no encoding{did_you_mean(name, CANDIDATES)}") from None
    return codec.name


def decided(sample: bytes) -> tuple[str | None, list[str]]:
    """The encoding of a sample of lines, None if the lines do not decide it; and those that give words, one for each text."""
    encodings: dict[str, str] = {}
    for encoding, text in _plausible(sample).items():
        encodings.setdefault(text, encoding)
    texts = {encoding: text for text, encoding in encodings.items()}
    is_short = max((len(_words(text)) for text in texts.values()), default=0) < _LEAST_WORDS
    if len(texts) <= 1 and not (is_short and texts.keys() & _RARE):
        return next(iter(texts), None), list(texts)
    if is_short:
        return None, list(texts)
    import cchardet
    import chardet

    names = list(texts)
    named = (
        chardet.detect(sample, include_encodings=names, no_match_encoding=names[0])["encoding"],
        cchardet.detect(sample)["encoding"],
    )
    first, second = (None if name is None else _read(sample, name) for name in named)
    agreed = [encoding for encoding, text in texts.items() if text == first == second]
    return agreed[0] if agreed else None, list(texts)


def title(encoding: str) -> str:
    """How messages name an encoding."""
    return f"{encoding} ({CANDIDATES[encoding]})" if encoding in CANDIDATES else encoding


def _read(sample: bytes, name: str) -> str | None:
    try:
        return decoded(sample, name)
    except LookupError:
        return None


def _plausible(sample: bytes) -> dict[str, str]:
    """The encodings that give as many well-formed words as the best one, with the text in each."""
    texts = {encoding: text for encoding in CANDIDATES if (text := decoded(sample, encoding)) and not CONTROL.search(text)}
    shares = {}
    for encoding, text in texts.items():
        words = _words(text)
        shares[encoding] = sum(map(_is_word, words)) / len(words) if words else 1.0
    least = max(_LEAST_PLAUSIBLE, max(shares.values(), default=0) - _MARGIN)
    return {encoding: texts[encoding] for encoding, share in shares.items() if share >= least}


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if any(map(str.isalpha, word))}


def _is_word(text: str) -> bool:
    """Whether a text consists of letters of one script, with capitals at the beginning or throughout."""
    if not all(unicodedata.category(character)[0] in "LM" for character in text):
        return False
    is_plain = unicodedata.normalize("NFKC", text) == unicodedata.normalize("NFC", text)
    has_case = text[1:] == text[1:].lower() or text == text.upper()
    return is_plain and has_case and len({_script(character) for character in text} - {"COMBINING"}) == 1


@cache
def _script(character: str) -> str:
    name = unicodedata.name(character, "?").split()[0].partition("-")[0]
    return "EAST" if name in _EAST_ASIAN else name

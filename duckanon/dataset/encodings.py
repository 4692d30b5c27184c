"""The encoding of text files: what is not UTF-8 is converted to it, from the encoding that is named or that the text decides.

Several code pages give words for the same bytes, such as `Kovačić` and `Kovaèiæ`. Then two detectors with different models must agree:
for names of 31 languages in 70 encodings they never agreed on a wrong one of these, although each alone was wrong in 5 to 20 percent.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO

from duckanon.dataset.location import Source
from duckanon.dataset.private_copy import decompressed, first_lines, rewritten
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError, did_you_mean

_CHUNK_BYTES = 1 << 20
_LEAST_NULS = 0.25
"""In UTF-16 text of a western language, at least this share of the bytes at even or at odd offsets is NUL."""
_LEGACY = "legacy"
"""Stands for an encoding of one or two bytes a character, until it is known which."""
_ASCII = bytes(range(128))
_MARKED = re.compile(codecs.BOM_UTF8 + rb'"([^"]|"")*[\r\n]')
"""A byte order mark before a first name with a line break, whose second line DuckDB 2.0 takes for a record."""
_SAMPLE_BYTES = 1 << 16
_MOST_NAMED = 4

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


def in_utf8(engine: Engine, source: Source) -> Source:
    """The input in UTF-8, by the first bytes of its files; raises `InputError` if their encoding is unknown."""
    encodings = [_encoding(file, source) for file in source.files]
    return _converted(engine, source, encodings) if any(encodings) else source


def from_legacy(engine: Engine, source: Source) -> Source:
    """The input in UTF-8, after DuckDB found a byte that is not UTF-8 behind the first bytes of a file."""
    return _converted(engine, source, [_LEGACY] * len(source.files))


def _encoding(path: Path, source: Source) -> str | None:
    """The encoding of a file by its first bytes, None for UTF-8."""
    head = first_lines(path, source)
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = head[::2].count(0), head[1::2].count(0)
    if head and max(even, odd) >= _LEAST_NULS * len(head):
        return "utf-16-be" if even > odd else "utf-16-le"
    if _MARKED.match(head):
        return "utf-8-sig"
    if b"\x1b$" in head:
        # the only one of these encodings whose bytes are all ASCII
        return "iso2022_jp"
    return None if decoded(head, "utf-8-sig") is not None else _LEGACY


def _converted(engine: Engine, source: Source, encodings: list[str | None]) -> Source:
    if _LEGACY in encodings:
        encodings = _with_legacy(source, encodings)
    of_files = dict(zip(source.files, encodings, strict=True))
    copy = rewritten(
        engine, source, "converting the text to UTF-8", lambda stream, file: _utf8(stream, of_files[file], source, file)
    )
    if used := dict.fromkeys(title(encoding) for encoding in encodings if encoding not in (None, "utf-8-sig", source.encoding)):
        engine.observer.note(
            f"{source.shown(source.files[0])} is encoded in {' and '.join(used)}; it is read as such, and `encoding` names another encoding"
        )
    return copy


def _with_legacy(source: Source, encodings: Sequence[str | None]) -> list[str | None]:
    """The encodings with that of the files that are not UTF-8; raises `InputError` if nothing names it and the text does not decide it."""
    if source.encoding is not None:
        return [source.encoding if encoding == _LEGACY else encoding for encoding in encodings]
    files = [file for file, encoding in zip(source.files, encodings, strict=True) if encoding == _LEGACY]
    samples = [_sample(file, source) for file in files]
    sample = b"".join(line for *_, lines in samples for line in lines)
    [(first, name), *_] = [
        (number, source.shown(file)) for file, (number, *_) in zip(files, samples, strict=True) if number
    ] or [(0, source.shown(files[0]))]
    encoding, plausible = decided(sample)
    if encoding is None and (second := next((number for _, number, _ in samples if number), 0)) and first:
        raise InputError(f"line {first} of {name} is not UTF-8 text, and line {second} is; save the file in one encoding")
    if encoding is None and not plausible:
        raise InputError(
            f"{name} is not UTF-8 text (line {first}), nor text in another encoding that duckanon recognizes; name its encoding with "
            "--set encoding=NAME, or save it as CSV in UTF-8 in the program that wrote it, or as Parquet"
        )
    if encoding is None:
        more = " and others" if len(plausible) > _MOST_NAMED else ""
        raise InputError(
            f"{name} is not UTF-8 text (line {first}), and its letters outside of ASCII do not decide its encoding, such as "
            f"{', '.join(map(title, plausible[:_MOST_NAMED]))}{more}; name it with --set encoding=NAME"
        )
    return [encoding if each == _LEGACY else each for each in encodings]


def _sample(path: Path, source: Source) -> tuple[int, int, list[bytes]]:
    """The numbers of the first line that is not UTF-8 and of the first one that is, and lines outside of ASCII: the first ones, and each with a byte that those before it lack."""
    first, first_utf8, size, number, known, lines = 0, 0, 0, 1, _ASCII, list[bytes]()
    with decompressed(path, source) as stream:
        while chunk := stream.readlines(_CHUNK_BYTES):
            whole = b"".join(chunk)
            if whole.translate(None, known) or (size < _SAMPLE_BYTES and not whole.isascii()):
                for place, line in enumerate(chunk):
                    if line.isascii() or (size >= _SAMPLE_BYTES and not line.translate(None, known)):
                        continue
                    lines.append(line)
                    known += bytes(set(line.translate(None, known)))
                    size += len(line)
                    if decoded(line, "utf-8") is None:
                        first = first or number + place
                    else:
                        first_utf8 = first_utf8 or number + place
            number += len(chunk)
    return first, first_utf8, lines


def _utf8(stream: BinaryIO, encoding: str | None, source: Source, file: Path) -> Iterator[bytes]:
    """The text of a file in UTF-8, in parts."""
    if encoding is not None and encoding in CANDIDATES and encoding != source.encoding:
        yield from _legacy_lines(stream, encoding, source.shown(file))
        return
    decoder, lines = codecs.getincrementaldecoder(encoding or "utf-8-sig")(), 1
    try:
        while chunk := stream.read(_CHUNK_BYTES):
            text = decoder.decode(chunk)
            if encoding == source.encoding is not None and (control := CONTROL.search(text)):
                lines += text.count("\n", 0, control.start())
                raise InputError(
                    f"line {lines} of {source.shown(file)} holds control characters if it is read as {encoding}; name another encoding (--set encoding=NAME)"
                )
            lines += text.count("\n")
            yield text.encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        start = getattr(error, "object", b"")[: getattr(error, "start", 0)]
        raise InputError(
            f"line {lines + start.count(10)} of {source.shown(file)} is not {encoding or 'utf-8'} text; name its encoding with --set encoding=NAME, "
            "or save it as CSV in UTF-8"
        ) from error


def _legacy_lines(stream: BinaryIO, encoding: str, name: str) -> Iterator[bytes]:
    """The lines of a file in UTF-8; raises `InputError` for one that is not in the encoding, or if some lines are UTF-8 already."""
    first_legacy = first_utf8 = 0
    for number, line in enumerate(stream, start=1):
        if line.isascii():
            yield line
            continue
        text = decoded(line, encoding)
        if decoded(line, "utf-8") is not None:
            first_utf8 = first_utf8 or number
        else:
            first_legacy = first_legacy or number
            if text is None or CONTROL.search(text):
                raise InputError(
                    f"line {number} of {name} is neither UTF-8 nor {encoding} text; name its encoding with --set encoding=NAME, or save it as CSV in UTF-8"
                )
        if first_legacy and first_utf8:
            raise InputError(
                f"line {first_legacy} of {name} is not UTF-8 text, and line {first_utf8} is; save the file in one encoding"
            )
        yield (text or "").encode()


def decoded(text: bytes, encoding: str) -> str | None:
    """The text, or None if it is not in this encoding, or Python does not know the encoding."""
    try:
        return text.decode(encoding)
    except (UnicodeError, LookupError):
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
    first, second = (None if name is None else decoded(sample, name) for name in named)
    agreed = [encoding for encoding, text in texts.items() if text == first == second]
    return agreed[0] if agreed else None, list(texts)


def title(encoding: str) -> str:
    """How messages name an encoding."""
    return f"{encoding} ({CANDIDATES[encoding]})" if encoding in CANDIDATES else encoding


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

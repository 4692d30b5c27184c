"""The encoding of text files: what is not UTF-8 is converted to it, from the encoding that is named or that the text decides."""

import codecs
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from duckanon.dataset.formats import bare, opened
from duckanon.dataset.legacy_encodings import CANDIDATES, CONTROL, decided, decoded, title
from duckanon.dataset.location import Source
from duckanon.dataset.private_copy import private_file
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError
from duckanon.observers import staged

HEAD_BYTES = 1 << 18
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


def in_utf8(engine: Engine, source: Source) -> Source:
    """The input in UTF-8, by the first bytes of its files; raises `InputError` if their encoding is unknown."""
    encodings = [_encoding(file, source) for file in source.files]
    return _converted(engine, source, encodings) if any(encodings) else source


def from_legacy(engine: Engine, source: Source) -> Source:
    """The input in UTF-8, after DuckDB found a byte that is not UTF-8 behind the first bytes of a file."""
    return _converted(engine, source, [_LEGACY] * len(source.files))


@contextmanager
def decompressed(path: Path, source: Source) -> Iterator[BinaryIO]:
    """The bytes of a file of the input."""
    try:
        with opened(path, source.compression) as stream:
            yield stream
    except (OSError, EOFError) as error:
        raise InputError(f"{source.shown(path)} cannot be read as a compressed file; is it complete?") from error


def _encoding(path: Path, source: Source) -> str | None:
    """The encoding of a file by its first bytes, None for UTF-8."""
    with decompressed(path, source) as stream:
        head = stream.read(HEAD_BYTES)
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
    text = head[: head.rfind(b"\n") + 1] if len(head) == HEAD_BYTES and b"\n" in head else head
    return None if decoded(text, "utf-8-sig") is not None else _LEGACY


def _converted(engine: Engine, source: Source, encodings: list[str | None]) -> Source:
    if _LEGACY in encodings:
        encodings = _with_legacy(source, encodings)
    files = []
    with staged(engine.observer, "converting the text to UTF-8"):
        for file, encoding in zip(source.files, encodings, strict=True):
            path = private_file(engine, bare(file))
            with decompressed(file, source) as stream, path.open("wb") as target:
                for chunk in _utf8(stream, encoding, source, file):
                    target.write(chunk)
            files.append(path)
    if used := dict.fromkeys(title(encoding) for encoding in encodings if encoding not in (None, "utf-8-sig", source.encoding)):
        engine.observer.note(
            f"{source.shown(source.files[0])} is encoded in {' and '.join(used)}; it is read as such, and --encoding names another encoding"
        )
    return replace(source, files=tuple(files), compression=None, is_copy=True)


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
            "--encoding, or save it as CSV in UTF-8 in the program that wrote it, or as Parquet"
        )
    if encoding is None:
        more = " and others" if len(plausible) > _MOST_NAMED else ""
        raise InputError(
            f"{name} is not UTF-8 text (line {first}), and its letters outside of ASCII do not decide its encoding, such as "
            f"{', '.join(map(title, plausible[:_MOST_NAMED]))}{more}; name it with --encoding"
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
                    f"line {lines} of {source.shown(file)} holds control characters if it is read as {encoding}; name another --encoding"
                )
            lines += text.count("\n")
            yield text.encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        start = getattr(error, "object", b"")[: getattr(error, "start", 0)]
        raise InputError(
            f"line {lines + start.count(10)} of {source.shown(file)} is not {encoding or 'utf-8'} text; name its encoding with --encoding, "
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
                    f"line {number} of {name} is neither UTF-8 nor {encoding} text; name its encoding with --encoding, or save it as CSV in UTF-8"
                )
        if first_legacy and first_utf8:
            raise InputError(
                f"line {first_legacy} of {name} is not UTF-8 text, and line {first_utf8} is; save the file in one encoding"
            )
        yield (text or "").encode()

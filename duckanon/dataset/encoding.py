"""The encoding of text files: UTF-16 and the code page of Western Windows are converted to UTF-8."""

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from duckanon.dataset.formats import bare, opened
from duckanon.dataset.location import Source
from duckanon.dataset.private_copy import private_file
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError
from duckanon.observers import staged

HEAD_BYTES = 1 << 18
_CHUNK_BYTES = 1 << 20
_LEAST_NULS = 0.25
"""In UTF-16 text of a western language, at least this share of the bytes at even or at odd offsets is NUL."""
_WINDOWS = "cp1252"
_TITLES = {_WINDOWS: "cp1252 (Windows, western languages)"}
_RUNS, _LONG_RUNS = re.compile(rb"[\x80-\xff]+"), re.compile(rb"[\x80-\xff]{3,}")
_MOST_LONG_RUNS = 0.1
"""Western languages have few words with three letters outside of ASCII in a row; other code pages have many."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")


def in_utf8(engine: Engine, source: Source) -> Source:
    """The input in UTF-8, by the first bytes of its files; raises `InputError` if their encoding is unknown."""
    encodings = [_encoding(file, source) for file in source.files]
    return _converted(engine, source, encodings) if any(encodings) else source


def from_windows(engine: Engine, source: Source) -> Source:
    """The input in UTF-8, after DuckDB found a byte that is not UTF-8; converted if the whole input can be cp1252."""
    return _converted(engine, source, [_WINDOWS] * len(source.files))


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
    text = head[: head.rfind(b"\n") + 1] if len(head) == HEAD_BYTES and b"\n" in head else head
    try:
        text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _check_windows(text, source.shown(path), text.count(b"\n", 0, error.start) + 1)
        return _WINDOWS
    return None


def _check_windows(text: bytes, name: str, line: int) -> None:
    """Raise `InputError` for text that is not UTF-8 and hardly cp1252; `line` is the first such line."""
    _check_decodes(text, name, line)
    if len(_LONG_RUNS.findall(text)) > _MOST_LONG_RUNS * len(_RUNS.findall(text)):
        raise InputError(
            f"{name} is not UTF-8 text (line {line}), nor in a western language; convert it from its encoding, as in: "
            "iconv -f cp1251 -t utf-8"
        )


def _check_decodes(text: bytes, name: str, line: int) -> None:
    """Raise `InputError` for bytes that are not cp1252 text."""
    try:
        is_text = not _CONTROL.search(text.decode(_WINDOWS))
    except UnicodeDecodeError:
        is_text = False
    if not is_text:
        raise InputError(
            f"{name} is not UTF-8 text (line {line}); save it as CSV in UTF-8 in the program that wrote it, or as Parquet"
        )


def _converted(engine: Engine, source: Source, encodings: list[str | None]) -> Source:
    files = []
    with staged(engine.observer, "converting the text to UTF-8"):
        for file, encoding in zip(source.files, encodings, strict=True):
            path = private_file(engine, bare(file))
            with decompressed(file, source) as stream, path.open("wb") as target:
                for chunk in _utf8(stream, encoding, source.shown(file)):
                    target.write(chunk)
            files.append(path)
    used = " and ".join(dict.fromkeys(_TITLES.get(encoding, encoding) for encoding in encodings if encoding))
    engine.observer.note(f"{source.shown(source.files[0])} is encoded in {used}; it is read as such")
    return replace(source, files=tuple(files), compression=None, is_copy=True)


def _utf8(stream: BinaryIO, encoding: str | None, name: str) -> Iterator[bytes]:
    """The text of a file in UTF-8, in parts."""
    if encoding == _WINDOWS:
        yield from _windows_lines(stream, name)
        return
    decoder = codecs.getincrementaldecoder(encoding or "utf-8-sig")()
    try:
        while chunk := stream.read(_CHUNK_BYTES):
            yield decoder.decode(chunk).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        raise InputError(f"{name} is not {encoding or 'utf-8'} text throughout; save it as CSV in UTF-8") from error


def _windows_lines(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The lines of a cp1252 file in UTF-8; raises `InputError` if some lines are UTF-8 already."""
    first_windows = first_utf8 = 0
    for number, line in enumerate(stream, start=1):
        if line.isascii():
            yield line
            continue
        try:
            line.decode()
        except UnicodeDecodeError:
            first_windows = first_windows or number
            _check_decodes(line, name, number)
        else:
            first_utf8 = first_utf8 or number
        if first_windows and first_utf8:
            raise InputError(
                f"line {first_windows} of {name} is not UTF-8 text, and line {first_utf8} is; save the file in one encoding"
            )
        yield line.decode(_WINDOWS).encode()

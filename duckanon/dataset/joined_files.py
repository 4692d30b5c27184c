"""Files that were joined with their headers: the lines that repeat the header are left out."""

from dataclasses import replace
from typing import BinaryIO

from duckanon.dataset.encoding import decompressed
from duckanon.dataset.formats import bare
from duckanon.dataset.location import Source
from duckanon.dataset.private_copy import private_file
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError
from duckanon.observers import staged

_MOST_NAMED = 5
_MARK = b"\xef\xbb\xbf"


def without_headers(engine: Engine, source: Source, skipped: int) -> Source:
    """A copy of the input without the lines that repeat its header; raises `InputError` if they cannot be distinguished from records."""
    files, lines = [], list[str]()
    with staged(engine.observer, "leaving out repeated headers"):
        for file in source.files:
            path = private_file(engine, bare(file))
            with decompressed(file, source) as stream, path.open("wb") as target:
                numbers = _copy(stream, target, skipped)
            lines += [f"{number:,} of {source.shown(file)}" for number in numbers]
            files.append(path)
    if not lines:
        raise InputError(f"{source.shown(source.files[0])} repeats its header between records; remove these lines")
    more = f" and {len(lines) - _MOST_NAMED:,} more" if len(lines) > _MOST_NAMED else ""
    engine.observer.note(
        f"line {', '.join(lines[:_MOST_NAMED])}{more} {'repeats' if len(lines) == 1 else 'repeat'} the header, as joined files do: left out"
    )
    return replace(source, files=tuple(files), compression=None, is_copy=True)


def _copy(stream: BinaryIO, target: BinaryIO, skipped: int) -> list[int]:
    """Copy the lines that differ from the header; return the numbers of the others."""
    header, repeated = b"", list[int]()
    for number, line in enumerate(stream, start=1):
        plain = line.removeprefix(_MARK).strip(b"\r\n").replace(b'"', b"")
        if number == skipped + 1:
            header = plain
        elif number > skipped and plain == header:
            repeated.append(number)
            continue
        target.write(line)
    return repeated

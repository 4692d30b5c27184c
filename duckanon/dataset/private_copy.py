"""Private copies of an input in the engine's folder, which the engine removes when it closes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from duckanon.dataset.file_format import LABELS, bare, opened
from duckanon.dataset.location import Source
from duckanon.engine.protocol import Engine
from duckanon.engine.scratch import OWNER_ONLY
from duckanon.errors import InputError, did_you_mean
from duckanon.formatting import first_of
from duckanon.observers import staged

if TYPE_CHECKING:
    import pyarrow as pa

HEAD_BYTES = 1 << 18
_LARGEST_WHOLE = 2**53


def private_file(engine: Engine, name: Path) -> Path:
    """A new empty file in the engine's private folder, mode 0600."""
    path = engine.scratch.staged_path(engine.scratch.path / name.name)
    path.touch(OWNER_ONLY)
    return path


@contextmanager
def decompressed(path: Path, source: Source) -> Iterator[BinaryIO]:
    """The bytes of a file of the input."""
    try:
        with opened(path, source.compression) as stream:
            yield stream
    except (OSError, EOFError) as error:
        raise InputError(f"{source.shown(path)} cannot be read as a compressed file; is it complete?") from error


def first_lines(path: Path, source: Source) -> bytes:
    """The first complete lines of a file of the input, of the first 256 KiB."""
    with decompressed(path, source) as stream:
        head = stream.read(HEAD_BYTES)
    return head[: head.rfind(b"\n") + 1] if len(head) == HEAD_BYTES and b"\n" in head else head


def rewritten(engine: Engine, source: Source, stage: str, parts: Callable[[BinaryIO, Path], Iterable[bytes]]) -> Source:
    """A copy of the text files of an input, with what `parts` gives of each file."""
    files = []
    with staged(engine.observer, stage):
        for file in source.files:
            path = private_file(engine, bare(file))
            with decompressed(file, source) as stream, path.open("wb") as target:
                target.writelines(parts(stream, file))
            files.append(path)
    return replace(source, files=tuple(files), compression=None, is_copy=True)


def write_parquet(path: Path, source: Source, schema: "pa.Schema", batches: Iterable[Any]) -> None:
    """Write record batches, one after the other; raises `InputError` if Parquet has no such type."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetWriter(path, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)
    except (pa.ArrowException, OSError) as error:
        raise damaged(source) from error


def is_whole(number: float) -> bool:
    """Whether a double is a whole number, of those that doubles keep exactly."""
    return float(number).is_integer() and abs(number) < _LARGEST_WHOLE


def only_table(source: Source, names: Sequence[str], noun: str) -> str:
    """The table or sheet of a file that is named, or the only one."""
    if source.table in names:
        return str(source.table)
    if source.table is not None:
        raise InputError(f"{str(source.files[0])!r} has no {noun} {source.table!r}{did_you_mean(source.table, names)}")
    if not names:
        raise InputError(f"{source.name!r} is {LABELS[source.kind]} without {noun}s; name another file")
    if len(names) > 1:
        listed = f"{len(names)} {noun}s ({first_of(names)})"
        raise InputError(f"{source.name!r} has {listed}; name one of them: {source.name}::{names[0]}")
    return names[0]


def damaged(source: Source) -> InputError:
    """What a file that cannot be read raises; a library's own message may quote values."""
    return InputError(f"{source.name!r} cannot be read as {LABELS[source.kind]}; is it complete?")


def import_reader(name: str, source: Source) -> Any:
    """A package of the extra `formats`."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{source.name!r} is {LABELS[source.kind]}; to read it, run: pip install 'duckanon[formats]'"
        ) from error

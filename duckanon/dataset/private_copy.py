"""Private copies of an input in the engine's folder, which the engine removes when it closes."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duckanon.dataset.location import Source, label
from duckanon.engine.protocol import Engine
from duckanon.engine.scratch.modes import OWNER_ONLY
from duckanon.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def private_file(engine: Engine, name: Path) -> Path:
    """A new empty file in the engine's private folder, mode 0600."""
    path = engine.scratch.staged_path(engine.scratch.path / name.name)
    path.touch(OWNER_ONLY)
    return path


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


def damaged(source: Source) -> InputError:
    """What a file that cannot be read raises; a library's own message may quote values."""
    return InputError(f"{source.name!r} cannot be read as {label(source.kind)}; is it complete?")


def import_reader(name: str, source: Source) -> Any:
    """A package of the extra `formats`."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{source.name!r} is {label(source.kind)}; to read it, run: pip install 'duckanon[formats]'"
        ) from error
